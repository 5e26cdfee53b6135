import type { WatchedCalendar } from '../domain/watched-calendars.js';
import { calendarProblems } from '../icalendar/calendar-reader.js';
import { count, facts, localTime, shortId, table } from './text.js';

/** A watched calendar for `--json`. */
export function watchData(calendar: WatchedCalendar): Record<string, unknown> {
  return {
    id: calendar.id,
    label: calendar.label,
    host: calendar.host,
    created_at: calendar.created_at,
    read_at: calendar.read_at,
    busy_intervals: calendar.busyIntervals,
    failing_since: calendar.failing_since,
    last_error: calendar.last_error,
    last_status_code: calendar.last_status_code,
    empty_since: calendar.empty_since,
    unreadable: calendar.unreadable,
    problem: problemOf(calendar),
  };
}

export function watchTable(calendars: readonly WatchedCalendar[], timezone: string): string[] {
  return table(
    ['ID', 'LABEL', 'HOST', 'READ', 'BUSY', 'FAILING SINCE', 'PROBLEM'],
    calendars.map((calendar) => [
      shortId(calendar.id),
      calendar.label,
      calendar.host,
      calendar.read_at === null ? 'never' : localTime(calendar.read_at, timezone),
      String(calendar.busyIntervals),
      calendar.failing_since === null ? '' : localTime(calendar.failing_since, timezone),
      problemOf(calendar) ?? '',
    ]),
  );
}

/** What came of a fetch. */
export function fetchText(calendar: WatchedCalendar, timezone: string): string[] {
  const { read_at: readAt, busyIntervals } = calendar;
  return facts([
    ['Calendar', `${calendar.label} at ${calendar.host} (${shortId(calendar.id)})`],
    ['Read', readAt === null ? 'never' : localTime(readAt, timezone)],
    ['Busy', count(busyIntervals, 'interval')],
    ['Problem', problemOf(calendar)],
  ]);
}

function problemOf(calendar: WatchedCalendar): string | null {
  const problems = calendarProblems(calendar);
  return problems.length === 0 ? null : problems.join(' ');
}
