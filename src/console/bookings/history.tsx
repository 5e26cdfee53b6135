import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { MailRow } from '../../database/rows/mails.js';
import type { BookingRow, ChangeInSlot } from '../../database/rows/schema.js';
import type { HistoryEntry } from '../../domain/studio/booking-history.js';
import type { BookingRecord } from '../../domain/studio/booking-record.js';
import { whyDropped } from '../../domain/studio/mail-admin.js';
import { confirmedWords } from '../../domain/studio/words.js';
import { typedCodeWords } from '../../views/proofs.js';
import { sections } from '../console-page.js';
import { mailKindWords, mailStatusWords } from '../mail/mail-page.js';
import {
  type FormatMoment,
  Moment,
  momentFormat,
  PageContext,
  ShortDayAndHours,
} from '../moment.js';
import { channelWords } from './words.js';

/** What has happened to a booking, and by whom. */
export function History({ record: { booking, history } }: { record: BookingRecord }): VNode {
  const format = formatFor(booking);
  return (
    <section aria-labelledby="history" data-key="history">
      <h2 id="history">History</h2>
      {history.length === 0 && <p class="muted">Nothing was recorded.</p>}
      <ol class="log">
        {history.map((entry, index) => (
          <li key={index}>
            <Moment at={entry.at} format={format} />
            <span>
              <Happening entry={entry} booking={booking} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Happening({ entry, booking }: { entry: HistoryEntry; booking: BookingRow }): VNode {
  return (
    <>
      {happening(entry, booking)}
      {!isOwn.includes(entry.what) && <By entry={entry} />}
      {entry.what === 'cancelled' && entry.through !== null && ` (${entry.through})`}
    </>
  );
}

/** Entries that name their actor themselves, or have none. */
const isOwn: readonly HistoryEntry['what'][] = ['held', 'confirmed', 'expired', 'conflict'];

function happening(entry: HistoryEntry, booking: BookingRow): ComponentChildren {
  switch (entry.what) {
    case 'held': {
      const channel = channelWords(booking);
      return channel === '' ? 'Held' : `Held through ${channel.replace(/^(?=assistant)/, 'an ')}`;
    }
    case 'added':
      return 'Added';
    case 'confirmed': {
      const { confirmed_via: via } = booking;
      const how = via === null ? '' : ` ${confirmedWords[via]}`;
      return `Confirmed${typedCodeWords(entry.codeTypedAfterSeconds) || how}`;
    }
    case 'expired':
      return 'Lapsed: nobody confirmed it in time';
    case 'cancelled':
      return 'Cancelled';
    case 'moved':
      return (
        <>
          Moved from <ShortDayAndHours of={entry.from} /> to <ShortDayAndHours of={entry.to} />
        </>
      );
    case 'changed':
      return changeWords[entry.change];
    case 'conflict':
      return (
        <>
          Conflict found: a watched calendar is busy on <ShortDayAndHours of={entry.slot} />
        </>
      );
    case 'no-show':
      return entry.isUndone ? 'No-show taken back' : 'Recorded as a no-show';
    case 'action':
      return actionWords[entry.action] ?? entry.action;
  }
}

const changeWords: Record<ChangeInSlot, string> = {
  'booking.retimed': 'Same time of day, at a new instant: the clocks of its zone change otherwise',
  'booking.readdressed': 'New address of the studio',
  'booking.corrected': 'Details corrected',
  'booking.asked': 'Asked to choose another time',
  'booking.kept': 'No longer asked to choose another time',
};

const actionWords: Partial<Record<string, string>> = {
  'bookings keep': 'Kept on a closed day',
  'bookings note': 'Note changed',
  'clients note': 'Note about the client changed',
  'mail resend': 'Mail sent again',
  'bookings copy': 'Personal data copied',
  'bookings forget': 'Personal data erased',
};

function By({ entry }: { entry: HistoryEntry }): VNode | null {
  const { by, actor, codeTypedAfterSeconds } = entry;
  const { own } = useContext(PageContext);
  if (by === null) return null;
  const who = `the ${by}${typedCodeWords(codeTypedAfterSeconds)}`;
  // Sign-ins are the owner's to know.
  return <> by {actor === null || own !== null ? who : <bdi>{actor}</bdi>}</>;
}

/** What was mailed about a booking. */
export function Mails({ record: { booking, mails } }: { record: BookingRecord }): VNode {
  const format = formatFor(booking);
  return (
    <section aria-labelledby="mails" data-key="mails">
      <h2 id="mails">Mail</h2>
      {mails.length === 0 && <p class="muted">Nothing was mailed.</p>}
      <ol class="log">
        {mails.map((mail) => (
          <li key={mail.id}>
            <Moment at={mail.created_at} format={format} />
            <span>
              <a href={sections.mail.path}>{mailKindWords[mail.kind]}</a> to the{' '}
              {mail.recipient.replace('_', ' ')}: {mailState(mail)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function mailState({ status, reason, kind }: MailRow): string {
  const words = mailStatusWords[status].toLowerCase();
  return reason === null ? words : `${words}: ${whyDropped(reason, kind)}`;
}

/** The format shows the year if it is not that of the session. */
function formatFor({ timezone, starts_at }: BookingRow): FormatMoment {
  return momentFormat(timezone, starts_at.getTime());
}
