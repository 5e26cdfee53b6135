import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { listCalendarFeeds } from '../../domain/calendar-feeds.js';
import { type BookingConflict, listConflicts } from '../../domain/conflicts.js';
import type { DomainServices } from '../../domain/deps.js';
import { listWatchedCalendars, type WatchedCalendar } from '../../domain/watched-calendars.js';
import { sessionOf } from '../../schedule/words.js';
import { personName } from '../bookings/words.js';
import { linkToBooking } from '../links.js';
import { momentFormat, shortDate } from '../moment.js';
import type { Outcome, ShowPage } from '../pages.js';
import { Hours } from '../session-hours.js';
import { Feeds, type FeedsProps, NewAddress, type ShownAddress } from './feeds.js';
import { Watched, type WatchedProps } from './watched.js';
import { busyCalendars } from './words.js';

export interface CalendarsPageProps
  extends Omit<FeedsProps, 'refused'>, Omit<WatchedProps, 'refused'> {
  conflicts: readonly BookingConflict[];
  refusedFeed: FeedsProps['refused'];
  refusedWatch: WatchedProps['refused'];
  /** Null but in the response to a form that made it. */
  newAddress: ShownAddress | null;
}

/** Conflicts, the calendars that close sessions here, and the addresses that show the bookings elsewhere. */
function CalendarsPage(props: CalendarsPageProps): VNode {
  const { conflicts, calendars, feeds, refusedFeed, refusedWatch, newAddress, format } = props;
  return (
    <>
      {newAddress !== null && <NewAddress {...newAddress} />}
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} />}
      <Watched calendars={calendars} refused={refusedWatch} format={format} />
      <Feeds feeds={feeds} refused={refusedFeed} format={format} />
    </>
  );
}

export interface ShownCalendars extends Partial<
  Pick<CalendarsPageProps, 'refusedFeed' | 'refusedWatch' | 'newAddress'>
> {
  /** What the page says after a request; a function where that depends on the calendars. */
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

/** The confirmed sessions that a watched calendar is busy during, or of another time zone. */
function Conflicts({ conflicts }: { conflicts: readonly BookingConflict[] }): VNode {
  return (
    <section aria-labelledby="conflicts">
      <h2 id="conflicts">Conflicts</h2>
      <p class="muted">
        A watched calendar is busy during these sessions, which are booked, or they were booked in
        another time zone. The bookings stay: move or cancel them, or change the event.
      </p>
      <ul class="rows conflicts">
        {conflicts.map((conflict) => (
          <ConflictRow key={conflict.booking.id} conflict={conflict} />
        ))}
      </ul>
    </section>
  );
}

function ConflictRow({ conflict }: { conflict: BookingConflict }): VNode {
  const { id, name, date } = conflict.booking;
  return (
    <li>
      <p>
        {shortDate(date)}, <Hours of={sessionOf(conflict.booking)} />
      </p>
      <p>
        <a href={linkToBooking(id)}>
          <bdi>{personName({ name })}</bdi>
        </a>
      </p>
      <ul>
        {conflict.isInOtherZone && (
          <li>
            <span class="warned">on the clock of {conflict.booking.timezone}</span>
          </li>
        )}
        {busyCalendars(conflict).map(({ calendarId, label, times }) => (
          <li key={calendarId}>
            <bdi>{label}</bdi> <span class="warned">busy {times}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** `Your calendar is busy then: Phone, 2 – 4 PM`; or that the time is on another clock. */
export function ConflictFact({ conflict }: { conflict: BookingConflict }): VNode {
  const { booking, busy, isInOtherZone } = conflict;
  const zone = isInOtherZone && `The time is on the clock of ${booking.timezone}. `;
  if (busy.length === 0) return <span class="warned">{zone}</span>;
  return (
    <span class="warned">
      {zone}Your calendar is busy then:{' '}
      {busyCalendars(conflict).map(({ calendarId, label, times }, index) => (
        <span key={calendarId}>
          {index > 0 && '; '}
          <bdi>{label}</bdi>, {times}
        </span>
      ))}
    </span>
  );
}
