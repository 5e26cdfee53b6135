import { isDeepStrictEqual } from 'node:util';
import type { BookingRow } from '../database/schema.js';
import type { InstallationMode } from '../repositories/installation.js';
import type { CalendarRows, OpeningHoursRow, StudioRow } from '../repositories/studio.js';
import { isLive } from '../schedule/booking-status.js';
import { slotsOverlapping, type BusyInterval } from '../schedule/busy-times.js';
import { emptyWeek, nextChangeAt, type Calendar } from '../schedule/calendar.js';
import { slotKey, slotOf } from '../schedule/slots.js';

/** A booking that occupies its slot. Instants are milliseconds since the epoch. */
export interface LiveBooking {
  readonly id: string;
  readonly startsAt: number;
  /** Null when confirmed. */
  readonly lapsesAt: number | null;
  /** Grows with each change of the booking. */
  readonly sequence: number;
}

export type LiveBookings = ReadonlyMap<string, LiveBooking>;

/** The part of the calendar that only the studio changes. */
export interface StudioData {
  readonly mode: InstallationMode;
  readonly studio: StudioRow;
  readonly openingHours: readonly OpeningHoursRow[];
  /** When watched calendars are busy. */
  readonly busy: readonly BusyInterval[];
  readonly calendar: Calendar;
}

/** One state of the calendar, from which all reads are computed. */
export interface CalendarState extends StudioData {
  /** Increases with each state of this process. */
  readonly version: number;
  /** By `slotKey`; without lapsed holds. */
  readonly taken: LiveBookings;
  /** Results computed from this state are valid from `validFrom` until before `validUntil`. */
  readonly validFrom: number;
  readonly validUntil: number;
}

/** The columns that the board needs of a changed booking. */
export type ChangedBooking = Pick<
  BookingRow,
  'id' | 'status' | 'date' | 'time_slot' | 'starts_at' | 'expires_at' | 'sequence'
>;

export interface CalendarRules {
  minNoticeMinutes: number;
  bookingHorizonDays: number;
}

/** `previous` spares the search for busy slots where nothing that decides about them differs. */
export function studioData(
  rows: CalendarRows,
  rules: CalendarRules,
  previous: StudioData | null = null,
): StudioData {
  const sessions = emptyWeek();
  for (const row of rows.weeklySessions) {
    sessions[row.weekday as keyof typeof sessions].push(row.time_slot);
  }
  return {
    mode: rows.mode,
    studio: rows.studio,
    openingHours: rows.openingHours,
    busy: rows.busy,
    calendar: {
      timezone: rows.studio.timezone,
      sessions,
      closures: rows.closures.map((closure) => ({
        fromDate: closure.from_date,
        toDate: closure.to_date,
        timeSlot: closure.time_slot,
      })),
      busySlots: busySlotsOf(rows, previous),
      minNoticeMinutes: rules.minNoticeMinutes,
      horizonDays: rules.bookingHorizonDays,
    },
  };
}

function busySlotsOf(
  { busy, openingHours, studio: { timezone } }: CalendarRows,
  previous: StudioData | null,
): ReadonlySet<string> {
  const present = { busy, openingHours, timezone };
  const known = previous && {
    busy: previous.busy,
    openingHours: previous.openingHours,
    timezone: previous.calendar.timezone,
  };
  if (previous !== null && isDeepStrictEqual(known, present)) return previous.calendar.busySlots;
  return slotsOverlapping(busy, { timezone, openingHours });
}

export function liveBookings(rows: CalendarRows): LiveBookings {
  return new Map(
    rows.liveBookings.map((row) => [
      slotKey(slotOf(row)),
      { id: row.id, startsAt: row.starts_at, lapsesAt: row.lapses_at, sequence: row.sequence },
    ]),
  );
}

/** Applies a change, unless a later state of the same booking is known. */
export function withChange(bookings: LiveBookings, changed: ChangedBooking): LiveBookings {
  const known = [...bookings].find(([, { id }]) => id === changed.id);
  if (known !== undefined && known[1].sequence >= changed.sequence) return bookings;
  const next = new Map(bookings);
  // A moved booking leaves its former slot.
  if (known !== undefined) next.delete(known[0]);
  if (isLive(changed.status)) {
    next.set(slotKey(slotOf(changed)), {
      id: changed.id,
      startsAt: changed.starts_at.getTime(),
      lapsesAt: changed.status === 'pending' ? changed.expires_at.getTime() : null,
      sequence: changed.sequence,
    });
  }
  return next;
}

/** The state at `now`; returns `previous` if nothing differs. */
export function calendarState(
  facts: StudioData,
  bookings: LiveBookings,
  now: number,
  previous: CalendarState | null,
): CalendarState {
  const taken = new Map(
    [...bookings].filter(([, { lapsesAt }]) => lapsesAt === null || lapsesAt > now),
  );
  if (previous !== null && isValidAt(previous, now) && isSame(previous, facts, taken)) {
    return previous;
  }
  const starts = [...taken.values()].map(({ startsAt }) => startsAt);
  const validUntil = Math.min(
    nextChangeAt(facts.calendar, taken, now),
    ...starts.filter((startsAt) => startsAt > now),
  );
  return { ...facts, taken, version: (previous?.version ?? 0) + 1, validFrom: now, validUntil };
}

export function isValidAt(state: CalendarState, now: number): boolean {
  return state.validFrom <= now && now < state.validUntil;
}

function isSame(state: CalendarState, facts: StudioData, taken: LiveBookings): boolean {
  const { mode, studio, openingHours, busy, calendar } = state;
  return (
    isDeepStrictEqual({ mode, studio, openingHours, busy, calendar }, facts) &&
    isDeepStrictEqual(state.taken, taken)
  );
}
