import { setTimeout as delay } from 'node:timers/promises';
import { placeHold } from '../../scripts/bench/slots.js';
import { allHealthy, type Installation } from './installation.js';

const healthyWithinMs = 300_000;
const newsWithinMs = 30_000;
const betweenMs = 100;

/**
 * Resolves when every process says that it is ready, each of them holds a slot, and the receiver
 * has heard of it: the whole way that a booking takes.
 */
export async function untilHealthy(installation: Installation, signal: AbortSignal): Promise<void> {
  const { hosts, urls, receiver, probeSlots } = installation;
  const endsAt = performance.now() + healthyWithinMs;
  let next = 0;
  const pause = async (): Promise<void> => {
    if (performance.now() > endsAt) throw new Error('it did not become healthy in time');
    await delay(betweenMs, undefined, { signal });
  };

  const isHeardOf = async (id: string | null): Promise<boolean> => {
    const givenUpAt = performance.now() + newsWithinMs;
    while (id !== null && performance.now() < givenUpAt) {
      if (receiver.requests.some(({ body }) => body.includes(id))) return true;
      await pause();
    }
    return false;
  };

  for (;;) {
    if (await allHealthy(hosts)) {
      const slots = urls.map(() => probeSlots[next++ % probeSlots.length]!);
      const ids = await Promise.all(urls.map((url, index) => held(placeHold(url, slots[index]!))));
      const heardOf = await Promise.all(ids.map(isHeardOf));
      if (heardOf.every(Boolean)) return;
    }
    await pause();
  }
}

/** The id of the hold, or null when it was not had. */
function held(hold: Promise<{ id: string }>): Promise<string | null> {
  const id = hold.then(
    (placed) => placed.id,
    () => null,
  );
  return Promise.race([id, delay(10_000, null)]);
}
