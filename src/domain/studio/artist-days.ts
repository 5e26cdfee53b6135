import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { type ArtistRecord, updateArtist } from '../../repositories/artists.js';
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

/** When people can book an artist: dates, null: open. Omitted members stay. */
export interface ArtistDays {
  firstDay?: string | null;
  lastDay?: string | null;
  isHidden?: boolean;
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

const everyDay = { fromDate: '0001-01-01', toDate: '9999-12-31', timeSlot: null };

/** The sessions that a change takes away from an artist: all, or those after the last day; null: none. */
export function sessionsAway(
  { id }: Pick<ArtistRecord, 'id'>,
  { lastDay = null, isHidden = false }: ArtistDays,
): SlotSelection | null {
  const theirs = { ...everyDay, artistId: id };
  if (isHidden) return theirs;
  return lastDay === null ? null : { ...theirs, fromDate: addDays(lastDay, 1) };
}

/**
 * Changes when people can book an artist, and carries out the studio's decisions about the live bookings
 * of the sessions that this takes away, as closing dates does. A change of the last day,
 * hiding and showing end the artist's sessions and links of the console.
 */
export async function changeArtistDays(
  context: DayServices,
  actor: string,
  slug: string,
  change: ArtistDays,
  options: DecidingOptions = {},
): Promise<AwayArtist> {
  const { database, clock, config } = context;
  const yesterday = addDays(await studioToday(context), -1);
  return changeOne(database, slug, async (transaction, artist, all): Promise<AwayArtist> => {
    const wasHidden = artist.hidden_at !== null;
    const { firstDay = artist.first_day, lastDay = artist.last_day, isHidden = wasHidden } = change;
    const isLater = firstDay !== artist.first_day;
    const isEnding = lastDay !== artist.last_day;
    const isSwitched = isHidden !== wasHidden;
    if (change.isHidden === false && artist.is_new) return { outcome: 'is_new' };
    if (firstDay !== null && isBefore(lastDay, firstDay)) return { outcome: 'last_before_first' };
    const end = isHidden ? yesterday : lastDay;
    const isAway = isSwitched ? isHidden : isEnding && !isHidden;
    if (isAway && end !== null && !all.some((other) => isLeftAfter(end, other, artist))) {
      return { outcome: 'last_shown' };
    }
    if (isLater && firstDay !== null) {
      const before = { ...everyDay, toDate: addDays(firstDay, -1), artistId: artist.id };
      const bookings = await listUpcomingBookingsOfSlots(transaction, before);
      if (bookings.length > 0) return { outcome: 'booked_before', bookings };
    }
    // Those of an artist who has left do not come back with another last day.
    if (isEnding || isSwitched) await deleteSessionsOfArtist(transaction, artist.id);
    if (isLater || isEnding || isSwitched) {
      await updateArtist(transaction, artist.id, {
        ...{ first_day: firstDay, last_day: lastDay },
        ...(isSwitched && { hidden_at: isHidden ? new Date(clock.now()) : null }),
      });
    }
    const away = sessionsAway(artist, change);
    const isNew = isEnding || (isSwitched && isHidden);
    const about =
      away === null
        ? { decided: [], met: [] }
        : await decideAbout(transaction, config, actor, away, options, isNew);
    if (!isLater && !isEnding && !isSwitched) return { outcome: 'saved', artist, ...about };
    await forgetKept(transaction);
    const details = {
      ...(isLater && { first_day: firstDay }),
      ...(isEnding && { last_day: lastDay }),
      ...(isSwitched && { is_hidden: isHidden }),
      ...(isNew && auditedDecisions(about.decided)),
    };
    return { ...(await saved(transaction, actor, 'artists set', slug, details)), ...about };
  });
}

/** Whether people can book another artist after a day. */
function isLeftAfter(day: string, other: ArtistRecord, { id }: ArtistRecord): boolean {
  const { last_day: lastDay } = other;
  return other.id !== id && other.hidden_at === null && (lastDay === null || lastDay > day);
}

function isBefore(day: string | null, other: string): boolean {
  return day !== null && day < other;
}
