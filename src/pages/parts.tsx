import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../database/rows/schema.js';
import type { StudioRow } from '../database/rows/studio.js';
import {
  addressWords,
  type DatedAddress,
  fromWords,
  newAddressesAfter,
} from '../schedule/addresses.js';
import {
  dateWords,
  type Session,
  sessionHours,
  sessionOf,
  sessionWords,
  timeOfDay,
  zoneName,
} from '../schedule/words.js';
import { EmailLink, Moon, PhoneLink } from '../web/layout.js';

/** The time of a slot or booking. */
interface SessionTimes extends Session {
  startsAt: Date;
  /** RFC 3339. */
  startsAtText: string;
  timezone: string;
}

export function timesOf(booking: BookingRow): SessionTimes {
  const { starts_at: startsAt, starts_at_text: startsAtText, timezone } = booking;
  return { ...sessionOf(booking), startsAt, startsAtText, timezone };
}

export interface AppointmentProps {
  title: ComponentChildren;
  session: SessionTimes;
  /** The part of the moon that is lit. */
  lit?: number;
  isGone?: boolean;
  /** Below the moon. */
  children?: ComponentChildren;
}

/** The head of a page about one session: its time in large letters, beside a moon. */
export function Appointment(props: AppointmentProps): VNode {
  const { title, session, lit = 0, isGone = false, children } = props;
  return (
    <div class={isGone ? 'appointment gone' : 'appointment'}>
      <h1>{title}</h1>
      <When {...session} />
      <div class="clock">
        <Moon lit={lit} />
        {children}
      </div>
    </div>
  );
}

function When(session: SessionTimes): VNode {
  const { date, startsAt, startsAtText, endsAtText, timezone, artistName } = session;
  const { weekday, month, day, year } = dateWords(date);
  return (
    <time class="when" dateTime={startsAtText} data-zone={timezone} data-ends={endsAtText}>
      <span>{weekday}, </span>
      <span class="date">
        {month}&nbsp;{day}, <small>{year}</small>{' '}
      </span>
      <span class="hour">{sessionHours({ ...session, artistName: null })} </span>
      <span class="zone">{zoneName(timezone, startsAt.getTime())}</span>
      {artistName != null && <span class="artist"> with {artistName}</span>}
    </time>
  );
}

/**
 * The time of a session in a sentence, with its zone. The page's script adds the time on the visitor's
 * own clock.
 */
export function SessionTime(session: SessionTimeProps): VNode {
  const { startsAt, startsAtText, endsAtText, timezone, artistName, known } = session;
  return (
    <>
      <time dateTime={startsAtText} data-zone={timezone} data-ends={endsAtText}>
        {sessionWords({ ...session, artistName: null }, [], known)}&nbsp;
        {zoneName(timezone, startsAt.getTime(), 'short')}
      </time>
      {artistName != null && ` with ${artistName}`}
    </>
  );
}

interface SessionTimeProps extends SessionTimes {
  /** A date whose year the reader knows. */
  known?: string;
}

/** The time of a booking; see `SessionTime`. */
export function BookingTime({ booking }: { booking: BookingRow }): VNode {
  return <SessionTime {...timesOf(booking)} />;
}

export interface ClockTimeProps {
  /** Milliseconds since the epoch. */
  at: number;
  timezone: string;
  /** The instant in words; its time of day unless given. */
  words?: string;
}

/** An instant on the studio's clock, such as a time limit, with its zone; else like `SessionTime`. */
export function ClockTime({
  at,
  timezone,
  words = timeOfDay(timezone, at),
}: ClockTimeProps): VNode {
  return (
    <time dateTime={new Date(at).toISOString()} data-zone={timezone}>
      {words}&nbsp;{zoneName(timezone, at, 'short')}
    </time>
  );
}

/** The addresses to come, beside the one of today. */
export function ComingAddresses({
  addresses,
  today,
}: {
  addresses: readonly DatedAddress[];
  today: string;
}): VNode {
  return (
    <>
      {newAddressesAfter(addresses, today).map((address) => (
        <p key={address.from_date}>
          From {fromWords(address)}, sessions are at {addressWords(address)}.
        </p>
      ))}
    </>
  );
}

/** The studio's notices for people. */
export function Notices({ studio }: { studio: StudioRow }): VNode | null {
  if (studio.notices.length === 0) return null;
  return (
    <section class="notices" aria-labelledby="notices">
      <h2 id="notices">Good to know</h2>
      <dl>
        {studio.notices.map(({ title, text }) => (
          <div key={title}>
            <dt dir="auto">{title}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The words above the buttons: which acts are an assistant's, and which the person's. */
export function WhoActs(): VNode {
  return (
    <p class="fine" id="who-acts">
      An assistant may hold a time and hand it over. Only the person confirms, moves, releases,
      cancels, holds again or asks for a code.
    </p>
  );
}

export function AskStudio({ studio }: { studio: StudioRow }): VNode {
  return (
    <>
      If you need another time, write to <EmailLink studio={studio} /> or call{' '}
      <PhoneLink studio={studio} />.
    </>
  );
}
