import type { ComponentChildren, VNode } from 'preact';
import { mailtoUri } from '../../config/addresses.js';
import type { BookingRow } from '../../database/schema.js';
import type { BookingRecord } from '../../domain/booking-record.js';
import type { BookingConflict } from '../../domain/conflicts.js';
import type { StudioSlot } from '../../domain/studio-days.js';
import { isLive } from '../../schedule/slots.js';
import { sessionOf, zoneName } from '../../schedule/words.js';
import { ConflictFact } from '../calendars/calendars-page.js';
import { linkToBooking, undecidedPath } from '../links.js';
import { DayAndHours } from '../session-hours.js';
import { History, Mails } from './history.js';
import { Jobs, type TypedJob } from './jobs.js';
import { PhoneLink } from './mailed.js';
import { channelWords, closedDayWords, confirmedWords, personName, statusText } from './words.js';

export function bookingTitle({ booking }: BookingRecord): string {
  return personName(booking);
}

export interface BookingPageProps {
  record: BookingRecord;
  /** Null unless a watched calendar is busy during the session. */
  conflict: BookingConflict | null;
  /** Whether its day is closed, and the studio has not decided what becomes of it. */
  isUndecided: boolean;
  /** The slot that the studio has moved it from, while that is free. */
  former: StudioSlot | null;
  typed: TypedJob;
}

/** A booking with its person, what can be done with it, and what has happened to it. */
export function BookingPage({ record, former, typed, ...state }: BookingPageProps): VNode {
  return (
    <div class="record">
      <div>
        <Person record={record} {...state} />
        <Jobs record={record} former={former} typed={typed} />
        <Details record={record} />
        <OtherSessions record={record} />
      </div>
      <div class="past">
        <History record={record} />
        <Mails record={record} />
      </div>
    </div>
  );
}

/** A name and what is shown beside it; nothing where that is false or empty. */
type Fact = [name: string, value: ComponentChildren];

/** When it is, and how to reach the person. */
function Person({
  record: { booking, status },
  conflict,
  isUndecided,
}: Omit<BookingPageProps, 'former' | 'typed'>): VNode {
  const { phone, email, closed_day_choice } = booking;
  const facts: Fact[] = [
    ['When', <When key="when" booking={booking} />],
    ['Status', statusText(booking, status)],
    ['Conflict', conflict !== null && <ConflictFact key="conflict" conflict={conflict} />],
    [
      'Closed day',
      isLive(status) && (isUndecided || closed_day_choice !== null) && (
        <a href={undecidedPath}>{closedDayWords(booking)}</a>
      ),
    ],
    ['Note', isolated(booking.studio_note)],
    ['Pronouns', isolated(booking.pronouns)],
    ['Phone', phone !== null && <PhoneLink phone={phone} />],
    [
      'E-mail',
      email !== null && (
        <a href={mailtoUri(email)}>
          <bdi>{email}</bdi>
        </a>
      ),
    ],
  ];
  return <FactList name="person" facts={facts} />;
}

/** What else is known of a booking; the longest texts are here. */
function Details({ record: { booking } }: { record: BookingRecord }): VNode {
  const via = booking.confirmed_via;
  const facts: Fact[] = [
    ['Idea', isolated(booking.idea)],
    ['Came through', channelWords(booking)],
    ['Confirmed', via !== null && confirmedWords[via]],
    ['Reason', isolated(booking.cancellation_reason)],
    ['Id', <code key="id">{booking.id}</code>],
  ];
  return <FactList name="details" facts={facts} />;
}

/** The person's other sessions, by mailbox or phone number. */
function OtherSessions({ record: { others } }: { record: BookingRecord }): VNode {
  return (
    <section aria-labelledby="others" data-key="others">
      <h2 id="others">Other sessions</h2>
      {others.length === 0 && <p class="muted">None that is known.</p>}
      <ul class="booking-lines">
        {others.map((booking) => (
          <li key={booking.id}>
            <a href={linkToBooking(booking.id)}>
              <DayAndHours of={sessionOf(booking)} />
            </a>{' '}
            <span class="muted">{statusText(booking, booking.status)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FactList({ name: key, facts }: { name: string; facts: readonly Fact[] }): VNode {
  return (
    <dl class="facts" data-key={key}>
      {facts.map(
        ([name, value]) =>
          value !== false &&
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** What a person typed, kept apart from the direction of the text around it; false if nothing. */
function isolated(text: string | null): VNode | false {
  return text !== null && <bdi>{text}</bdi>;
}

function When({ booking }: { booking: BookingRow }): VNode {
  const { timezone, starts_at } = booking;
  return (
    <>
      <DayAndHours of={sessionOf(booking)} />, {zoneName(timezone, starts_at.getTime())}
    </>
  );
}
