import type { TimeSlot } from '../../../src/client/client.js';
import type { Hold } from '../../../src/client/types.js';
import { dataOf, type Agent } from '../agent.js';
import type { Scene } from '../scene.js';

export const daysAhead = 14;
const noon = 12;
const dayMs = 86_400_000;

export interface OpenTime {
  date: string;
  time_slot: TimeSlot;
}

/** The first open slot at or after noon within two weeks, by the times that the service answers. */
export async function findOpenAfternoon(agent: Agent): Promise<OpenTime> {
  const date = (offset: number) => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10);
  // From yesterday: where the studio is, today may not have begun. What is past is not open.
  const { days } = dataOf(await agent.listOpenTimes({ from: date(-1), to: date(daysAhead) }));
  for (const { date, slots } of days) {
    for (const { time_slot, starts_at } of slots) {
      if (hourOf(starts_at) >= noon) return { date, time_slot };
    }
  }
  throw new Error('no afternoon is open');
}

/** Finds an afternoon and holds it for the person. */
export async function holdAfternoon({ agent, person }: Scene): Promise<Hold> {
  const time = await findOpenAfternoon(agent);
  return dataOf(await agent.hold({ ...time, ...person }));
}

/** On the studio's clock: the instant carries its offset. */
function hourOf(startsAt: string): number {
  return Number(startsAt.slice('2026-12-01T'.length).slice(0, 2));
}

export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`expected: ${what}`);
}
