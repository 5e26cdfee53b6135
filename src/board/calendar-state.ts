import { isDeepStrictEqual } from 'node:util';
import type { BookingRow } from '../database/schema.js';
import type { InstallationMode } from '../repositories/installation.js';
import type {
  CalendarRows,
  OpeningHoursRow,
  StudioAddressRow,
  StudioRow,
} from '../repositories/studio.js';
import { studioOn } from '../schedule/addresses.js';
import { slotsOverlapping, type BusyInterval } from '../schedule/busy-times.js';
import { emptyWeek, nextChangeAt, type Calendar } from '../schedule/calendar.js';
import {
  longestSessionMs,
  parseSlotKey,
  slotKey,
  slotOf,
  slotStartsAt,
  todayInZone,
  isLive,
} from '../schedule/slots.js';

/** A booking that occupies its slot. Instants are milliseconds since the epoch. */
export interface LiveBooking {
  readonly id: string;
  readonly startsAt: number;
  readonly endsAt: number;
  /** Null when confirmed. */
  readonly lapsesAt: number | null;
  /** Grows with each change of the booking. */
  readonly sequence: number;
}

export type LiveBookings = ReadonlyMap<string, LiveBooking>;

/** The part of the calendar that only the studio changes. */
export interface StudioData {
  readonly mode: InstallationMode;
  /** In a `CalendarState`, at today's address. */
  readonly studio: StudioRow;
  /** Each counts from its date on: `studioOn` says where the studio is on a date. */
  readonly addresses: readonly StudioAddressRow[];
  readonly openingHours: readonly OpeningHoursRow[];
  readonly busy: readonly BusyInterval[];
  readonly calendar: Calendar;
}

/** One state of the calendar, from which all reads are computed. */
export interface CalendarState extends StudioData {
  /** Increases with each state of this process. */
  readonly version: number;
  /** In the studio's time zone. */
  readonly today: string;
  /** By the `slotKey` of their slots; without lapsed holds. */
  readonly bookings: LiveBookings;
  /** By `slotKey`, also of each other slot whose session one of another time zone overlaps. */
  readonly taken: LiveBookings;
  /** Results computed from this state are valid from `validFrom` until before `validUntil`. */
  readonly validFrom: number;
  readonly validUntil: number;
}

/** The columns that the board needs of a changed booking. */
export type ChangedBooking = Pick<
  BookingRow,
  'id' | 'status' | 'date' | 'time_slot' | 'starts_at' | 'ends_at' | 'expires_at' | 'sequence'
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
    addresses: rows.addresses,
    openingHours: rows.openingHours,
    busy: rows.busy,
    calendar: {
      timezone: rows.studio.timezone,
      sessions,
      openings: new Map(Object.entries(rows.openings)),
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
  const isKnown =
    previous?.calendar.timezone === timezone &&
    isDeepStrictEqual([previous.busy, previous.openingHours], [busy, openingHours]);
  return isKnown ? previous.calendar.busySlots : slotsOverlapping(busy, { timezone, openingHours });
}

export function liveBookings(rows: CalendarRows): LiveBookings {
  return new Map(
    rows.liveBookings.map((row) => [
      slotKey(slotOf(row)),
      {
        id: row.id,
        startsAt: row.starts_at,
        endsAt: row.ends_at ?? row.starts_at + longestSessionMs,
        lapsesAt: row.lapses_at,
        sequence: row.sequence,
      },
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
      endsAt: changed.ends_at?.getTime() ?? changed.starts_at.getTime() + longestSessionMs,
      lapsesAt: changed.status === 'pending' ? changed.expires_at.getTime() : null,
      sequence: changed.sequence,
    });
  }
  return next;
}

/** The state at `now`; returns `previous` if nothing differs. */
export function calendarState(
  known: StudioData,
  live: LiveBookings,
  now: number,
  previous: CalendarState | null,
): CalendarState {
  const today = todayInZone(known.calendar.timezone, now);
  const facts = { ...known, studio: studioOn(known, today) };
  const bookings = new Map(
    [...live].filter(([, { lapsesAt }]) => lapsesAt === null || lapsesAt > now),
  );
  if (previous !== null && isValidAt(previous, now) && isSame(previous, facts, bookings)) {
    return previous;
  }
  const taken = takenSlots(bookings, facts);
  const starts = [...bookings.values()].map(({ startsAt }) => startsAt);
  const validUntil = Math.min(
    nextChangeAt(facts.calendar, taken, now),
    ...starts.filter((startsAt) => startsAt > now),
  );
  const version = (previous?.version ?? 0) + 1;
  return { ...facts, today, bookings, taken, version, validFrom: now, validUntil };
}

/** The slots that the bookings occupy: their own, and those that one of another time zone overlaps. */
export function takenSlots(
  bookings: LiveBookings,
  { calendar: { timezone }, openingHours }: Pick<StudioData, 'calendar' | 'openingHours'>,
): LiveBookings {
  const elsewhere = [...bookings].filter(([key, { startsAt }]) => {
    const { date, timeSlot } = parseSlotKey(key);
    return slotStartsAt(timezone, date, timeSlot).epochMs !== startsAt;
  });
  if (elsewhere.length === 0) return bookings;
  const taken = new Map(bookings);
  const lapse = (booking: LiveBooking | undefined) =>
    booking === undefined ? -Infinity : (booking.lapsesAt ?? Infinity);
  for (const [, booking] of elsewhere) {
    for (const key of slotsOverlapping([booking], { timezone, openingHours })) {
      if (lapse(booking) > lapse(taken.get(key))) taken.set(key, booking);
    }
  }
  return taken;
}

export function isValidAt(state: CalendarState, now: number): boolean {
  return state.validFrom <= now && now < state.validUntil;
}

function isSame(state: CalendarState, facts: StudioData, bookings: LiveBookings): boolean {
  const { mode, studio, addresses, openingHours, busy, calendar } = state;
  return (
    isDeepStrictEqual({ mode, studio, addresses, openingHours, busy, calendar }, facts) &&
    isDeepStrictEqual(state.bookings, bookings)
  );
}
