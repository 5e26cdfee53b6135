import { retentionDays } from '../../config/limits.js';
import type { BookingSelector, CopiedRow, PersonalCopy } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { DatabaseServices } from '../../database/services.js';
import { feedWindow } from '../../icalendar/feed-file.js';
import { english, type Language } from '../../locales/language.js';
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
 * Copies all that is kept of a mailbox, of a client without one, or of one booking, as of one instant,
 * and records who asked. Null if nothing is kept. It has the studio's notes, and not the names of those
 * who work for the studio (src/decisions.md).
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
    const copies = (areChecked: boolean) =>
      records.filter((each) => isChecked(each) === areChecked).map(copyBooking(config));
    await recordAudit(transaction, actor, 'bookings copy', {
      ...('email' in whose ? {} : { booking_id: bookingIdOf(whose) }),
      bookings: records.length,
      api_keys: keys.length,
    });
    return {
      copied_at: new Date(clock.now()),
      of: 'email' in whose ? { email: whose.email.trim() } : { booking_id: bookingIdOf(whose) },
      studio: { name, email, phone, website, timezone },
      about: aboutCopy(privacySentences(english, { email, phone }, config)),
      bookings: copies(true),
      not_checked: { bookings: copies(false), api_keys: keys },
      labels: columnLabels(),
    };
  });
}

/** The booking by which a client or a booking was selected. */
export function bookingIdOf(whose: Exclude<BookingSelector, { email: string }>): string {
  return 'client' in whose ? whose.client.id : whose.id;
}

/** The sentences with those that only a copy has; the copy is in English. */
function aboutCopy({ what_you_may_ask_for, ...about }: ReturnType<typeof privacySentences>) {
  return {
    ...about,
    where_it_came_from: [
      ...about.where_it_came_from,
      'What is “in your name, not checked” has your address, but nobody has shown with a code that they read its mail: somebody else may have written it.',
    ],
    what_is_not_shown: [
      'Bookings whose details are erased: they name nobody any more, so that an address does not find them.',
      'Backups: each has the data as they were when it was made, until the studio deletes it.',
      'What mailboxes and calendar programs keep of mails and calendars.',
      'Who of the studio did something.',
    ],
    what_you_may_ask_for,
  };
}

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

function copyBooking(config: Retention) {
  return ({ booking, row, tables }: BookingRecords): CopiedRow => ({
    ...row,
    is_erased: booking.name === null,
    details_kept_until: booking.name === null ? null : keptUntil(booking, config),
    ...tables,
  });
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

/**
 * The sentences about the data on `/privacy` and in each copy, by what they are about, as in
 * `scripts/operations/privacy.md`.
 */
export function privacySentences(
  { t }: Language,
  { email, phone }: Pick<StudioRow, 'email' | 'phone'>,
  { retentionUnconfirmedDays: unconfirmed, retentionConfirmedDays: confirmed }: Retention,
) {
  return {
    why_it_is_kept: [t('privacy.why_it_is_kept.session'), t('privacy.why_it_is_kept.networks')],
    where_it_came_from: [t('privacy.where_it_came_from.you')],
    who_else_gets_it: [
      t('privacy.who_else_gets_it.studio'),
      t('privacy.who_else_gets_it.mail'),
      t('privacy.who_else_gets_it.programs'),
      t('privacy.who_else_gets_it.everybody'),
    ],
    how_long_it_is_kept: [
      t('privacy.how_long_it_is_kept.details', { unconfirmed, confirmed }),
      t('privacy.how_long_it_is_kept.sent', { unconfirmed, ...retentionDays }),
    ],
    what_is_not_kept: [
      t('privacy.what_is_not_kept.addresses'),
      t('privacy.what_is_not_kept.payments'),
      t('privacy.what_is_not_kept.mails'),
      t('privacy.what_is_not_kept.secrets'),
      t('privacy.what_is_not_kept.corrected'),
      t('privacy.what_is_not_kept.visits'),
    ],
    what_you_may_ask_for: [
      t('privacy.what_you_may_ask_for.copy', { email, phone }),
      t('privacy.what_you_may_ask_for.complaint'),
    ],
  };
}
