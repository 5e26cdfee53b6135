import { setTimeout as pause } from 'node:timers/promises';
import type { TimeSlot } from '../../src/client/client.js';
import type { Alternative, Availability, Hold } from '../../src/client/types.js';
import { dateAhead } from '../../test/support/http-requests.js';
import { dataOf, refusalOf, type Agent } from './agent.js';
import type { Scene } from './scene.js';

export const daysAhead = 14;
const noon = 12;
/** Long enough for the agent to be waiting. */
const thinkingMs = 500;

export interface OpenTime {
  date: string;
  time_slot: TimeSlot;
}

export async function listTwoWeeks(agent: Agent): Promise<Availability> {
  // From yesterday: where the studio is, today may not have begun. What is past is not open.
  return dataOf(await agent.listOpenTimes({ from: dateAhead(-1), to: dateAhead(daysAhead) }));
}

/** The open slots at or after noon, by the times that the service answers. */
export function afternoonsOf({ days }: Availability): OpenTime[] {
  return days.flatMap(({ date, slots }) =>
    slots
      .filter(({ starts_at }) => hourOf(starts_at) >= noon)
      .map(({ time_slot }) => ({ date, time_slot })),
  );
}

/** The first afternoon within two weeks. */
export async function findOpenAfternoon(agent: Agent): Promise<OpenTime> {
  const [first] = afternoonsOf(await listTwoWeeks(agent));
  if (first === undefined) throw new Error('no afternoon is open');
  return first;
}

/** Finds an afternoon and holds it for the person. */
export async function holdAfternoon({ agent, person }: Scene): Promise<Hold> {
  const time = await findOpenAfternoon(agent);
  return dataOf(await agent.hold({ ...time, ...person }));
}

/** Another caller takes the afternoon that the agent has found: holds the alternative that is chosen. */
export async function holdAlternative(
  { agent, person, takeSlot }: Scene,
  choose: (alternatives: readonly Alternative[]) => Alternative | undefined,
): Promise<Hold> {
  const time = await findOpenAfternoon(agent);
  await takeSlot(time);
  const refused = await agent.hold({ ...time, ...person });
  const chosen = choose(refusalOf(refused, 'slot_unavailable').alternatives ?? []);
  expect(chosen !== undefined, 'alternatives');
  const { date, time_slot } = chosen;
  const held = dataOf(await agent.hold({ date, time_slot, ...person }));
  expect(held.date === date && held.time_slot === time_slot, 'the alternative is held');
  return held;
}

/** The person confirms, and the agent learns of it. */
export async function confirmAndLearn({ agent, confirm }: Scene, held: Hold): Promise<void> {
  const waiting = agent.waitForPerson(held);
  await pause(thinkingMs);
  await confirm(held.checkout_url);
  const { status } = dataOf(await waiting);
  expect(status === 'confirmed', `a confirmed booking, and it is ${status}`);
}

/** On the studio's clock: the instant carries its offset. */
function hourOf(startsAt: string): number {
  return Number(startsAt.slice('2026-12-01T'.length).slice(0, 2));
}

export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`expected: ${what}`);
}
