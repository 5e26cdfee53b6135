import type { HoldRequest } from '../../generated/schemas.js';
import type { Caller } from '../../src/access/caller.js';
import { unmetered } from '../../src/access/meter.js';
import type { Context } from '../../src/context.js';
import { openSlots } from '../../src/schedule/calendar.js';
import { addDays } from '../../src/schedule/dates.js';
import { todayInZone, type Slot } from '../../src/schedule/slots.js';

/** A complete, valid request for a slot. */
export function holdRequest(slot: Slot, changes: Partial<HoldRequest> = {}): HoldRequest {
  return {
    date: slot.date,
    time_slot: slot.timeSlot,
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
    ...changes,
  };
}

/** The contact details of a different person for each number. */
export function personNumber(index: number): Pick<HoldRequest, 'email' | 'phone'> {
  return {
    email: `person${index}@example.com`,
    phone: `555${2_000_000 + index}`,
  };
}

/** Every open slot to the horizon, from today or from the day that is `daysAhead`. */
export async function everyOpenSlot(
  { board, clock }: Pick<Context, 'board' | 'clock'>,
  daysAhead = 0,
): Promise<Slot[]> {
  // The board may not have received the last change of the test before.
  await board.refresh();
  const { calendar, taken } = await board.read();
  const now = clock.now();
  const today = todayInZone(calendar.timezone, now);
  const range = { from: addDays(today, daysAhead), to: addDays(today, calendar.horizonDays) };
  return openSlots(calendar, taken, range, now).flatMap(({ date, slots }) =>
    slots.map(({ timeSlot }) => ({ date, timeSlot })),
  );
}

/** A tuple, where the number of slots is known when the test is compiled. */
export type Slots<Count extends number, Known extends Slot[] = []> = number extends Count
  ? Slot[]
  : Known['length'] extends Count
    ? Known
    : Slots<Count, [...Known, Slot]>;

/** The first `count` open slots, far enough ahead that no notice runs out during the test. */
export async function someOpenSlots<Count extends number>(
  context: Pick<Context, 'board' | 'clock'>,
  count: Count,
): Promise<Slots<Count>> {
  const slots = await everyOpenSlot(context, 2);
  if (slots.length < count) throw new Error(`only ${slots.length} slots are open`);
  return slots.slice(0, count) as Slots<Count>;
}

/** A different caller for each number, without a budget. */
export function callerNumber(index: number): Caller {
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  return {
    apiKeyId: null,
    address,
    network: address,
    platform: null,
    personHashes: null,
    channel: 'rest',
    meter: unmetered,
  };
}
