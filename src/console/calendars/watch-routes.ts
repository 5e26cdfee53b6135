import type { FastifyInstance, FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  addWatchedCalendar,
  fetchWatchedCalendar,
  type NewWatch,
  removeWatchedCalendar,
} from '../../domain/watched-calendars.js';
import { type Fields, readText } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import { pathWith } from '../paging.js';
import { actorOf } from '../session.js';
import { withId } from '../pages.js';
import { calendarsPath, watchedPath } from '../links.js';
import type { ShowCalendars } from './calendars-page.js';
import { calendarLabelHint, parseCalendarLabel } from '../../domain/calendar-feeds.js';

interface WatchRoute {
  Params: { id: string };
  Body: Fields | undefined;
}

const mistaken = 'No calendar was added. What is wrong is marked below.';
const alreadyStopped = 'Nothing was done: the calendar is no longer watched.';

/** `/console/calendars/watched`: calendars elsewhere that close sessions while they are busy. */
export function registerWatched(
  scope: FastifyInstance,
  context: DomainServices,
  show: ShowCalendars,
): void {
  scope.post<WatchRoute>(watchedPath, async (request, reply) => {
    const typed = readWatchForm(request.body ?? {});
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
      case 'refused':
        return added.field === null
          ? refuse({ typed, mistakes: {} }, added.message)
          : refuse({ typed, mistakes: { [added.field]: added.message } });
    }

    function refuse(refusedWatch: RefusedWatch, trouble = mistaken): Promise<FastifyReply> {
      return show(request, reply, { outcome: { status: 400, trouble }, refusedWatch });
    }
  });

  scope.post<WatchRoute>(`${watchedPath}/:id/read`, withId, async (request, reply) => {
    const calendar = await fetchWatchedCalendar(context, request.params.id);
    if (calendar !== null) return seeOther(reply, linkAfter('read', calendar.id));
    return show(request, reply, { outcome: { status: 409, trouble: alreadyStopped } });
  });

  // Removing twice leaves what removing once does.
  scope.post<WatchRoute>(`${watchedPath}/:id/remove`, withId, async (request, reply) => {
    await removeWatchedCalendar(context, actorOf(request), request.params.id);
    return seeOther(reply, `${calendarsPath}?done=stopped`);
  });
}

/** The page after a calendar was fetched, which says what was found. */
function linkAfter(done: 'watched' | 'read', calendar: string): string {
  return pathWith(calendarsPath, { done, calendar });
}

/** The form as it was typed. */
export interface TypedWatch {
  /** A secret: only in the response to the form that it came with. */
  address: string;
  label: string;
}

export type WatchMistakes = Partial<Record<keyof TypedWatch, string>>;

/** A form that was refused. */
export interface RefusedWatch {
  typed: TypedWatch;
  mistakes: WatchMistakes;
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readWatchForm({ address, label }: Fields): TypedWatch {
  return { address: readText(address), label: readText(label) };
}

/** What is to be watched; null if something is wrong with it. Only the domain checks the address. */
export function checkWatch({ address, label }: TypedWatch): {
  watch: NewWatch | null;
  mistakes: WatchMistakes;
} {
  if (address === '') {
    return { watch: null, mistakes: { address: 'Give the address of a calendar.' } };
  }
  if (label === '') return { watch: { address, label: null }, mistakes: {} };
  const parsed = parseCalendarLabel(label);
  return parsed === null
    ? { watch: null, mistakes: { label: calendarLabelHint } }
    : { watch: { address, label: parsed }, mistakes: {} };
}
