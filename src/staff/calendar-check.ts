import { listWatchedCalendars } from '../domain/watched-calendars.js';
import { calendarProblems } from '../icalendar/calendar-reader.js';
import type { Finding } from './failure.js';
import type { Session } from './session.js';
import { count } from './text.js';

/**
 * Warns of watched calendars that could not be read for two hours, ever, or in part, and of those that
 * nobody reads.
 */
export async function checkCalendars({ services }: Session): Promise<Finding> {
  const calendars = await listWatchedCalendars(services);
  const overdue = calendars.filter(({ isOverdue }) => isOverdue);
  const problems = [
    ...calendars.flatMap((calendar) => {
      const { label, isFailing, read_at, last_error } = calendar;
      // A failure that may pass is none yet.
      const isNew = last_error !== null && !isFailing && read_at !== null;
      const problems = calendarProblems(isNew ? { ...calendar, last_error: null } : calendar);
      const since = isFailing ? ' could not be read for two hours' : '';
      return problems.length === 0 ? [] : [`${label}${since}: ${problems.join(' ')}`];
    }),
    ...(overdue.length > 0
      ? [
          `Not fetched for 30 minutes: ${overdue.map(({ label }) => label).join(', ')}. Start a process with ROLE=all or ROLE=worker.`,
        ]
      : []),
  ];
  if (problems.length > 0) return { status: 'warning', message: problems.join(' ') };
  const message =
    calendars.length === 0
      ? 'No calendars are watched.'
      : `${count(calendars.length, 'watched calendar')}, all read.`;
  return { status: 'ok', message };
}
