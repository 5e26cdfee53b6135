import { sql, type Kysely, type Transaction } from 'kysely';
import type { MailRow, MailStatus } from '../database/mail-tables.js';
import type { BookingRow, Database } from '../database/schema.js';

/** A mail with the columns of its booking that the studio sees, such as the person's address. */
export interface MailOverview extends MailRow {
  booking_label: BookingRow['label'];
  booking_name: BookingRow['name'];
  booking_email: BookingRow['email'];
  /** Greater than `sequence` if the booking has changed since. */
  booking_sequence: BookingRow['sequence'];
}

export interface MailFilter {
  /** Hexadecimal digits and dashes; wildcards of LIKE are not escaped. */
  idPrefix?: string | undefined;
  bookingIdPrefix?: string | undefined;
  statuses?: readonly MailStatus[] | undefined;
}

/** Newest first. */
export async function listMails(
  database: Kysely<Database>,
  { idPrefix, bookingIdPrefix, statuses }: MailFilter,
  limit: number,
): Promise<MailOverview[]> {
  let query = withBooking(database);
  if (idPrefix !== undefined) {
    query = query.where(sql<string>`mails.id::text`, 'like', `${idPrefix}%`);
  }
  if (bookingIdPrefix !== undefined) {
    query = query.where(sql<string>`mails.booking_id::text`, 'like', `${bookingIdPrefix}%`);
  }
  if (statuses !== undefined) query = query.where('mails.status', 'in', statuses);
  return query.orderBy('mails.position', 'desc').limit(limit).execute();
}

/** Reads a mail and locks its row until the end of the transaction. */
export async function lockMail(
  transaction: Transaction<Database>,
  id: string,
): Promise<MailOverview | null> {
  const row = await withBooking(transaction)
    .where('mails.id', '=', id)
    .forUpdate('mails')
    .executeTakeFirst();
  return row ?? null;
}

function withBooking(database: Kysely<Database>) {
  return database
    .selectFrom('mails')
    .innerJoin('bookings', 'bookings.id', 'mails.booking_id')
    .selectAll('mails')
    .select([
      'bookings.label as booking_label',
      'bookings.name as booking_name',
      'bookings.email as booking_email',
      'bookings.sequence as booking_sequence',
    ]);
}

/** Makes a mail that is not pending due at once, as if it had not been attempted. */
export async function makeMailDue(transaction: Transaction<Database>, id: string): Promise<void> {
  await transaction
    .updateTable('mails')
    .set((row) => ({
      status: 'pending',
      next_attempt_at: sql<Date>`booking_now()`,
      resends: row('resends', '+', 1),
      attempts: 0,
      last_attempt_at: null,
      last_reply_code: null,
      last_error: null,
      counted_at: null,
      claimed_until: null,
      ended_at: null,
      reason: null,
    }))
    .where('id', '=', id)
    .where('status', '<>', 'pending')
    .execute();
}

/**
 * Counts mails that need the operator. `overdue`: due for over a minute, claimed by no process, and not
 * waiting for an earlier mail about the same booking. `failed`: within seven days.
 */
export async function countMailProblems(
  database: Kysely<Database>,
): Promise<{ overdue: number; failed: number }> {
  const { rows } = await sql<{ overdue: number; failed: number }>`
    select
      (select count(*)::integer from mails mail
        where status = 'pending' and next_attempt_at < booking_now() - interval '1 minute'
          and (claimed_until is null or claimed_until < booking_now())
          and not exists (
            select 1 from mails earlier
            where earlier.booking_id = mail.booking_id and earlier.recipient = mail.recipient
              and earlier.position < mail.position
              and earlier.status = 'pending' and earlier.kind not in ('reminder', 'code')
              and mail.kind <> 'code')
      ) as overdue,
      (select count(*)::integer from mails
        where status = 'failed' and ended_at > booking_now() - interval '7 days') as failed
  `.execute(database);
  return rows[0] ?? { overdue: 0, failed: 0 };
}

export interface MailRetention {
  mailDays: number;
  codeDays: number;
}

/**
 * Deletes up to a thousand mails that ended before the retention period, and the codes that were made
 * before theirs.
 */
export async function deleteOldMails(
  database: Kysely<Database>,
  { mailDays, codeDays }: MailRetention,
): Promise<void> {
  await sql`
    delete from mails
    where id in (
      select id from mails
      where ended_at < (select booking_now() - make_interval(days => ${mailDays}))
      order by ended_at
      limit 1000)`.execute(database);
  await sql`
    delete from mails
    where kind = 'code' and created_at < booking_now() - make_interval(days => ${codeDays})`.execute(
    database,
  );
}
