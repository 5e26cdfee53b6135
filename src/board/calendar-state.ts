import { isDeepStrictEqual } from 'node:util';
import type { InstallationMode } from '../database/rows/results.js';
import type { BookingRow } from '../database/rows/schema.js';
import type { StudioAddressRow, StudioRow, WeekDayRow } from '../database/rows/studio.js';
import type { ArtistRow, CalendarRows, ClosureRow } from '../repositories/studio.js';
import { studioOn } from '../schedule/addresses.js';
import { type Artist, choosableArtists, freeArtists, ofArtist } from '../schedule/artists.js';
import { slotsOverlapping, type BusyInterval } from '../schedule/busy-times.js';
import { type Calendar, nextChangeAt, type Occupant, type Taken } from '../schedule/calendar.js';
import {
  dayOf,
  type Slot,
  slotKey,
  slotOf,
  longestSessionMs,
  todayInZone,
  isLive,
} from '../schedule/slots.js';
import { daysFor, weekSessions, type WeekSessions } from '../schedule/weeks.js';
import { closuresOf, isClosedAs } from './closures.js';

/** A booking that occupies its slot. Instants are milliseconds since the epoch. */
export interface LiveBooking {
  readonly id: string;
  readonly slot: Slot;
  /** The key of the booking's slot. */
  readonly slotKey: string;
  readonly artistId: number;
  readonly startsAt: number;
  readonly endsAt: number;
  /** Null when confirmed. */
  readonly lapsesAt: number | null;
  /** Grows with each change of the booking. */
  readonly sequence: number;
}

/** By their ids. */
export type LiveBookings = ReadonlyMap<string, LiveBooking>;

/** The part of the calendar that only the studio changes. */
export interface StudioData extends WeekSessions {
  readonly mode: InstallationMode;
  /** The studio; in a `CalendarState`, at today's address. */
  readonly studio: StudioRow;
  /** The addresses, each from its date on: `studioOn` finds the one of a date. */
  readonly addresses: readonly StudioAddressRow[];
  readonly weekDays: readonly WeekDayRow[];
  /** The studio's days, in the order of `daysFor`; `sessions` and `dated` are theirs. */
  readonly openingHours: readonly WeekDayRow[];
  /** In the studio's order. */
  readonly artists: readonly Artist[];
  readonly busy: readonly (BusyInterval & { readonly artistId: number | null })[];
  /** Also the blocks that close no session. */
  readonly closures: readonly ClosureRow[];
  readonly calendar: Calendar;
}

/** One state of the calendar, from which all reads are computed. */
export interface CalendarState extends StudioData {
  /** Increases with each state of this process. */
  readonly version: number;
  /** In the studio's time zone. */
  readonly today: string;
  /** Lapsed holds are left out. */
  readonly bookings: LiveBookings;
  /** The taken slots, including those that a session of another time zone overlaps. */
  readonly taken: Taken;
  /** Results computed from this state are valid from `validFrom` until before `validUntil`. */
  readonly validFrom: number;
  readonly validUntil: number;
}

/** The columns that the board needs of a changed booking. */
export type ChangedBooking = Pick<
  BookingRow,
  | 'id'
  | 'status'
  | 'date'
  | 'time_slot'
  | 'artist_id'
  | 'starts_at'
  | 'ends_at'
  | 'expires_at'
  | 'sequence'
>;

export interface CalendarRules {
  minNoticeMinutes: number;
  bookingHorizonDays: number;
}

/** Studio data from rows. With `previous`, closed and busy slots are searched only where their facts differ. */
export function studioData(
  rows: CalendarRows,
  rules: CalendarRules,
  previous: StudioData | null = null,
): StudioData {
  const openingHours = daysFor(rows.weekDays, null);
  const week = weekSessions(openingHours);
  const ownDays = new Set(rows.weekDays.map(({ artist_id }) => artist_id));
  const known = previous !== null && isBusyAs(previous, rows) ? previous.calendar.artists : [];
  const closed = previous !== null && isClosedAs(previous, rows) ? previous.calendar.artists : [];
  return {
    mode: rows.mode,
    studio: rows.studio,
    addresses: rows.addresses,
    weekDays: rows.weekDays,
    openingHours,
    ...week,
    artists: rows.artists.map(({ id, slug, name, about, ...artist }) => {
      return { id, slug, name, about, ...presenceOf(artist) };
    }),
    busy: rows.busy,
    closures: rows.closures,
    calendar: {
      timezone: rows.studio.timezone,
      openings: new Map(Object.entries(rows.openings)),
      artists: rows.artists.map((artist) => {
        const hours = ownDays.has(artist.id) ? daysFor(rows.weekDays, artist.id) : openingHours;
        return {
          id: artist.id,
          ...presenceOf(artist),
          ...(hours === openingHours ? week : weekSessions(hours)),
          hours,
          closures:
            closed.find(({ id }) => id === artist.id)?.closures ??
            closuresOf(rows, artist.id, hours),
          busySlots:
            known.find(({ id }) => id === artist.id)?.busySlots ??
            busySlotsOf(rows, artist.id, hours),
        };
      }),
      minNoticeMinutes: rules.minNoticeMinutes,
      horizonDays: rules.bookingHorizonDays,
    },
  };
}

function presenceOf({ isHidden, ...row }: Pick<ArtistRow, 'isHidden' | 'first_day' | 'last_day'>) {
  return { isHidden, firstDay: row.first_day, lastDay: row.last_day };
}

