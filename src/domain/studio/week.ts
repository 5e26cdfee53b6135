import type { Kysely } from 'kysely';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { DatedDayRow, DayRow, WeekDates } from '../../database/rows/results.js';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { type ArtistRecord, listArtists } from '../../repositories/artists.js';
import { recordAudit } from '../../repositories/audit.js';
import { listLiveBookingsOutsideSessions } from '../../repositories/booking-search.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { lockStudio } from '../../repositories/studio-settings.js';
import { deleteDay, listDatedDays, readWeek, replaceDay } from '../../repositories/weeks.js';
import { daysBetween, weekdayName, weekdayOf } from '../../schedule/dates.js';
import { startsWithin, timeSlots, todayInZone } from '../../schedule/slots.js';
import {
  datesOf,
  datesWords,
  findDrifts,
  storedDates,
  type StoredDay,
  type WeekDrift,
} from './own-weeks.js';
import { studioToday } from './settings.js';

type WeekServices = Pick<DatabaseServices, 'database' | 'clock'>;

export interface StudioWeek {
  /** The seven days of every week, Monday first. */
  week: DayRow[];
  /** Days that count from one date to another and are not over, by their dates. */
  dated: DatedDayRow[];
  /** Live bookings from today on whose session is not in the week. */
  bookingsOutside: BookingRow[];
}

export async function readStudioWeek(context: WeekServices): Promise<StudioWeek> {
  return readWeekFrom(context.database, await studioToday(context));
}

async function readWeekFrom(database: Kysely<Database>, today: string): Promise<StudioWeek> {
  return {
    week: await readWeek(database),
    dated: await listDatedDays(database, null, today),
    bookingsOutside: await listLiveBookingsOutsideSessions(database, today),
  };
}

