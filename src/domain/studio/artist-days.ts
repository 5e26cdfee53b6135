import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { type ArtistChange, type ArtistRecord, updateArtist } from '../../repositories/artists.js';
import {
  listUpcomingBookingsOfSlots,
  type SlotSelection,
} from '../../repositories/booking-search.js';
import { forgetKept } from '../../repositories/closed-days.js';
import { deleteSessionsOfArtist } from '../../repositories/console-sessions.js';
import { deleteDay, replaceDay } from '../../repositories/weeks.js';
import { addDays } from '../../schedule/dates.js';
import { type ArtistServices, changeOne, saved, type SavedArtist } from './artists.js';
import {
  auditedDecisions,
  decideAbout,
  type DecidedAbout,
  type DecidingOptions,
} from './closures.js';
import { studioToday } from './settings.js';

type DayServices = ArtistServices & Pick<DatabaseServices, 'config'>;

export type StartedArtist = SavedArtist | { outcome: 'not_found' | 'last_before_first' };

export interface Start {
  /** The days of their own; null: none. Omitted: as it is. */
  week?: ArtistRecord['week'];
  firstDay: string;
}

/**
 * Lets people book an artist who was added, with the week and from the first day on that the caller was
 * shown. Changes nothing if people can book them already.
 */
export async function startArtist(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  slug: string,
  { week, firstDay }: Start,
): Promise<StartedArtist> {
  return changeOne(database, slug, async (transaction, artist): Promise<StartedArtist> => {
    if (!artist.is_new) return { outcome: 'saved', artist };
    if (isBefore(artist.last_day, firstDay)) return { outcome: 'last_before_first' };
    if (week !== undefined) {
      for (const { weekday } of artist.week ?? []) {
        await deleteDay(transaction, artist.id, weekday, null);
      }
      for (const day of week ?? []) await replaceDay(transaction, day, artist.id);
    }
    await updateArtist(transaction, artist.id, {
      ...{ first_day: firstDay, hidden_at: null, is_new: false },
    });
    await forgetKept(transaction);
    const details = { first_day: firstDay, is_hidden: false, ...(week !== undefined && { week }) };
    return saved(transaction, actor, 'artists set', slug, details);
  });
}

/** The dates from which on and until which people can book an artist; null: open. Omitted members stay. */
export interface ArtistDays {
  firstDay?: string | null;
  lastDay?: string | null;
}

export type AwayArtist =
  | (SavedArtist & DecidedAbout)
  | { outcome: 'not_found' | 'last_before_first' }
  /** Nobody whom people can book would be left. */
  | { outcome: 'last_shown' }
  /** Bookings are before the first day. */
  | { outcome: 'booked_before'; bookings: BookingRow[] }
  /** Their week and first day were never shown: `startArtist`. */
  | { outcome: 'is_new' };

/** The sessions of an artist after a last day; without one, all. */
export function sessionsAfter(
  { id }: Pick<ArtistRecord, 'id'>,
  lastDay: string | null,
): SlotSelection & { artistId: number } {
  const fromDate = lastDay === null ? '0001-01-01' : addDays(lastDay, 1);
  return { fromDate, toDate: '9999-12-31', timeSlot: null, artistId: id };
}

/**
 * Changes the first and the last day of an artist, and carries out the studio's decisions about the live
 * bookings after the last day, as closing dates does.
 */
export async function changeArtistDays(
  { database, config }: DayServices,
  actor: string,
  slug: string,
  change: ArtistDays,
  options: DecidingOptions = {},
): Promise<AwayArtist> {
  return changeOne(database, slug, async (transaction, artist, all): Promise<AwayArtist> => {
    const { firstDay = artist.first_day, lastDay = artist.last_day } = change;
    const isLater = firstDay !== artist.first_day;
    const isNew = lastDay !== artist.last_day;
    if (firstDay !== null && isBefore(lastDay, firstDay)) return { outcome: 'last_before_first' };
    const isLeft = ({ last_day }: ArtistRecord) =>
      last_day === null || (lastDay !== null && last_day > lastDay);
    const isLeaving = isNew && lastDay !== null && artist.hidden_at === null;
    if (isLeaving && !othersShown(artist, all).some(isLeft)) return { outcome: 'last_shown' };
    if (isLater && firstDay !== null) {
      const before = { ...sessionsAfter(artist, null), toDate: addDays(firstDay, -1) };
      const bookings = await listUpcomingBookingsOfSlots(transaction, before);
      if (bookings.length > 0) return { outcome: 'booked_before', bookings };
    }
    // Those of an artist who has left do not come back with another last day.
    if (isNew) await deleteSessionsOfArtist(transaction, artist.id);
    if (isLater || isNew) {
      const days = { first_day: firstDay, last_day: lastDay };
      await updateArtist(transaction, artist.id, days);
    }
    const about =
      lastDay === null
        ? { decided: [], met: [] }
        : await decideAbout(
            transaction,
            config,
            actor,
            sessionsAfter(artist, lastDay),
            options,
            isNew,
          );
    if (!isLater && !isNew) return { outcome: 'saved', artist, ...about };
    await forgetKept(transaction);
    const details = {
      ...(isLater && { first_day: firstDay }),
      ...(isNew && { last_day: lastDay, ...auditedDecisions(about.decided) }),
    };
    return { ...(await saved(transaction, actor, 'artists set', slug, details)), ...about };
  });
}

/**
 * Stops or resumes taking new bookings with an artist, and carries out the studio's decisions about the
 * live ones, as closing dates does. Who is hidden is signed out.
 */
export async function hideArtist(
  context: DayServices,
  actor: string,
  slug: string,
  isHidden: boolean,
  options: DecidingOptions = {},
): Promise<AwayArtist> {
  const { database, clock, config } = context;
  const today = await studioToday(context);
  return changeOne(database, slug, async (transaction, artist, all): Promise<AwayArtist> => {
    if (!isHidden && artist.is_new) return { outcome: 'is_new' };
    const isNew = (artist.hidden_at !== null) !== isHidden;
    const isThere = ({ last_day }: ArtistRecord) => !isBefore(last_day, today);
    const isLast = isNew && isHidden && !othersShown(artist, all).some(isThere);
    if (isLast) return { outcome: 'last_shown' };
    const change: ArtistChange = { hidden_at: isHidden ? new Date(clock.now()) : null };
    if (isNew) {
      await updateArtist(transaction, artist.id, change);
      await deleteSessionsOfArtist(transaction, artist.id);
    }
    const about = isHidden
      ? await decideAbout(transaction, config, actor, sessionsAfter(artist, null), options, isNew)
      : { decided: [], met: [] };
    if (!isNew) return { outcome: 'saved', artist, ...about };
    if (!isHidden) await forgetKept(transaction);
    const details = {
      is_hidden: isHidden,
      ...(isHidden && auditedDecisions(about.decided)),
    };
    return { ...(await saved(transaction, actor, 'artists set', slug, details)), ...about };
  });
}

function othersShown(artist: ArtistRecord, all: readonly ArtistRecord[]): ArtistRecord[] {
  return all.filter(({ id, hidden_at }) => id !== artist.id && hidden_at === null);
}

function isBefore(day: string | null, other: string): boolean {
  return day !== null && day < other;
}
