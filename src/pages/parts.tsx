import type { ComponentChildren, VNode } from 'preact';
import type { BookingRow } from '../database/rows/schema.js';
import type { StudioRow } from '../database/rows/studio.js';
import { useLanguage } from '../locales/context.js';
import { addressWords, type DatedAddress, newAddressesAfter } from '../schedule/addresses.js';
import { type Session, sessionOf, timesIn } from '../schedule/times.js';
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
  const language = useLanguage();
  const { dateWords, sessionHours, zoneName } = timesIn(language);
  return (
    <time class="when" dateTime={startsAtText} data-zone={timezone} data-ends={endsAtText}>
      {language.rich('time.large', {
        ...dateWords(date),
        hours: sessionHours({ ...session, artistName: null }),
        zone: zoneName(timezone, startsAt.getTime()),
        first: (words) => <span>{words}</span>,
        second: (words) => <span class="date">{words}</span>,
        small: (words) => <small>{words}</small>,
        third: (words) => <span class="hour">{words}</span>,
        fine: (words) => <span class="zone">{words}</span>,
      })}
      {artistName != null && (
        <span class="artist">{language.t('time.artist', { artist: artistName })}</span>
      )}
    </time>
  );
}

/**
 * The time of a session in a sentence, with its zone. The page's script adds the time on the visitor's
 * own clock.
 */
export function SessionTime(session: SessionTimeProps): VNode {
  const { startsAt, startsAtText, endsAtText, timezone, artistName, known } = session;
  const language = useLanguage();
  const { sessionWords, zoneName } = timesIn(language);
  return (
    <>
      <time dateTime={startsAtText} data-zone={timezone} data-ends={endsAtText}>
        {sessionWords({ ...session, artistName: null }, [], known)}&nbsp;
        {zoneName(timezone, startsAt.getTime(), 'short')}
      </time>
      {artistName != null && language.t('time.artist', { artist: artistName })}
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
  /** The date that the reader knows: the day is named, its year unless it is the same. */
  known?: string;
}

/** An instant on the studio's clock, such as a time limit, with its zone; else like `SessionTime`. */
export function ClockTime({ at, timezone, known }: ClockTimeProps): VNode {
  const { momentWords, timeOfDay, zoneName } = timesIn(useLanguage());
  return (
    <time dateTime={new Date(at).toISOString()} data-zone={timezone}>
      {known === undefined ? timeOfDay(timezone, at) : momentWords(timezone, at, known)}&nbsp;
      {zoneName(timezone, at, 'short')}
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
  const language = useLanguage();
  const { longDate } = timesIn(language);
  return (
    <>
      {newAddressesAfter(addresses, today).map((address) => (
        <p key={address.from_date}>
          {language.t('shared.coming_address', {
            day: longDate(address.from_date),
            address: addressWords(address),
          })}
        </p>
      ))}
    </>
  );
}

/** The studio's notices for people. */
export function Notices({ studio }: { studio: StudioRow }): VNode | null {
  const { t } = useLanguage();
  if (studio.notices.length === 0) return null;
  return (
    <section class="notices" aria-labelledby="notices">
      <h2 id="notices">{t('shared.notices.heading')}</h2>
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
      {useLanguage().t('shared.who_acts')}
    </p>
  );
}

export function AskStudio({ studio }: { studio: StudioRow }): VNode {
  const { rich } = useLanguage();
  return (
    <>
      {rich('shared.ask_studio', {
        email: <EmailLink studio={studio} />,
        phone: <PhoneLink studio={studio} />,
      })}
    </>
  );
}
