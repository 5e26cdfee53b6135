import { liveBookings, studioData, takenSlots } from '../../board/calendar-state.js';
import type { CalendarServices } from '../../board/services.js';
import type { BookingRow, ClosureRow } from '../../database/rows/schema.js';
import { searchBookings } from '../../repositories/booking-search.js';
import { listClosures } from '../../repositories/closures.js';
import { listBusyIntervals } from '../../repositories/conflicts.js';
import { loadCalendar } from '../../repositories/studio.js';
import { type Artist, isInSlot, ofArtist, type SlotOfArtist } from '../../schedule/artists.js';
import { isThere, openFor, type SlotState } from '../../schedule/calendar.js';
import { addDays } from '../../schedule/dates.js';
import {
  dayOf,
  isSameSlot,
  type Slot,
  slotOf,
  todayInZone,
  isLive,
  statusAt,
  findSlot,
  timeSlots,
} from '../../schedule/slots.js';
import { sessionsOn } from '../../schedule/weeks.js';
import { bookedSlot } from '../booking/booked-slot.js';
import { covers } from './blocks.js';
import type { BookingRecord } from './booking-record.js';
import type { ConflictInterval } from './conflicts.js';
import { studioSchedule, type StudioSchedule } from './settings.js';

/** One of the three slots of a day of an artist, as the studio sees it. */
export interface StudioSlot extends Slot {
  artist: Artist;
  /** Null where the studio has one. */
  artistName: string | null;
  /** Milliseconds since the epoch. */
  startsAt: number;
  endsAtText: string;
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
  /**
   * The artists in the studio's order: those who are not hidden, or have a booking on one of the days.
   * Hidden ones, and those who are not there on a day, have only booked slots.
   */
  artists: readonly Artist[];
  days: StudioDay[];
}

type DayServices = Pick<CalendarServices, 'board' | 'clock' | 'database'>;

/**
 * The days from a date on (by default today), each with the slots of its artists, in the order of the
 * day, and their bookings. `artistId`: only those of this artist, even if hidden.
 */
export async function readStudioDays(
  { board, clock, database }: DayServices,
  {
    from,
    count,
    artistId = null,
  }: { from?: string | null; count: number; artistId?: number | null },
): Promise<StudioDays> {
  const state = await board.read();
  const { busy, calendar, taken } = state;
  const { timezone } = calendar;
  const now = clock.now();
  const today = todayInZone(timezone, now);
  const first = from ?? today;
  const dates = Array.from({ length: count }, (_, index) => addDays(first, index));
  const bookings = await searchBookings(
    database,
    { from: first, to: dates.at(-1), statuses: ['pending', 'confirmed'] },
    dates.length * timeSlots.length * state.artists.length,
  );
  const isBookedWith = (id: number) => bookings.some(({ artist_id }) => artist_id === id);
  const artists = state.artists.filter(({ id, isHidden }) =>
    artistId === null ? !isHidden || isBookedWith(id) : id === artistId,
  );
  const isNamed = state.artists.length > 1;
  const days = dates.map((date) => ({
    date,
    isToday: date === today,
    slots: dayOf(timezone, date)
      .slots.filter(({ exists }) => exists)
      .flatMap((daySlot) => artists.map((artist) => ({ ...daySlot, artist })))
      .map(({ timeSlot, epochMs, key, artist }): StudioSlot => {
        const slot = { date, timeSlot };
        const booking = bookings.find(
          (each) => isInSlot(each, { ...slot, artistId: artist.id }) && isLive(statusAt(each, now)),
        );
        const startsAt = booking?.starts_at.getTime() ?? epochMs;
        const free = bookedSlot(state, slot, artist.id);
        const endsAt = (booking?.ends_at ?? free.endsAt).getTime();
        const isOverlapped =
          booking === undefined && taken.get(key)?.some(({ artistId }) => artistId === artist.id);
        return {
          ...slot,
          artist,
          artistName: isNamed ? artist.name : null,
          startsAt,
          endsAtText: booking?.ends_at_text ?? free.endsAtText,
          hasBegun: startsAt <= now,
          isOver: endsAt <= now,
          schedule: isOverlapped ? 'closed' : studioSchedule(ofArtist(calendar, artist.id), slot),
          isBusy: busy.some(
            (each) =>
              (each.artistId === null || each.artistId === artist.id) &&
              each.startsAt < endsAt &&
              each.endsAt > startsAt,
          ),
          booking: booking ?? null,
        };
      })
      .filter(
        ({ artist, booking }) =>
          artistId !== null || booking !== null || (!artist.isHidden && isThere(artist, date)),
      ),
  }));
  return { today, timezone, artists, days };
}