/** A change of some weekdays; omitted members stay. */
export interface WeekChange {
  weekdays: readonly number[];
  /** null: closed, without sessions. */
  hours?: { opens: string; closes: string } | null;
  sessions?: readonly TimeSlot[];
  /** Of days of dates: the days of every week count again. */
  asUsual?: boolean;
  /** Days as the caller saw them, which are changed only if they are still so. */
  seen?: readonly StoredDay[];
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
  | { outcome: 'changed' }
  /** It is not decided whether the own week of one of these artists changes, too. */
  | { outcome: 'undecided'; drifts: WeekDrift[] }
  | { outcome: 'refused'; problems: DayProblem[] };

/**
 * Changes opening hours and sessions of some weekdays, at once and with one entry in the audit; equal
 * days are not written. Existing bookings stay. `isAlsoTheirs`: whether an artist's own week changes,
 * too, with another entry; null if that is not decided. `dates`: the days count only from one date to the
 * other, and without a day of these dates, the change is one of the day of every week.
 */
export async function changeWeek(
  context: WeekServices,
  actor: string,
  change: WeekChange | readonly WeekChange[],
  isAlsoTheirs: IsAlsoTheirs = () => null,
  dates: WeekDates | null = null,
): Promise<ChangedWeek> {
  const changes = [change].flat();
  return context.database.transaction().execute(async (transaction) => {
    // The weeks of artists change under this lock, which is always taken before the studio's row.
    await lockSlots(transaction);
    const { timezone } = await lockStudio(transaction);
    const today = todayInZone(timezone, context.clock.now());
    const { week, dated } = await readWeekFrom(transaction, today);
    const stored: readonly StoredDay[] = dates === null ? week : dated.filter(isOfDates(dates));
    const named = week.flatMap((ordinary) => {
      const { weekday } = ordinary;
      const ofDay = changes.filter(({ weekdays }) => weekdays.includes(weekday));
      const own = stored.find((day) => day.weekday === weekday);
      const isRemoved = dates !== null && ofDay.some(isRemoval);
      const isLeft = ofDay.length === 0 || !occursIn(weekday, dates);
      if (isLeft || (isRemoved && own === undefined)) return [];
      const before = own ?? ordinary;
      const after = isRemoved ? ordinary : ofDay.reduce(changeDay, before);
      const isWritten = !isRemoved && (own === undefined || !isSameDay(own, after));
      return [{ before, after, isRemoved, isWritten }];
    });
    const written = named.filter(({ isWritten }) => isWritten);
    const removed = named.filter(({ isRemoved }) => isRemoved);
    const seen = changes.flatMap(({ seen: days = [] }) => days);
    const isOvertaken = [...written, ...removed].some(({ before }) =>
      seen.some((day) => day.weekday === before.weekday && !isSameDay(day, before)),
    );
    if (isOvertaken) return { outcome: 'changed' };
    const days = written.map(({ after }) => after);
    const setDays = named.filter(({ isRemoved }) => !isRemoved).map(({ after }) => after);
    const problems = [
      ...(dates === null || changes.every(isRemoval)
        ? []
        : findDatesProblems(dates, today, setDays, dated)),
      ...days.map(findDayProblem),
    ].filter((found) => found !== null);
    if (problems.length > 0) return { outcome: 'refused', problems };
    const artistsThere = (await listArtists(transaction)).filter(
      ({ last_day }) => last_day === null || last_day >= today,
    );
    const drifts = findDrifts(artistsThere, named, dates);
    if (drifts.some((drift) => isAlsoTheirs(drift) === null)) {
      return { outcome: 'undecided', drifts };
    }
    const followers = drifts.filter(isAlsoTheirs);
    const isChange = days.length + removed.length > 0;
    const action = isChange && days.length === 0 ? 'hours remove' : 'hours set';
    for (const { before } of removed) await deleteDay(transaction, null, before.weekday, dates);
    for (const day of days) await replaceDay(transaction, { ...day, ...datesOf(dates) });
    if (isChange) {
      const usual = removed.map(({ before }) => weekdayName(before.weekday));
      await recordAudit(transaction, actor, action, {
        ...(days.length > 0 && { days }),
        ...(usual.length > 0 && { as_usual: usual }),
        ...datesOf(dates),
      });
    }
    for (const { artist, replaced } of followers) {
      for (const { weekday, ...day } of replaced.flatMap(({ before }) => before ?? [])) {
        await deleteDay(transaction, artist.id, weekday, storedDates(day));
      }
      const changed = replaced.flatMap(({ after }) => after);
      for (const day of changed) await replaceDay(transaction, day, artist.id);
      const details = { artist: artist.slug, days: changed };
      await recordAudit(transaction, actor, 'artists hours', details);
    }
    if (isChange || followers.length > 0) await recordCalendarChange(transaction, action);
    const artists = followers.map(({ artist }) => artist);
    return { outcome: 'saved', artists, ...(await readWeekFrom(transaction, today)) };
  });
}

function isRemoval({ asUsual = false }: WeekChange): boolean {
  return asUsual;
}

export function isOfDates({ from, to }: WeekDates) {
  return (day: DatedDayRow): boolean => day.from_date === from && day.to_date === to;
}

/** Whether a weekday is among the dates. */
export function occursIn(weekday: number, dates: WeekDates | null): boolean {
  if (dates === null || daysBetween(dates.from, dates.to) >= 6) return true;
  return (weekday - weekdayOf(dates.from) + 7) % 7 <= daysBetween(dates.from, dates.to);
}

/** What is wrong with the dates of days that `present` ones must not overlap. */
export function findDatesProblems(
  { from, to }: WeekDates,
  today: string,
  days: readonly Pick<DayRow, 'weekday'>[],
  present: readonly DatedDayRow[],
): DayProblem[] {
  const [{ weekday } = { weekday: 1 }] = days;
  if (to < from) return [{ weekday, problem: `${to} is before ${from}.` }];
  if (to < today) return [{ weekday, problem: `${to} is in the past.` }];
  // Those that are over are not among the present ones.
  if (from < today && !present.some(isOfDates({ from, to }))) {
    return [{ weekday, problem: `${from} is in the past: begin today.` }];
  }
  if (days.length === 0) return [{ weekday, problem: 'None of these days is among the dates.' }];
  const others = present.filter((day) => !isOfDates({ from, to })(day));
  return days.flatMap((day) => {
    const other = others.find(
      (each) => each.weekday === day.weekday && each.from_date <= to && from <= each.to_date,
    );
    if (other === undefined) return [];
    const dates = datesWords({ from: other.from_date, to: other.to_date });
    const problem = `${weekdayName(day.weekday)} has another week ${dates}: change or remove that one.`;
    return [{ weekday: day.weekday, problem }];
  });
}

function changeDay(day: StoredDay, { hours, sessions = day.sessions }: WeekChange): StoredDay {
  if (hours === null) return { ...day, opens: null, closes: null, sessions: [] };
  return { ...day, ...hours, sessions: timeSlots.filter((slot) => sessions.includes(slot)) };
}

/** Whether two days have the same hours and sessions, which are in the order of the day. */
function isSameDay(one: DayRow, other: DayRow): boolean {
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
