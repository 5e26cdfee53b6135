import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  addCalendarFeed,
  feedPath,
  type IssuedFeed,
  listCalendarFeeds,
  removeCalendarFeed,
  rotateCalendarFeed,
} from '../../domain/studio/calendar-feeds.js';
import { listConflicts } from '../../domain/studio/conflicts.js';
import {
  addWatchedCalendar,
  fetchWatchedCalendar,
  listWatchedCalendars,
  removeWatchedCalendar,
  type WatchedCalendar,
} from '../../domain/studio/watched-calendars.js';
import { calendarErrorWords } from '../../icalendar/calendar-reader.js';
import { button, form, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { findArtist } from '../artist-choice.js';
import { idInPath, type Outcome } from '../console-page.js';
import { calendarsPath, feedsPath, pathWith, watchedPath } from '../links.js';
import { actorOf } from '../session.js';
import { CalendarsPage, type CalendarsPageProps } from './calendars-page.js';
import type { ShownAddress } from './feeds.js';
import { checkWatch, type RefusedWatch, watchSchema } from './watched.js';
import { busyCountWords } from './words.js';

const feedSchema = form({ label: text, artist: Type.Optional(text), details: Type.Optional(text) });

const messages = {
  removed: 'Removed. The address has stopped.',
  stopped: 'No longer watched. Sessions that only this calendar closed can be booked again.',
};
const noAddress = 'No address was made. What is wrong is marked below.';
const alreadyRemoved = 'Nothing was done: the address had been removed before.';
const noCalendar = 'No calendar was added. What is wrong is marked below.';
const alreadyStopped = 'Nothing was done: the calendar is no longer watched.';

/** A watched calendar closes sessions: only the owner has them. */
const ofOwner = { config: { concerns: 'owner' } } as const;

type ShownCalendars = Outcome &
  Partial<Pick<CalendarsPageProps, 'refusedFeed' | 'refusedWatch' | 'newAddress'>> & {
    /** The calendar that was just fetched. */
    fetched?: { id: string | undefined; isNew: boolean };
  };

/**
 * `/console/calendars`: feeds of the bookings, and watched calendars that close sessions. A new address
 * is only in the response to its form: a redirect would put it into the console's own address.
 */
export function registerCalendars(scope: PageScope, context: DomainServices): void {
  const shown = { schema: query({ done: text, calendar: text }) };
  scope.get(calendarsPath, shown, ({ query: { done, calendar: id } }, reply) =>
    show(reply, { fetched: { id, isNew: done === 'watched' } }),
  );
  // A new address and a refused form are shown at the address of their form, which may be opened again.
  for (const [path, opened] of [
    [feedsPath, {}],
    [watchedPath, ofOwner],
    [`${feedsPath}/:id/rotate`, { schema: idInPath }],
    [`${watchedPath}/:id/read`, { ...ofOwner, schema: idInPath }],
  ] as const) {
    scope.get(path, opened, (_request, reply) => seeOther(reply, calendarsPath));
  }

  scope.post(feedsPath, { schema: feedSchema }, async (request, reply) => {
    const { label, artist, details } = request.body;
    const artistId = (await findArtist(context, request, artist))?.id ?? null;
    const typed = { label: label.trim(), hasDetails: details === 'yes', artist };
    const added = await addCalendarFeed(context, actorOf(request), { ...typed, artistId });
    if (added.outcome === 'refused') {
      const { field, message } = added;
      const [mistake, trouble] = field === null ? [null, message] : [message, noAddress];
      return show(reply, { status: 400, trouble, refusedFeed: { typed, mistake } });
    }
    return show(reply, { done: 'The address is made.', newAddress: shownAddress(added.issued) });
  });

  const ofOne = { schema: { ...idInPath, ...button } };
  scope.post(`${feedsPath}/:id/rotate`, ofOne, async (request, reply) => {
    const issued = await rotateCalendarFeed(context, actorOf(request), request.params.id);
    if (issued === null) return show(reply, { trouble: alreadyRemoved });
    const done = 'The address is replaced. The old one has stopped.';
    return show(reply, { done, newAddress: shownAddress(issued) });
  });

  // Removing is idempotent.
  scope.post(`${feedsPath}/:id/remove`, ofOne, async (request, reply) => {
    await removeCalendarFeed(context, actorOf(request), request.params.id);
    return seeOther(reply, `${calendarsPath}?done=removed`);
  });

  scope.post(watchedPath, { ...ofOwner, schema: watchSchema }, async (request, reply) => {
    const { address, label } = request.body;
    const typed = { ...request.body, address: address.trim(), label: label.trim() };
    const artistId = (await findArtist(context, request, typed.artist))?.id ?? null;
    const checked = checkWatch(typed);
    if ('mistakes' in checked) return refuse({ typed, ...checked });
    const added = await addWatchedCalendar(context, actorOf(request), {
      ...checked.watch,
      artistId,
    });
    switch (added.outcome) {
      case 'added':
        return seeOther(reply, linkAfter('watched', added.calendar.id));
      case 'exists': {
        const trouble = `Nothing was added: this calendar is watched already, as ${added.calendar.label}.`;
        return show(reply, { trouble });
      }
      case 'unreadable':
        return refuse({ typed, mistakes: { address: added.message }, isUnreadable: true });
      case 'refused':
        return added.field === null
          ? refuse({ typed, mistakes: {} }, added.message)
          : refuse({ typed, mistakes: { [added.field]: added.message } });
    }

    function refuse(refusedWatch: RefusedWatch, trouble = noCalendar): Promise<FastifyReply> {
      return show(reply, { status: 400, trouble, refusedWatch });
    }
  });

  const ofWatched = { ...ofOwner, ...ofOne };
  scope.post(`${watchedPath}/:id/read`, ofWatched, async (request, reply) => {
    const calendar = await fetchWatchedCalendar(context, request.params.id);
    if (calendar !== null) return seeOther(reply, linkAfter('read', calendar.id));
    return show(reply, { trouble: alreadyStopped });
  });

  // Removing is idempotent.
  scope.post(`${watchedPath}/:id/remove`, ofWatched, async (request, reply) => {
    await removeWatchedCalendar(context, actorOf(request), request.params.id);
    return seeOther(reply, `${calendarsPath}?done=stopped`);
  });

  function shownAddress({ feed, token }: IssuedFeed): ShownAddress {
    return { feed, url: `${context.config.publicBaseUrl}${feedPath(token)}` };
  }

  /** Sends the page of the calendars as they are now. */
  async function show(
    reply: FastifyReply,
    {
      refusedFeed = null,
      refusedWatch = null,
      newAddress = null,
      fetched,
      ...outcome
    }: ShownCalendars,
  ): Promise<FastifyReply> {
    const own = reply.request.consoleArtist;
    const isTheirs = (artistId: number | null) => own === null || own.id === artistId;
    const [conflicts, calendars, feeds] = await Promise.all([
      listConflicts(context),
      listWatchedCalendars(context),
      listCalendarFeeds(context),
    ]);
    const found = own === null ? calendars.find(({ id }) => id === fetched?.id) : undefined;
    return reply.showPage({
      ...(found === undefined ? outcome : fetchOutcome(found, fetched?.isNew === true)),
      section: 'calendars',
      title: 'Calendars',
      messages,
      children: CalendarsPage({
        conflicts: conflicts.filter(({ booking }) => isTheirs(booking.artist_id)),
        calendars: own === null ? calendars : null,
        feeds: feeds.filter(({ artist_id }) => isTheirs(artist_id)),
        refusedFeed,
        refusedWatch,
        newAddress,
      }),
    });
  }
}

/** The page after a calendar was fetched, which says what was found. */
function linkAfter(done: 'watched' | 'read', calendar: string): string {
  return pathWith(calendarsPath, { done, calendar });
}

/** What was found in a calendar, or why it could not be read. */
function fetchOutcome(calendar: WatchedCalendar, isNew: boolean): Outcome {
  const { label, read_at, last_error, last_status_code } = calendar;
  const watched = isNew ? `${label} is watched` : label;
  if (last_error !== null) {
    const why = calendarErrorWords(last_error, last_status_code);
    return { status: 200, trouble: `${watched}${isNew ? ', but' : ''} could not be read. ${why}` };
  }
  // Another process reads it for the first time.
  if (read_at === null) return { done: `${watched}${isNew ? ' and' : ''} is being read.` };
  return { done: `${watched}${isNew ? ' and' : ''} was read: ${busyCountWords(calendar)}.` };
}
