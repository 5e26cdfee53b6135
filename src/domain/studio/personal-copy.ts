import { retentionDays } from '../../config/limits.js';
import type { BookingSelector, CopiedRow, PersonalCopy } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { DatabaseServices } from '../../database/services.js';
import { feedWindow } from '../../icalendar/feed-file.js';
import { recordAudit } from '../../repositories/audit.js';
import {
  type BookingRecords,
  columnLabels,
  readApiKeyRecords,
  readBookingRecords,
} from '../../repositories/personal-data.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { dayMs } from '../../schedule/dates.js';
import { todayInZone } from '../../schedule/slots.js';

type CopyServices = Pick<DatabaseServices, 'database' | 'config' | 'clock'>;

/**
 * Copies all that is kept of an e-mail address (case-insensitive), or of one booking, as of one instant,
 * and records who asked. Null if nothing is kept. It has the studio's note: words about somebody are
 * their personal data (GDPR, article 15; Court of Justice, C-434/16). It does not have the names of those
 * who work for the studio (paragraph 4; C-579/21).
 */
export async function copyPersonalData(
  { database, config, clock }: CopyServices,
  actor: string,
  whose: BookingSelector,
): Promise<PersonalCopy | null> {
  const snapshot = database.transaction().setIsolationLevel('repeatable read');
  return snapshot.execute(async (transaction) => {
    const { name, email, phone, website, timezone } = await readStudio(transaction);
    const { from } = feedWindow(todayInZone(timezone, clock.now()), 0);
    const records = await readBookingRecords(transaction, whose, from);
    const keys = 'email' in whose ? await readApiKeyRecords(transaction, whose.email.trim()) : [];
    if (records.length + keys.length === 0) return null;
    await recordAudit(transaction, actor, 'bookings copy', {
      ...('id' in whose && { booking_id: whose.id }),
      bookings: records.length,
      api_keys: keys.length,
    });
    return {
      copied_at: new Date(clock.now()),
      of: 'id' in whose ? { booking_id: whose.id } : { email: whose.email.trim() },
      studio: { name, email, phone, website, timezone },
      about: privacySentences({ email, phone }, config, [notChecked]),
      bookings: records.filter(isChecked).map((record) => copiedBooking(record, config)),
      not_checked: {
        bookings: records
          .filter((record) => !isChecked(record))
          .map((record) => copiedBooking(record, config)),
        api_keys: keys,
      },
      labels: columnLabels(),
    };
  });
}

const notChecked =
  'What is “in your name, not checked” has your address, but nobody has shown with a code that they read its mail: somebody else may have written it.';

type Retention = Pick<
  CopyServices['config'],
  'retentionUnconfirmedDays' | 'retentionConfirmedDays'
>;

/**
 * Whether a code or the studio has shown that the booking is of the person whom it names; an erased one
 * names nobody.
 */
function isChecked({ booking }: BookingRecords): boolean {
  const { name, code_proven_at, confirmed_via } = booking;
  const isByStudio = confirmed_via === 'studio';
  return name === null || code_proven_at !== null || confirmed_via === 'code' || isByStudio;
}

function copiedBooking({ booking, row, tables }: BookingRecords, config: Retention): CopiedRow {
  return {
    ...row,
    is_erased: booking.name === null,
    details_kept_until: booking.name === null ? null : keptUntil(booking, config),
    ...tables,
  };
}

/** When the nightly job erases the details, if the booking does not change. */
function keptUntil(
  { status, starts_at, expired_at, cancelled_at, expires_at }: BookingRow,
  { retentionUnconfirmedDays, retentionConfirmedDays }: Retention,
): Date {
  const [since, days] =
    status === 'confirmed'
      ? [starts_at, retentionConfirmedDays]
      : [expired_at ?? cancelled_at ?? expires_at, retentionUnconfirmedDays];
  return new Date(since.getTime() + days * dayMs);
}

/** The sentences about the data on `/privacy` and in each copy, as in `scripts/operations/privacy.md`. */
export function privacySentences(
  { email, phone }: Pick<StudioRow, 'email' | 'phone'>,
  { retentionUnconfirmedDays: unconfirmed, retentionConfirmedDays: confirmed }: Retention,
  ofCopy: readonly string[] = [],
): Record<string, string[]> {
  const { mails, codes, webhooks } = retentionDays;
  return {
    why_it_is_kept: [
      'To keep your session, to reach you about it, and to know what was agreed.',
      'Hashes of networks keep one caller from taking all times, and others from guessing codes.',
    ],
    where_it_came_from: [
      'From you, or from the assistant that asked for you; from the studio, where it wrote something down.',
      ...ofCopy,
    ],
    who_else_gets_it: [
      'The people of the studio.',
      'The mail server that sends the mails to you and to the studio, and the mailboxes that they are in.',
      'Calendars of the studio that show a session, and programs that asked for news of it; a copy of your data lists them. Such news has the time, the status and the id of a session, and nothing that names you.',
      'Everybody can see that a time is taken, but not by whom.',
    ],
    how_long_it_is_kept: [
      `Your details: for ${unconfirmed} days after a hold lapsed or a booking was cancelled, and for ${confirmed} days after a confirmed session. The night after, they are erased. The time, the status and the history of the session stay, and then name nobody.`,
      `That a mail was sent, for ${mails} days; a code, for ${codes} day. That news was sent to a program, for ${webhooks} days. An API key, until ${unconfirmed} days after it was revoked.`,
    ],
    what_is_not_kept: [
      'The address of your computer or phone (IP address): only keyed hashes of its network. Requests are counted by address for an hour at most, outside the database.',
      'Cards and payments: the service takes none.',
      'What mails said, and the address that they went to: only of which kind each was, and what became of it.',
      'The digits of codes and the links of pages: only hashes and encrypted copies, which no copy shows, since whoever has a link could change the booking.',
      'Details as they were before a correction.',
      'Which pages you looked at: the log has the method, route, status and duration of requests, and nothing that names you.',
    ],
    what_is_not_shown: [
      'Bookings whose details are erased: they name nobody any more, so that an address does not find them.',
      'Backups: each has the data as they were when it was made, until the studio deletes it.',
      'What mailboxes and calendar programs keep of mails and calendars.',
      'Who of the studio did something.',
    ],
    what_you_may_ask_for: [
      `A copy of it; that your details are corrected or erased, or no longer used: write to ${email}, or call ${phone}.`,
      'If you do not agree with the answer, you may complain to the supervisory authority for data protection.',
    ],
  };
}
