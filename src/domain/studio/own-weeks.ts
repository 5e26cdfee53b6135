import type { TimeSlot } from '../../../generated/schemas.js';
import type { DatedDayRow, DayRow, WeekDates } from '../../database/rows/results.js';
import type { ArtistRecord } from '../../repositories/artists.js';
import { addDays, weekdayName } from '../../schedule/dates.js';
import { startsWithin } from '../../schedule/slots.js';

type DatesOfDay = Partial<Pick<DatedDayRow, 'from_date' | 'to_date'>>;

/** A stored day; without dates, of every week. */
export type StoredDay = DayRow & DatesOfDay;

/** The sessions of a weekday (1: Monday), perhaps only from one date to another. */
export interface DaySessions extends DatesOfDay {
  weekday: number;
  sessions: readonly TimeSlot[];
}

/** A stored day that is replaced (null: none) by others. */
export interface ReplacedDay {
  before: StoredDay | null;
  after: StoredDay[];
}

/** An artist whose own days do not fit a change of the studio's. */
export interface WeekDrift {
  artist: ArtistRecord;
  /** Names the artist and the sessions. */
  sentence: string;
  /** What changes of their days if they change, too. */
  replaced: ReplacedDay[];
}

/** A change of one of the studio's weekdays. */
export interface DayChange {
  before: DayRow;
  after: DayRow;
  /** Whether the day of these dates goes, so that the days of every week count again. */
  isRemoved: boolean;
}

/** What does not fit of an artist's own day, and what changes if it follows the studio. */
interface Drift {
  stale: DaySessions;
  opened: DaySessions;
  replaced: ReplacedDay;
}

/**
 * The artists whose own days have sessions that the studio drops or is closed at, or none on a day that
 * the studio opens. Hidden ones do not count. `dates`: of the change; null: it is of every week.
 */
export function findDrifts(
  artists: readonly ArtistRecord[],
  changes: readonly DayChange[],
  dates: WeekDates | null = null,
): WeekDrift[] {
  return artists.flatMap((artist) => {
    if (artist.hidden_at !== null) return [];
    const own: StoredDay[] = [...(artist.week ?? []), ...artist.dated];
    const drifts = changes.flatMap((change) => driftsOf(own, change, dates));
    const has = sessionDays(drifts.map(({ stale }) => stale));
    const lacks = sessionDays(drifts.map(({ opened }) => opened));
    if (has === '' && lacks === '') return [];
    const what = [has && `still has ${has}`, lacks && `does not have ${lacks}`].filter(Boolean);
    const sentence = `${artist.name || 'The artist'}’s own week ${what.join(', and ')}.`;
    return [{ artist, sentence, replaced: drifts.map(({ replaced }) => replaced) }];
  });
}

function driftsOf(
  own: readonly StoredDay[],
  { before, after, isRemoved }: DayChange,
  dates: WeekDates | null,
): Drift[] {
  const { weekday } = after;
  const ofWeekday = own.filter((day) => day.weekday === weekday);
  const ordinary = ofWeekday.find((day) => storedDates(day) === null);
  const parts =
    dates === null ? ofWeekday.map((day) => ({ day, dates })) : partsWithin(ofWeekday, dates);
  return parts.flatMap(({ day, dates: part }) => {
    const stored = storedDates(day);
    const stale = day.sessions.filter(
      (slot) =>
        !after.sessions.includes(slot) &&
        (before.sessions.includes(slot) || !isOpenAt(after, slot)),
    );
    const isEmpty = before.opens === null && day.sessions.length === 0;
    // With the studio's dates, those that the artist closed for them go, too.
    const usual = isRemoved
      ? stored === null
        ? []
        : (ordinary ?? after).sessions
      : after.sessions;
    const opened = isEmpty && (dates !== null || stored === null) ? usual : [];
    if (stale.length + opened.length === 0) return [];
    const of = { weekday, ...datesOf(part ?? stored) };
    const sessions = [...day.sessions.filter((slot) => !stale.includes(slot)), ...opened];
    const changed = { ...day, sessions, ...(opened.length > 0 && { opens: null, closes: null }) };
    return [
      {
        stale: { ...of, sessions: stale },
        opened: { ...of, sessions: opened },
        replaced: replacedBy(day, isRemoved && opened.length > 0 ? null : changed, part),
      },
    ];
  });
}

