import { liveBookings, studioData, takenSlots } from '../board/calendar-state.js';
import type { CalendarServices } from '../board/services.js';
import type { ClosureRow } from '../database/schema.js';
import { listClosures } from '../repositories/closures.js';
import { listBusyIntervals } from '../repositories/conflicts.js';
import { loadCalendar } from '../repositories/studio.js';
import { slotState, type SlotState } from '../schedule/calendar.js';
import { dayOf, findSlot, sessionEndsAt, type Slot } from '../schedule/slots.js';
import type { ConflictInterval } from './conflicts.js';

/** Why a slot can be booked or not: everything that closes it, also where one alone would. */
export interface ExplainedSlot extends Slot {
  timezone: string;
  /** The first reason, in the order in which a request for the slot is answered. */
  state: SlotState;
  isInWeek: boolean;
  isOpened: boolean;
  /** The studio's own that contain it. */
  closures: readonly ClosureRow[];
  /** When watched calendars are busy during it, in order. */
  busy: readonly ConflictInterval[];
}

type ExplainingServices = Pick<CalendarServices, 'clock' | 'config' | 'database'>;

/** For each of the slots, in their order. */
export async function explainSlots(
  { clock, config, database }: ExplainingServices,
  slots: readonly Slot[],
): Promise<ExplainedSlot[]> {
  if (slots.length === 0) return [];
  const rows = await loadCalendar(database);
  const data = studioData(rows, config);
  const { calendar, openingHours } = data;
  const { timezone, sessions, openings } = calendar;
  const all = slots.map((slot) => {
    const day = dayOf(timezone, slot.date);
    const { epochMs: startsAt, exists } = findSlot(day, slot.timeSlot);
    const endsAt = sessionEndsAt(startsAt, timezone, openingHours);
    return { ...slot, weekday: day.weekday, exists, startsAt, endsAt };
  });
  const [closures, busy] = await Promise.all([
    listClosures(database, all.map(({ date }) => date).toSorted()[0] ?? ''),
    listBusyIntervals(database, {
      startsAt: Math.min(...all.map(({ startsAt }) => startsAt)),
      endsAt: Math.max(...all.map(({ endsAt }) => endsAt)),
    }),
  ]);
  const taken = takenSlots(liveBookings(rows), data);
  return all.map(({ date, timeSlot, weekday, exists, startsAt, endsAt }) => ({
    date,
    timeSlot,
    timezone,
    state: slotState(calendar, taken, { date, timeSlot }, clock.now()),
    isInWeek: exists && sessions[weekday].includes(timeSlot),
    isOpened: exists && (openings.get(date)?.includes(timeSlot) ?? false),
    closures: closures.filter(
      ({ from_date, to_date, time_slot }) =>
        from_date <= date && date <= to_date && (time_slot === null || time_slot === timeSlot),
    ),
    busy: busy.filter(
      (each) => each.startsAt.getTime() < endsAt && each.endsAt.getTime() > startsAt,
    ),
  }));
}
