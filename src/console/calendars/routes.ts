import type { DomainServices } from '../../domain/deps.js';
import type { WatchedCalendar } from '../../domain/watched-calendars.js';
import { calendarErrorWords } from '../../icalendar/calendar-reader.js';
import { type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { calendarsPath, feedsPath, watchedPath } from '../links.js';
import { doneMessage, idInPath, type Outcome, type ShowPage } from '../pages.js';
import { createCalendarPages } from './calendars-page.js';
import { registerFeeds } from './feed-routes.js';
import { registerWatched } from './watch-routes.js';
import { busyCountWords } from './words.js';

const doneMessages = {
  removed: 'Removed. The address has stopped.',
  stopped: 'No longer watched. Sessions that only this calendar closed can be booked again.',
} as const;

/** `/console/calendars`: the bookings in calendars elsewhere, and calendars elsewhere that close sessions. */
export function registerCalendars(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  const show = createCalendarPages(context, showPage);

  const shown = { schema: query({ done: text, calendar: text }) };
  scope.get(calendarsPath, shown, (request, reply) => {
    const { done, calendar } = request.query;
    return show(request, reply, {
      outcome: (calendars) => {
        const fetched = calendars.find(({ id }) => id === calendar);
        if (fetched === undefined) return { done: doneMessage(request, doneMessages) };
        return fetchOutcome(fetched, { isNew: done === 'watched' });
      },
    });
  });
  // A new address and a refused form are shown at the address of their form, which may be opened again.
  for (const path of [feedsPath, watchedPath]) {
    scope.get(path, (_request, reply) => seeOther(reply, calendarsPath));
  }
  for (const path of [`${feedsPath}/:id/rotate`, `${watchedPath}/:id/read`]) {
    scope.get(path, { schema: idInPath }, (_request, reply) => seeOther(reply, calendarsPath));
  }

  registerFeeds(scope, context, show);
  registerWatched(scope, context, show);
}

/** What was found in a calendar, or why it could not be read. */
function fetchOutcome(calendar: WatchedCalendar, { isNew }: { isNew: boolean }): Outcome {
  const { label, read_at, last_error, last_status_code } = calendar;
  const watched = isNew ? `${label} is watched` : label;
  if (last_error !== null) {
    const why = calendarErrorWords(last_error, last_status_code);
    return { trouble: `${watched}${isNew ? ', but' : ''} could not be read. ${why}` };
  }
  // Another process reads it for the first time.
  if (read_at === null) return { done: `${watched}${isNew ? ' and' : ''} is being read.` };
  return { done: `${watched}${isNew ? ' and' : ''} was read: ${busyCountWords(calendar)}.` };
}
