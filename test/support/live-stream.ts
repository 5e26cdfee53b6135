import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Test } from 'tap';
import type { LiveEvent } from '../../generated/schemas.js';

/** A viewer's end of a live stream. */
export interface Viewing {
  status: number;
  headers: IncomingHttpHeaders;
  /** Everything received so far, in order. */
  events: LiveEvent[];
  /** The `retry` fields received so far. */
  retries: number[];
  /** Resolves with the first event, received or to come, that is as wanted. */
  until(isWanted: (event: LiveEvent) => boolean): Promise<LiveEvent>;
  /** Stops reading; the operating system goes on for a while. */
  pause(): void;
  /** Hangs up without a word. */
  vanish(): void;
  closed: Promise<void>;
}

/** Opens a live stream; it is closed at the latest at the end of the test. */
export async function openLiveStream(
  t: Test,
  url: string,
  headers: Record<string, string> = {},
): Promise<Viewing> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/api/public/events`, { headers, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  const events: LiveEvent[] = [];
  const retries: number[] = [];
  let waiting: { isWanted: (event: LiveEvent) => boolean; resolve: (event: LiveEvent) => void }[] =
    [];
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]),
      );
      const retry = fields.get('retry');
      if (retry !== undefined) retries.push(Number(retry));
      const data = fields.get('data');
      if (data === undefined) continue;
      const event = {
        ...Object.fromEntries(fields),
        data: JSON.parse(data) as unknown,
      } as LiveEvent;
      events.push(event);
      for (const { resolve } of waiting.filter(({ isWanted }) => isWanted(event))) resolve(event);
      waiting = waiting.filter(({ isWanted }) => !isWanted(event));
    }
  });
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  response.on('error', () => undefined);
  t.teardown(() => response.destroy());
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    retries,
    until(isWanted) {
      const found = events.find(isWanted);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => waiting.push({ isWanted, resolve }));
    },
    pause: () => response.pause(),
    vanish: () => response.destroy(),
    closed,
  };
}
