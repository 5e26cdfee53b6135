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
export interface ExplainedSlot {
  timezone: string;
  /** The first reason, in the order in which a request for the slot is answered. */
  state: SlotState;
  /** Whether the studio's week has a session then. */
  isInWeek: boolean;
  /** Whether it is opened on this date. */
  isOpened: boolean;
  /** The studio's own that contain it. */
  closures: readonly ClosureRow[];
  /** When watched calendars are busy during it, in order. */
  busy: readonly ConflictInterval[];
}

export async function explainSlot(
  { clock, config, database }: Pick<CalendarServices, 'clock' | 'config' | 'database'>,
  slot: Slot,
): Promise<ExplainedSlot> {
  const { date, timeSlot } = slot;
  const rows = await loadCalendar(database);
  const data = studioData(rows, config);
  const { calendar, openingHours } = data;
  const { timezone, sessions, openings } = calendar;
  const day = dayOf(timezone, date);
  const { epochMs, exists } = findSlot(day, timeSlot);
  const endsAt = sessionEndsAt(epochMs, timezone, openingHours);
  const [closures, busy] = await Promise.all([
    listClosures(database, date),
    listBusyIntervals(database, { startsAt: epochMs, endsAt }),
  ]);
  return {
    timezone,
    state: slotState(calendar, takenSlots(liveBookings(rows), data), slot, clock.now()),
    isInWeek: exists && sessions[day.weekday].includes(timeSlot),
    isOpened: exists && (openings.get(date)?.includes(timeSlot) ?? false),
    closures: closures.filter(
      ({ from_date, time_slot }) =>
        from_date <= date && (time_slot === null || time_slot === timeSlot),
    ),
    busy,
  };
}
