import type { VNode } from 'preact';
import type { BookingConflict } from '../../domain/studio/conflicts.js';
import { sessionOf } from '../../schedule/times.js';
import { CalendarLabel } from '../artist-choice.js';
import { PersonLink } from '../bookings/words.js';
import { ShortDayAndHours } from '../moment.js';
import { Feeds, type FeedsProps, NewAddress, type ShownAddress } from './feeds.js';
import { Watched, type WatchedProps } from './watched.js';
import { busyCalendars } from './words.js';

export interface CalendarsPageProps extends Omit<FeedsProps, 'refused'> {
  /** Null for an artist. */
  calendars: WatchedProps['calendars'] | null;
  conflicts: readonly BookingConflict[];
  refusedFeed: FeedsProps['refused'];
  refusedWatch: WatchedProps['refused'];
  /** The new address: null but in the response to its form. */
  newAddress: ShownAddress | null;
}

/** Conflicts, the calendars that close sessions here, and the addresses that show the bookings elsewhere. */
export function CalendarsPage(props: CalendarsPageProps): VNode {
  const { conflicts, calendars, feeds, refusedFeed, refusedWatch, newAddress } = props;
  return (
    <>
      {newAddress !== null && <NewAddress {...newAddress} />}
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} />}
      {calendars !== null && <Watched calendars={calendars} refused={refusedWatch} />}
      <Feeds feeds={feeds} refused={refusedFeed} />
    </>
  );
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
  return (
    <li>
      <p>
        <ShortDayAndHours of={sessionOf(conflict.booking)} />
      </p>
      <p>
        <PersonLink booking={conflict.booking} />
      </p>
      <ul>
        {conflict.isInOtherZone && (
          <li>
            <span class="warned">on the clock of {conflict.booking.timezone}</span>
          </li>
        )}
        {busyCalendars(conflict).map((calendar) => (
          <li key={calendar.calendarId}>
            <CalendarLabel of={calendar} /> <span class="warned">busy {calendar.times}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** A conflict: `Your calendar is busy then: Phone, 2 – 4 PM`; or that the time is on another clock. */
export function ConflictFact({ conflict }: { conflict: BookingConflict }): VNode {
  const { booking, busy, isInOtherZone } = conflict;
  const zone = isInOtherZone && `The time is on the clock of ${booking.timezone}. `;
  if (busy.length === 0) return <span class="warned">{zone}</span>;
  return (
    <span class="warned">
      {zone}Your calendar is busy then:{' '}
      {busyCalendars(conflict).map((calendar, index) => (
        <span key={calendar.calendarId}>
          {index > 0 && '; '}
          <CalendarLabel of={calendar} />, {calendar.times}
        </span>
      ))}
    </span>
  );
}
