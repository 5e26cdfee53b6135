import type { FastifyReply, FastifyRequest } from 'fastify';
import { listCalendarFeeds } from '../../domain/calendar-feeds.js';
import { listConflicts } from '../../domain/conflicts.js';
import type { DomainServices } from '../../domain/deps.js';
import { listWatchedCalendars, type WatchedCalendar } from '../../domain/watched-calendars.js';
import { momentFormat } from '../moment.js';
import type { Outcome, ShowPage } from '../pages.js';
import { CalendarsPage, type CalendarsPageProps } from './calendars-page.js';

export interface ShownCalendars extends Partial<
  Pick<CalendarsPageProps, 'refusedFeed' | 'refusedWatch' | 'newAddress'>
> {
  /** What became of the request; a function where that depends on the calendars. */
  outcome?: Outcome | ((calendars: readonly WatchedCalendar[]) => Outcome);
}

/** Sends the page of the calendars as they are now. */
export type ShowCalendars = (
  request: FastifyRequest,
  reply: FastifyReply,
  shown: ShownCalendars,
) => Promise<FastifyReply>;

export function createCalendarPages(context: DomainServices, showPage: ShowPage): ShowCalendars {
  return async (request, reply, { outcome = {}, ...shown }) => {
    const [{ studio }, conflicts, calendars, feeds] = await Promise.all([
      context.board.read(),
      listConflicts(context),
      listWatchedCalendars(context),
      listCalendarFeeds(context),
    ]);
    return showPage(request, reply, {
      ...(typeof outcome === 'function' ? outcome(calendars) : outcome),
      section: 'calendars',
      title: 'Calendars',
      children: CalendarsPage({
        conflicts,
        calendars,
        feeds,
        refusedFeed: shown.refusedFeed ?? null,
        refusedWatch: shown.refusedWatch ?? null,
        newAddress: shown.newAddress ?? null,
        format: momentFormat(studio.timezone, context.clock.now()),
      }),
    });
  };
}
