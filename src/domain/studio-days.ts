import { liveBookings, studioData, takenSlots } from '../board/calendar-state.js';
import type { CalendarServices } from '../board/services.js';
import type { BookingRow, ClosureRow } from '../database/schema.js';
import { searchBookings } from '../repositories/booking-search.js';
import { listClosures } from '../repositories/closures.js';
import { listBusyIntervals } from '../repositories/conflicts.js';
import { loadCalendar } from '../repositories/studio.js';
import { slotState, type SlotState } from '../schedule/calendar.js';
import { addDays } from '../schedule/dates.js';
import {
  dayOf,
  isSameSlot,
  sessionEndsAt,
  type Slot,
  slotOf,
  todayInZone,
  isLive,
  statusAt,
  findSlot,
} from '../schedule/slots.js';
import type { BookingRecord } from './booking-record.js';
import type { ConflictInterval } from './conflicts.js';
import { studioSchedule, type StudioSchedule } from './studio-settings.js';

/** One of the three slots of a day, as the studio sees it. */
export interface StudioSlot extends Slot {
  /** Milliseconds since the epoch. */
  startsAt: number;
  hasBegun: boolean;
  isOver: boolean;
  /** Whether people could book it, whatever is booked and whatever the time is. */
  schedule: StudioSchedule;
  /** Whether a watched calendar is busy during it, booked or not. */
  isBusy: boolean;
  /** The booking that occupies it; a hold that has lapsed does not. */
  booking: BookingRow | null;
}

export interface StudioDay {
  date: string;
  isToday: boolean;
  slots: StudioSlot[];
}

export interface StudioDays {
  today: string;
  timezone: string;
  days: StudioDay[];
}

type DayServices = Pick<CalendarServices, 'board' | 'clock' | 'database'>;

/** The days from a date on (today, unless given), each with its slots and who has booked them. */
export async function readStudioDays(
  { board, clock, database }: DayServices,
  { from, count }: { from?: string | null; count: number },
): Promise<StudioDays> {
  const { busy, calendar, openingHours, taken } = await board.read();
  const { timezone } = calendar;
  const now = clock.now();
  const today = todayInZone(timezone, now);
  const first = from ?? today;
  const dates = Array.from({ length: count }, (_, index) => addDays(first, index));
  const bookings = await searchBookings(
    database,
    { from: first, to: dates.at(-1), statuses: ['pending', 'confirmed'] },
    dates.length * 3,
  );
  const days = dates.map((date) => ({
    date,
    isToday: date === today,
    slots: dayOf(timezone, date)
      .slots.filter(({ exists }) => exists)
      .map(({ timeSlot, epochMs, key }): StudioSlot => {
        const slot = { date, timeSlot };
        const booking = bookings.find(
          (each) => isSameSlot(slotOf(each), slot) && isLive(statusAt(each, now)),
        );
        const startsAt = booking?.starts_at.getTime() ?? epochMs;
        const endsAt =
          booking?.ends_at?.getTime() ?? sessionEndsAt(startsAt, timezone, openingHours);
        const isOverlapped = booking === undefined && taken.has(key);
        return {
          ...slot,
          startsAt,
          hasBegun: startsAt <= now,
          isOver: endsAt <= now,
          schedule: isOverlapped ? 'closed' : studioSchedule(calendar, slot),
          isBusy: busy.some((each) => each.startsAt < endsAt && each.endsAt > startsAt),
          booking: booking ?? null,
        };
      }),
  }));
  return { today, timezone, days };
}

/** One slot; null if the date or the session does not exist. */
export async function findStudioSlot(context: DayServices, slot: Slot): Promise<StudioSlot | null> {
  const { days } = await readStudioDays(context, { from: slot.date, count: 1 });
  return days[0]?.slots.find((each) => isSameSlot(each, slot)) ?? null;
}

/** The slot that the studio has moved a live booking from last, while it is free and not over. */
export async function findFormerSlot(
  context: DayServices,
  { booking, status, history }: Pick<BookingRecord, 'booking' | 'status' | 'history'>,
): Promise<StudioSlot | null> {
  const move = history.findLast((entry) => entry.what === 'moved');
  const isOfStudio = move?.by === 'studio' && isSameSlot(move.to, slotOf(booking));
  if (!isOfStudio || !isLive(status)) return null;
  const slot = await findStudioSlot(context, move.from);
  return slot?.booking === null && !slot.isOver ? slot : null;
}

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