/** The artists of whom those whose last day is over are hidden. */
function hideFormer<Each extends Pick<Artist, 'isHidden' | 'lastDay'>>(
  artists: readonly Each[],
  today: string,
): readonly Each[] {
  const isOver = ({ lastDay }: Each) => lastDay !== null && lastDay < today;
  // Mostly nobody: what stays the same is compared faster (`isSame`).
  if (!artists.some(isOver)) return artists;
  return artists.map((artist) => (isOver(artist) ? { ...artist, isHidden: true } : artist));
}

/** Whether everything that decides about busy slots is unchanged. */
function isBusyAs({ calendar, busy, weekDays }: StudioData, rows: CalendarRows): boolean {
  return (
    calendar.timezone === rows.studio.timezone &&
    isDeepStrictEqual([busy, weekDays], [rows.busy, rows.weekDays])
  );
}

function busySlotsOf(
  { busy, studio: { timezone } }: CalendarRows,
  id: number,
  openingHours: readonly WeekDayRow[],
): ReadonlySet<string> {
  const theirs = busy.filter(({ artistId }) => artistId === null || artistId === id);
  return slotsOverlapping(theirs, { timezone, openingHours });
}

export function liveBookings(rows: CalendarRows): LiveBookings {
  return new Map(
    rows.liveBookings.map((row) => [
      row.id,
      {
        id: row.id,
        ...inSlot(slotOf(row)),
        artistId: row.artist_id,
        startsAt: row.starts_at,
        endsAt: row.ends_at,
        lapsesAt: row.lapses_at,
        sequence: row.sequence,
      },
    ]),
  );
}

function inSlot(slot: Slot) {
  return { slot, slotKey: slotKey(slot) };
}

/** Applies a change, unless a later state of the same booking is known. */
export function withChange(bookings: LiveBookings, changed: ChangedBooking): LiveBookings {
  const known = bookings.get(changed.id);
  if (known !== undefined && known.sequence >= changed.sequence) return bookings;
  const next = new Map(bookings);
  next.delete(changed.id);
  if (isLive(changed.status)) {
    next.set(changed.id, {
      id: changed.id,
      ...inSlot(slotOf(changed)),
      artistId: changed.artist_id,
      startsAt: changed.starts_at.getTime(),
      endsAt: changed.ends_at.getTime(),
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
  const facts = {
    ...known,
    studio: studioOn(known, today),
    artists: hideFormer(known.artists, today),
    calendar: { ...known.calendar, artists: hideFormer(known.calendar.artists, today) },
  };
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

/**
 * The artists whom a person can choose and who are free in a slot, in the studio's order.
 *
 * @param now ms since the epoch
 */
export function freeArtistsIn(state: CalendarState, slot: Slot, now: number): readonly Artist[] {
  const free = freeArtists(state.calendar, state.taken, slot, now);
  return choosableArtists(state).filter((artist) => free.some(({ id }) => id === artist.id));
}

/** The state as if there were only this artist; null: with all. */
export function stateOfArtist(state: CalendarState, artistId: number | null): CalendarState {
  return artistId === null ? state : { ...state, calendar: ofArtist(state.calendar, artistId) };
}

/** The slots that the bookings occupy: their own, and those that they overlap in time. */
export function takenSlots(
  bookings: LiveBookings,
  { calendar: { timezone, artists }, openingHours }: Pick<StudioData, 'calendar' | 'openingHours'>,
): Map<string, readonly Occupant[]> {
  const taken = new Map<string, readonly Occupant[]>();
  const until = ({ lapsesAt }: Occupant) => lapsesAt ?? Infinity;
  for (const booking of bookings.values()) {
    const { hours = openingHours } = artists.find(({ id }) => id === booking.artistId) ?? {};
    const keys = isWithinSlot(booking, timezone)
      ? [booking.slotKey]
      : new Set([
          booking.slotKey,
          ...slotsOverlapping([booking], { timezone, openingHours: hours }),
        ]);
    for (const key of keys) {
      const occupants = taken.get(key) ?? [];
      const same = occupants.find(({ artistId }) => artistId === booking.artistId);
      if (same !== undefined && until(same) >= until(booking)) continue;
      taken.set(key, [...occupants.filter((each) => each !== same), booking]);
    }
  }
  return taken;
}

/** Whether a booking begins with its slot and ends before the next. */
function isWithinSlot({ slot, startsAt, endsAt }: LiveBooking, timezone: string): boolean {
  const { slots } = dayOf(timezone, slot.date);
  const index = slots.findIndex(({ timeSlot }) => timeSlot === slot.timeSlot);
  const next = slots[index + 1]?.epochMs ?? startsAt + longestSessionMs;
  return slots[index]?.epochMs === startsAt && endsAt <= next;
}

export function isValidAt(state: CalendarState, now: number): boolean {
  return state.validFrom <= now && now < state.validUntil;
}

/** The data from which the rest is made. */
function given(data: StudioData) {
  const { mode, studio, addresses, weekDays, artists, busy, closures, calendar } = data;
  return { mode, studio, addresses, weekDays, artists, busy, closures, calendar };
}

function isSame(state: CalendarState, facts: StudioData, bookings: LiveBookings): boolean {
  return (
    isDeepStrictEqual(given(state), given(facts)) && isDeepStrictEqual(state.bookings, bookings)
  );
}
