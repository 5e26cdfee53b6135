import type { TimeSlot } from '../../../generated/schemas.js';
import type { DayRow } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { type ArtistRecord, listArtists, replaceArtistWeek } from '../../repositories/artists.js';
import { recordAudit } from '../../repositories/audit.js';
import { listLiveBookingsOutsideSessions } from '../../repositories/booking-search.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { lockStudio, readWeek, replaceDay } from '../../repositories/studio-settings.js';
import { weekdayName } from '../../schedule/dates.js';
import { startsWithin, timeSlots, todayInZone } from '../../schedule/slots.js';
import { findDrifts, type WeekDrift } from './own-weeks.js';
import { studioToday } from './settings.js';

type WeekServices = Pick<DatabaseServices, 'database' | 'clock'>;

export interface StudioWeek {
  /** The seven days, Monday first. */
  week: DayRow[];
  /** Live bookings from today on whose session is not in the week. */
  bookingsOutside: BookingRow[];
}

export async function readStudioWeek(context: WeekServices): Promise<StudioWeek> {
  const { database } = context;
  return {
    week: await readWeek(database),
    bookingsOutside: await listLiveBookingsOutsideSessions(database, await studioToday(context)),
  };
}

/** A change of some weekdays; omitted members stay. */
export interface WeekChange {
  weekdays: readonly number[];
  /** null: closed, without sessions. */
  hours?: { opens: string; closes: string } | null;
  sessions?: readonly TimeSlot[];
  /** Days as the caller saw them, which are changed only if they are still so. */
  seen?: readonly DayRow[];
}

export type IsAlsoTheirs = (drift: WeekDrift) => boolean | null;

export interface DayProblem {
  weekday: number;
  /** A sentence. */
  problem: string;
}

/** Nothing was written unless it is `saved`. `artists`: those whose own weeks changed, too. */
export type ChangedWeek =
  | ({ outcome: 'saved'; artists: ArtistRecord[] } & StudioWeek)
  /** These days are no longer as the caller saw them. */
  | { outcome: 'changed'; weekdays: number[] }
  /** It is not decided whether the own week of one of these artists changes, too. */
  | { outcome: 'undecided'; drifts: WeekDrift[] }
  | { outcome: 'refused'; problems: DayProblem[] };

/**
 * Changes opening hours and sessions of some weekdays, at once and with one entry in the audit; equal
 * days are not written. Existing bookings stay. `isAlsoTheirs`: whether an artist's own week changes,
 * too, with another entry; null if that is not decided.
 */
export async function changeWeek(
  context: WeekServices,
  actor: string,
  change: WeekChange | readonly WeekChange[],
  isAlsoTheirs: IsAlsoTheirs = () => null,
): Promise<ChangedWeek> {
  const changes = [change].flat();
  return context.database.transaction().execute(async (transaction) => {
    // The weeks of artists change under this lock, which is always taken before the studio's row.
    await lockSlots(transaction);
    const { timezone } = await lockStudio(transaction);
    const before = await readWeek(transaction);
    const isPresent = (day: DayRow) => before.some((present) => isSameDay(present, day));
    const named = before.flatMap((day) => {
      const ofDay = changes.filter(({ weekdays }) => weekdays.includes(day.weekday));
      return ofDay.length === 0 ? [] : [{ before: day, after: ofDay.reduce(changeDay, day) }];
    });
    const days = named.map(({ after }) => after).filter((day) => !isPresent(day));
    const overtaken = changes
      .flatMap(({ seen = [] }) => seen)
      .filter((seen) => !isPresent(seen) && days.some(({ weekday }) => weekday === seen.weekday))
      .map(({ weekday }) => weekday);
    if (overtaken.length > 0) return { outcome: 'changed', weekdays: overtaken };
    const problems = days.map(findDayProblem).filter((found) => found !== null);
    if (problems.length > 0) return { outcome: 'refused', problems };
    const drifts = findDrifts(await listArtists(transaction), named);
    if (drifts.some((drift) => isAlsoTheirs(drift) === null)) {
      return { outcome: 'undecided', drifts };
    }
    const followers = drifts.filter(isAlsoTheirs);
    if (days.length > 0) {
      for (const day of days) await replaceDay(transaction, day);
      await recordAudit(transaction, actor, 'hours set', { days });
    }
    for (const { artist, week } of followers) {
      await replaceArtistWeek(transaction, artist.id, week);
      await recordAudit(transaction, actor, 'artists hours', { artist: artist.slug, week });
    }
    if (days.length + followers.length > 0) await recordCalendarChange(transaction, 'hours set');
    const today = todayInZone(timezone, context.clock.now());
    return {
      outcome: 'saved',
      artists: followers.map(({ artist }) => artist),
      week: await readWeek(transaction),
      bookingsOutside: await listLiveBookingsOutsideSessions(transaction, today),
    };
  });
}

function changeDay(day: DayRow, { hours, sessions = day.sessions }: WeekChange): DayRow {
  if (hours === null) return { ...day, opens: null, closes: null, sessions: [] };
  return { ...day, ...hours, sessions: timeSlots.filter((slot) => sessions.includes(slot)) };
}

/** Whether two days have the same hours and sessions, which are in the order of the day. */
export function isSameDay(one: DayRow, other: DayRow): boolean {
  return (
    one.weekday === other.weekday &&
    one.opens === other.opens &&
    one.closes === other.closes &&
    one.sessions.join() === other.sessions.join()
  );
}

/** What is wrong with a day; null if it is valid. */
export function findDayProblem({ weekday, opens, closes, sessions }: DayRow): DayProblem | null {
  const day = weekdayName(weekday);
  if (opens === null || closes === null) {
    if (sessions.length === 0) return null;
    const problem = `The studio is closed on ${day}: give its opening hours together with its sessions.`;
    return { weekday, problem };
  }
  if (opens === closes) {
    const problem = `On ${day} the studio would close when it opens, at ${opens}.`;
    return { weekday, problem };
  }
  if (opens > closes) {
    const problem = `On ${day} the studio would close (${closes}) before it opens (${opens}).`;
    return { weekday, problem };
  }
  const outside = sessions.find((session) => !startsWithin(session, opens, closes));
  if (outside === undefined) return null;
  const problem = `The session at ${outside} on ${day} does not start within its opening hours, ${opens} to ${closes}.`;
  return { weekday, problem };
}