/**
 * One slot of an artist; without one, of the first who is free and works then, if possible. Null if the
 * date or the session does not exist.
 */
export async function findStudioSlot(
  context: DayServices,
  { artistId = null, ...slot }: SlotOfArtist,
): Promise<StudioSlot | null> {
  const { days } = await readStudioDays(context, { from: slot.date, count: 1, artistId });
  const slots = days[0]?.slots.filter((each) => isSameSlot(each, slot));
  const free = slots?.filter(({ booking }) => booking === null);
  return free?.find(({ schedule }) => schedule === 'open') ?? free?.[0] ?? slots?.[0] ?? null;
}

/** The slot from which the studio last moved a live booking, if it is free and not over. */
export async function findFormerSlot(
  context: DayServices,
  { booking, status, history }: Pick<BookingRecord, 'booking' | 'status' | 'history'>,
): Promise<StudioSlot | null> {
  const move = history.findLast((entry) => entry.what === 'moved');
  const isOfStudio = move?.by === 'studio' && isSameSlot(move.to, slotOf(booking));
  if (!isOfStudio || !isLive(status)) return null;
  // A move before the second artist names nobody: it was from a session of the first.
  const artistId = move.from.artistId ?? booking.artist_id;
  const slot = await findStudioSlot(context, { ...move.from, artistId });
  return slot?.booking === null && !slot.isOver ? slot : null;
}

/** Why a slot can be booked or not: everything that closes it, even if one reason would do. */
export interface ExplainedSlot extends SlotOfArtist {
  timezone: string;
  /** The first reason, in the order in which a request for the slot is answered. */
  state: SlotState;
  isInWeek: boolean;
  isOpened: boolean;
  /** The artists, or the one, who are not there on that date, and their days. */
  away: readonly Artist[];
  /** The studio's closures that contain it. */
  closures: readonly ClosureRow[];
  /** The busy times of watched calendars during it, in order. */
  busy: readonly ConflictInterval[];
}

type ExplainingServices = Pick<CalendarServices, 'clock' | 'config' | 'database'>;

/** Explains the slots in their order; without an artist, for the studio. */
export async function explainSlots(
  { clock, config, database }: ExplainingServices,
  slots: readonly SlotOfArtist[],
): Promise<ExplainedSlot[]> {
  if (slots.length === 0) return [];
  const rows = await loadCalendar(database);
  const data = studioData(rows, config);
  const { timezone, openings } = data.calendar;
  const all = slots.map((slot) => {
    const day = dayOf(timezone, slot.date);
    const { epochMs: startsAt, exists } = findSlot(day, slot.timeSlot);
    const { artistId, ...of } = slot;
    const endsAt = bookedSlot(data, of, artistId).endsAt.getTime();
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
  return all.map(({ date, timeSlot, artistId = null, weekday, exists, startsAt, endsAt }) => {
    const calendar = artistId === null ? data.calendar : ofArtist(data.calendar, artistId);
    const shown = calendar.artists.filter(({ isHidden }) => !isHidden);
    const isTheirs = (of: number | null) => artistId === null || of === null || of === artistId;
    return {
      date,
      timeSlot,
      artistId,
      timezone,
      state: openFor({ calendar, taken }, { date, timeSlot }, null, clock.now()),
      isInWeek:
        exists && shown.some((artist) => sessionsOn(artist, { date, weekday }).includes(timeSlot)),
      away: data.artists.filter(
        (artist) => (artistId ?? artist.id) === artist.id && !isThere(artist, date),
      ),
      isOpened: exists && (openings.get(date)?.includes(timeSlot) ?? false),
      closures: closures.filter(
        (closure) =>
          isTheirs(closure.artist_id) && covers(closure, { date, timeSlot, startsAt, endsAt }),
      ),
      busy: busy.filter(
        (each) =>
          isTheirs(each.artistId) &&
          each.startsAt.getTime() < endsAt &&
          each.endsAt.getTime() > startsAt,
      ),
    };
  });
}
