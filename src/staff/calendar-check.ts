import { listWatchedCalendars } from '../domain/watched-calendars.js';
import { calendarErrorWords } from '../icalendar/calendar-reader.js';
import type { Finding } from './failure.js';
import type { Session } from './session.js';
import { count } from './text.js';

/** Warns of watched calendars that could not be read for two hours, and of those that nobody reads. */
export async function checkCalendars({ services }: Session): Promise<Finding> {
  const calendars = await listWatchedCalendars(services);
  const overdue = calendars.filter(({ isOverdue }) => isOverdue);
  const problems = [
    ...calendars.flatMap(({ label, isFailing, last_error, last_status_code }) =>
      isFailing && last_error !== null
        ? [
            `${label} could not be read for two hours: ${calendarErrorWords(last_error, last_status_code)}`,
          ]
        : [],
    ),
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
      : `${count(calendars.length, 'watched calendar')}, none failing for two hours.`;
  return { status: 'ok', message };
}
