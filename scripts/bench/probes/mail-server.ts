import { once } from 'node:events';
import { startBaseline } from '../processes.js';
import { rate } from './webhooks.js';

export interface Arrival {
  /** When the whole mail was there, as of `now`. */
  at: number;
  recipient: string;
  /** Of DATA. */
  bytes: number;
}

export interface MailServer {
  port: number;
  /** `arrivals` resolves with the next `count` mails. */
  expect(count: number): Promise<{ arrivals: Promise<Arrival[]> }>;
  stop: () => Promise<void>;
}

/** Starts an SMTP server in a process of its own. */
export async function startMailServer(): Promise<MailServer> {
  const running = await startBaseline('smtp-server.ts', []);
  const { url, child } = running;
  return {
    port: Number(new URL(url).port),
    async expect(count) {
      child.send(count);
      await once(child, 'message');
      const arrivals = once(child, 'message').then(
        ([message]) => (message as { arrivals: Arrival[] }).arrivals,
      );
      return { arrivals };
    },
    stop: () => running.stop(),
  };
}

/** Mails per second, from the first to the last. */
export function mailRate(arrivals: readonly Arrival[]): number {
  return rate(arrivals.map(({ at }) => at));
}
