import type { TimeSlot } from '../../../generated/schemas.js';
import type { WeekDates } from '../../database/rows/results.js';
import type { DatabaseServices } from '../../database/services.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { deleteDay, replaceDay } from '../../repositories/weeks.js';
import { weekdayName } from '../../schedule/dates.js';
import { timeSlots, todayInZone } from '../../schedule/slots.js';
import { type ArtistRecord, type ChangedArtist, changeOne, saved } from './artists.js';
import { datesOf, type StoredDay } from './own-weeks.js';
import { findDatesProblems, findDayProblem, isOfDates, occursIn } from './week.js';

/** A weekday of an artist's own week. */
export interface ArtistDay {
  weekday: number;
  /** Null: the day is the studio's again. */
  sessions: readonly TimeSlot[] | null;
  /** Their own hours; null: the studio's. Left out: as before. */
  hours?: { opens: string; closes: string } | null;
}

export type ChangedArtistWeek = ChangedArtist | { outcome: 'invalid'; problem: string };

/**
 * Gives an artist days of their own, in every week or from one date to another, or (null) the studio's
 * again. Days that are left out stay. Existing bookings stay.
 */
export async function changeArtistWeek(
  { database, clock }: Pick<DatabaseServices, 'database' | 'clock'>,
  actor: string,
  slug: string,
  days: readonly ArtistDay[] | null,
  dates: WeekDates | null = null,
): Promise<ChangedArtistWeek> {
  return changeOne<ChangedArtistWeek>(database, slug, async (transaction, artist) => {
    const present = ownDays(artist, dates);
    const named = days ?? present.map(({ weekday }) => ({ weekday, sessions: null }));
    const all: readonly ArtistDay[] = named.filter(({ weekday }) => occursIn(weekday, dates));
    const own = all.flatMap((day) => newDay(day, present));
    const released = all.filter(({ sessions }) => sessions === null);
    const today = todayInZone((await readStudio(transaction)).timezone, clock.now());
    const problems = [
      ...(dates === null || named.every(({ sessions }) => sessions === null)
        ? []
        : findDatesProblems(dates, today, own, artist.dated)),
      ...own.map((day) => (day.opens === null ? null : findDayProblem(day))),
    ].filter((found) => found !== null);
    if (problems.length > 0) {
      return { outcome: 'invalid', problem: problems.map(({ problem }) => problem).join('\n') };
    }
    for (const { weekday } of released) await deleteDay(transaction, artist.id, weekday, dates);
    for (const day of own) await replaceDay(transaction, { ...day, ...datesOf(dates) }, artist.id);
    return saved(transaction, actor, 'artists hours', slug, {
      week: days === null ? null : own,
      as_studio: released.map(({ weekday }) => weekdayName(weekday)),
      ...datesOf(dates),
    });
  });
}

const noHours = { opens: null, closes: null };

/** The stored days of an artist, of every week or of exactly these dates. */
export function ownDays(artist: ArtistRecord, dates: WeekDates | null): readonly StoredDay[] {
  return dates === null ? (artist.week ?? []) : artist.dated.filter(isOfDates(dates));
}

function newDay({ weekday, sessions, hours }: ArtistDay, present: readonly StoredDay[]) {
  if (sessions === null) return [];
  const { opens, closes } =
    hours === undefined
      ? (present.find((day) => day.weekday === weekday) ?? noHours)
      : (hours ?? noHours);
  const inOrder = timeSlots.filter((slot) => sessions.includes(slot));
  return [{ weekday, opens, closes, sessions: inOrder }];
}
