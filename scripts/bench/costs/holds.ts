import { Pool } from 'undici';
import type { Slot } from '../../../src/schedule/slots.js';
import { openSlots, postHold } from '../../../test/support/http-requests.js';
import { sendAll, type Call } from '../load.js';
import { clients, holdCall } from '../rows/holds.js';
import type { Cost, Subject } from './meter.js';
import { bytesOf } from './requests.js';

/** Few enough that all rounds find open slots. */
const holdsPerRound = 180;
const attemptsPerRound = 1_000;

/** Holds with their jobs, and attempts that are refused. */
export async function costsOfHolds(subject: Subject): Promise<Cost[]> {
  const { service, meter, step } = subject;
  const what = 'hold, with its job';
  step(what);
  const pool = new Pool(service.url, { connections: clients });
  const usage = await meter.measure(async () => {
    const slots = await openSlots(service.url, holdsPerRound);
    await sendAll(pool, slots.map(holdCall), clients, 201);
    return holdsPerRound;
  });
  await pool.close();
  const [spare, taken] = await openSlots(service.url, 2);
  const bytes = await bytesOf(service.url, holdCall(spare!), 201);
  await postHold(service.url, taken!);
  return [
    { what, ...usage, bytes },
    await costOfAttempts(subject, 'hold that is refused, with alternatives', taken!, 409),
  ];
}

/** Concurrent attempts to hold a slot that are all refused, with this status. */
export async function costOfAttempts(
  { service, meter, step }: Pick<Subject, 'service' | 'meter' | 'step'>,
  what: string,
  slot: Slot,
  refusal: number,
): Promise<Cost> {
  step(what);
  const pool = new Pool(service.url, { connections: clients });
  const call = holdCall(slot);
  const usage = await meter.measure(async () => {
    await sendAll(pool, Array<Call>(attemptsPerRound).fill(call), clients, refusal);
    return attemptsPerRound;
  });
  await pool.close();
  return { what, ...usage, bytes: await bytesOf(service.url, call, refusal) };
}