/** Which of an artist's days of one weekday count from one date to another, and for which dates of it. */
function partsWithin(own: readonly StoredDay[], { from, to }: WeekDates) {
  const parts: { day: StoredDay; dates: WeekDates }[] = [];
  const ordinary = own.find((day) => storedDates(day) === null);
  let next = from;
  const fillUntil = (end: string) => {
    if (ordinary && next <= end) parts.push({ day: ordinary, dates: { from: next, to: end } });
  };
  for (const day of own) {
    const dates = storedDates(day);
    if (dates === null || dates.from > to || dates.to < from) continue;
    const part = {
      from: dates.from > from ? dates.from : from,
      to: dates.to < to ? dates.to : to,
    };
    fillUntil(addDays(part.from, -1));
    parts.push({ day, dates: part });
    next = addDays(part.to, 1);
  }
  fillUntil(to);
  return parts;
}

/**
 * The day with a change (null: it goes) that counts for part of its dates (null: all); outside of it, the
 * day stays.
 */
function replacedBy(
  day: StoredDay,
  changed: StoredDay | null,
  dates: WeekDates | null,
): ReplacedDay {
  const changes = changed === null ? [] : [{ ...changed, ...datesOf(dates) }];
  if (dates === null) return { before: day, after: changes };
  const stored = storedDates(day);
  if (stored === null) return { before: null, after: changes };
  const rest = [
    { from: stored.from, to: addDays(dates.from, -1) },
    { from: addDays(dates.to, 1), to: stored.to },
  ].filter(({ from, to }) => from <= to);
  return {
    before: day,
    after: [...changes, ...rest.map((each) => ({ ...day, ...datesOf(each) }))],
  };
}

/** The dates of a day; null: of every week. */
export function storedDates({ from_date: from, to_date: to }: DatesOfDay) {
  return from == null || to == null ? null : { from, to };
}

/** The days that count for an artist in every week: their own, else the studio's. */
export function countingWeek(
  studioWeek: readonly DayRow[],
  { week }: Pick<ArtistRecord, 'week'>,
): (DayRow & { isOwn: boolean })[] {
  return studioWeek.map((studios) => {
    const own = week?.find(({ weekday }) => weekday === studios.weekday);
    return { ...(own ?? studios), isOwn: own !== undefined };
  });
}

/** The weekdays of an artist's own days that equal the studio's. */
export function daysAsStudio(week: readonly DayRow[], { week: own }: ArtistRecord): number[] {
  return (own ?? []).flatMap(({ weekday, opens, closes, sessions }) => {
    const studios = week.find((day) => day.weekday === weekday);
    const hasHours = opens === null || (opens === studios?.opens && closes === studios.closes);
    return hasHours && sessions.join() === studios?.sessions.join() ? [weekday] : [];
  });
}

/** Dates as columns; none of every week. */
export function datesOf(dates: WeekDates | null) {
  return dates === null ? {} : { from_date: dates.from, to_date: dates.to };
}

/**
 * The new sessions of an artist's changed days at which the studio, by its days of every week and of dates,
 * is closed. `own`: their days so far; on the others they worked as the studio does.
 */
export function closedSessions(
  studioDays: readonly StoredDay[],
  own: readonly DaySessions[] | null,
  after: readonly DaySessions[],
  dates: WeekDates | null = null,
): DaySessions[] {
  return studioDays.flatMap((day) => {
    const stored = storedDates(day);
    const isThen =
      dates === null || stored === null || (stored.from <= dates.to && dates.from <= stored.to);
    const before = own?.find(({ weekday }) => weekday === day.weekday) ?? day;
    const sessions = sessionsOn(after, day.weekday).filter(
      (slot) => !isOpenAt(day, slot) && !before.sessions.includes(slot),
    );
    return isThen ? [{ weekday: day.weekday, ...datesOf(stored), sessions }] : [];
  });
}

function sessionsOn(week: readonly DaySessions[], weekday: number): readonly TimeSlot[] {
  return week.find((day) => day.weekday === weekday)?.sessions ?? [];
}

function isOpenAt({ opens, closes }: DayRow, timeSlot: TimeSlot): boolean {
  return opens !== null && closes !== null && startsWithin(timeSlot, opens, closes);
}

/**
 * The days that have sessions: `Monday, Tuesday (9:00 AM, 1:00 PM); Friday (1:00 PM) from 2026-12-01 to
 * 2026-12-31`. Empty if none has.
 */
export function sessionDays(week: readonly DaySessions[]): string {
  const days = new Map<string, string[]>();
  for (const day of week.filter(({ sessions }) => sessions.length > 0)) {
    const dates = storedDates(day);
    const when = dates === null ? '' : ` ${datesWords(dates)}`;
    const times = `(${day.sessions.join(', ')})${when}`;
    days.set(times, [...(days.get(times) ?? []), weekdayName(day.weekday)]);
  }
  return [...days].map(([times, names]) => `${names.join(', ')} ${times}`).join('; ');
}

/** `from 2026-12-01 to 2026-12-31`, `on 2026-12-24`. */
export function datesWords({ from, to }: WeekDates): string {
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}
