import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  addWatchedCalendar,
  fetchWatchedCalendar,
  removeWatchedCalendar,
} from '../../domain/watched-calendars.js';
import { button, type PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { calendarsPath, watchedPath } from '../links.js';
import { idInPath } from '../pages.js';
import { pathWith } from '../paging.js';
import { actorOf } from '../session.js';
import type { ShowCalendars } from './calendars-page.js';
import { checkWatch, type RefusedWatch, watchSchema } from './watched.js';

const mistaken = 'No calendar was added. What is wrong is marked below.';
const alreadyStopped = 'Nothing was done: the calendar is no longer watched.';

/** `/console/calendars/watched`: calendars elsewhere that close sessions while they are busy. */
export function registerWatched(
  scope: PageScope,
  context: DomainServices,
  show: ShowCalendars,
): void {
  scope.post(watchedPath, { schema: watchSchema }, async (request, reply) => {
    const { address, label } = request.body;
    const typed = { ...request.body, address: address.trim(), label: label.trim() };
    const { watch, mistakes } = checkWatch(typed);
    if (watch === null) return refuse({ typed, mistakes });
    const added = await addWatchedCalendar(context, actorOf(request), watch);
    switch (added.outcome) {
      case 'added':
        return seeOther(reply, linkAfter('watched', added.calendar.id));
      case 'exists': {
        const trouble = `Nothing was added: this calendar is watched already, as ${added.calendar.label}.`;
        return show(request, reply, { outcome: { status: 409, trouble } });
      }
      case 'unreadable':
        return refuse({ typed, mistakes: { address: added.message }, isUnreadable: true });
      case 'refused':
        return added.field === null
          ? refuse({ typed, mistakes: {} }, added.message)
          : refuse({ typed, mistakes: { [added.field]: added.message } });
    }

    function refuse(refusedWatch: RefusedWatch, trouble = mistaken): Promise<FastifyReply> {
      return show(request, reply, { outcome: { status: 400, trouble }, refusedWatch });
    }
  });

  const ofOne = { schema: { ...idInPath, ...button } };
  scope.post(`${watchedPath}/:id/read`, ofOne, async (request, reply) => {
    const calendar = await fetchWatchedCalendar(context, request.params.id);
    if (calendar !== null) return seeOther(reply, linkAfter('read', calendar.id));
    return show(request, reply, { outcome: { status: 409, trouble: alreadyStopped } });
  });

  // Removing twice leaves what removing once does.
  scope.post(`${watchedPath}/:id/remove`, ofOne, async (request, reply) => {
    await removeWatchedCalendar(context, actorOf(request), request.params.id);
    return seeOther(reply, `${calendarsPath}?done=stopped`);
  });
}

/** The page after a calendar was fetched, which says what was found. */
function linkAfter(done: 'watched' | 'read', calendar: string): string {
  return pathWith(calendarsPath, { done, calendar });
}
