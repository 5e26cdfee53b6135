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
  /** `half` resolves when half of the next `count` mails have arrived, `arrivals` with all of them. */
  expect(count: number): Promise<{ half: Promise<void>; arrivals: Promise<Arrival[]> }>;
  stop: () => Promise<void>;
}

/** Starts an SMTP server in a process of its own. */
export async function startMailServer(): Promise<MailServer> {
  const running = await startBaseline('smtp-server.ts', []);
  const { url, child } = running;
  const message = <Message>(isIt: (message: unknown) => boolean): Promise<Message> =>
    new Promise((resolve) => {
      const check = (received: unknown): void => {
        if (!isIt(received)) return;
        child.off('message', check);
        resolve(received as Message);
      };
      child.on('message', check);
    });
  return {
    port: Number(new URL(url).port),
    async expect(count) {
      const expecting = message((each) => each === 'expecting');
      child.send(count);
      await expecting;
      const half = message((each) => each === 'half').then(() => undefined);
      const arrivals = message<{ arrivals: Arrival[] }>(
        (each) => typeof each === 'object' && each !== null && 'arrivals' in each,
      ).then((all) => all.arrivals);
      return { half, arrivals };
    },
    stop: () => running.stop(),
  };
}

/** Mails per second, from the first to the last. */
export function mailRate(arrivals: readonly Arrival[]): number {
  return rate(arrivals.map(({ at }) => at));
}
