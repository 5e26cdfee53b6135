import { request, type IncomingMessage } from 'node:http';
import type { Test } from 'tap';
import type { LiveEvent } from '../../generated/schemas.js';
import type { Slot } from '../../src/schedule/slots.js';

/** Opens a live stream; it is closed at the latest at the end of the test. */
export async function openLiveStream(t: Test, url: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/api/public/events`, { headers, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  const events: LiveEvent[] = [];
  const retries: number[] = [];
  let looked = 0;
  let arrived: () => void = () => undefined;
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
      arrived();
    }
  });
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  response.on('error', () => undefined);
  t.teardown(() => response.destroy());
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    /** Everything received so far, in order. */
    events,
    /** The `retry` fields received so far. */
    retries,
    /**
     * Resolves with the first event that is as wanted, among those after the one with which the last
     * call resolved.
     */
    async next(isWanted: (event: LiveEvent) => boolean): Promise<LiveEvent> {
      for (;;) {
        for (; looked < events.length; looked += 1) {
          const event = events[looked];
          if (event === undefined || !isWanted(event)) continue;
          looked += 1;
          return event;
        }
        await new Promise<void>((resolve) => (arrived = resolve));
      }
    },
    /** Stops reading; the operating system still fills its buffers. */
    pause: () => void response.pause(),
    /** Closes the connection. */
    vanish: () => response.destroy(),
    closed,
  };
}

/** A viewer's end of a live stream. */
export type Viewing = Awaited<ReturnType<typeof openLiveStream>>;

/** Whether the slot is among the open ones of an `availability`; undefined for other events. */
export function isOpenIn(event: LiveEvent, slot: Slot): boolean | undefined {
  if (event.event !== 'availability') return undefined;
  const day = event.data.days.find(({ date }) => date === slot.date);
  return day?.slots.some(({ time_slot }) => time_slot === slot.timeSlot) ?? false;
}
