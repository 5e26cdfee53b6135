import { Pool } from 'undici';
import type { Call } from '../load.js';
import { clients, post } from '../probes/holds.js';
import { holdBody, type Slot } from '../slots.js';
import type { Cost, Subject } from './cost.js';
import { bytesOf } from './requests.js';

const attemptsPerRound = 2_000;

/** Concurrent attempts to hold a slot that are all refused, with this status. */
export async function costOfAttempts(
  { service, meter, progress }: Pick<Subject, 'service' | 'meter' | 'progress'>,
  what: string,
  slot: Slot,
  refusal: number,
): Promise<Cost> {
  progress(what);
  const pool = new Pool(service.url, { connections: clients });
  const call = holdCall(holdBody(slot));
  const usage = await meter.measure(async () => {
    let left = attemptsPerRound;
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (left-- > 0) {
          const status = await post(pool, call.path, holdBody(slot));
          if (status !== refusal) throw new Error(`an attempt was answered with ${status}`);
        }
      }),
    );
    return attemptsPerRound;
  });
  await pool.close();
  return { what, ...usage, bytes: await bytesOf(service.url, call, refusal) };
}

export function holdCall(body: string): Call {
  return {
    method: 'POST',
    path: '/api/public/holds',
    headers: { 'content-type': 'application/json' },
    body,
  };
}
