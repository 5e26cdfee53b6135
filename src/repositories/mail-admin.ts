import { sql, type Kysely, type RawBuilder, type SqlBool, type Transaction } from 'kysely';
import { newestOfBooking, onlyRow } from '../database/row-queries.js';
import type { MailStatus } from '../database/rows/mails.js';
import type { MailOverview } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import { dueChannels, dueMailKey, haveSameRecipient, newestSequence } from './due-mail.js';

export interface MailFilter {
  /** Hexadecimal digits and dashes; wildcards of LIKE are not escaped. */
  idPrefix?: string | undefined;
  bookingIdPrefix?: string | undefined;
  statuses?: readonly MailStatus[] | undefined;
  /** Only mails about bookings of the artist; null: all. */
  artistId?: number | null | undefined;
}

/** The mails, newest first. `before`: the position of the previous page's last mail. */
export async function listMails(
  database: Kysely<Database>,
  { idPrefix, bookingIdPrefix, statuses, artistId = null }: MailFilter,
  { limit, before = null }: { limit: number; before?: string | null },
) {
  let query = mailOverviews(database);
  if (idPrefix !== undefined) {
    query = query.where(sql<string>`mails.id::text`, 'like', `${idPrefix}%`);
  }
  if (bookingIdPrefix !== undefined) {
    query = query.where(sql<string>`mails.booking_id::text`, 'like', `${bookingIdPrefix}%`);
  }
  if (statuses !== undefined) query = query.where('mails.status', 'in', statuses);
  if (artistId !== null) query = query.where(isOfArtist(artistId));
  if (before !== null) query = query.where('mails.position', '<', before);
  return query.orderBy('mails.position', 'desc').limit(limit).execute();
}

/** Whether a mail is about a booking of the artist, and did not go to another. */
function isOfArtist(artistId: number | null): RawBuilder<SqlBool> {
  return sql`(bookings.artist_id = ${artistId}
    and (mails.artist_id is null or mails.artist_id = ${artistId}))`;
}

export const listMailsOfBooking = newestOfBooking('mails');

/**
 * The status of the newest mail to the person with the confirmation or a new time; `pending` also before
 * it is made. Null if there is none.
 */
export async function readNewsStatus(database: Kysely<Database>, bookingId: string) {
  const { rows } = await sql<{ status: MailStatus | null }>`
    select case
      when exists (
        select from events_to_mail
        where event_id in (select id from events where booking_id = ${bookingId})
      ) then 'pending'
      else (
        select status from mails
        where booking_id = ${bookingId} and recipient = 'person'
          and kind in ('confirmation', 'move')
        order by position desc limit 1
      )
    end as status`.execute(database);
  return rows[0]?.status ?? null;
}

export async function lockMail(
  transaction: Transaction<Database>,
  id: string,
  artistId: number | null,
) {
  const row = await mailOverviews(transaction)
    .where('mails.id', '=', id)
    .$if(artistId !== null, (query) => query.where(isOfArtist(artistId)))
    .forUpdate('mails')
    .executeTakeFirst();
  return row ?? null;
}

function mailOverviews(database: Kysely<Database>) {
  return database
    .selectFrom('mails')
    .leftJoin('bookings', 'bookings.id', 'mails.booking_id')
    .leftJoin('watched_calendars as calendars', 'calendars.id', 'mails.calendar_id')
    .leftJoin('artists', 'artists.id', 'mails.artist_id')
    .selectAll('mails')
    .select([
      'bookings.label as booking_label',
      'bookings.date as booking_date',
      'bookings.time_slot as booking_time_slot',
      'bookings.ends_at_text as booking_ends_at_text',
      'bookings.artist_name as booking_artist_name',
      'bookings.name as booking_name',
      'bookings.email as booking_email',
      sql<boolean>`exists (
        select from events
        where events.booking_id = mails.booking_id and type = 'booking.corrected'
          and not (data->>'is_quiet')::boolean
          and (data->>'sequence')::integer > mails.sequence)`.as('has_former_email'),
      'calendars.label as calendar_label',
      'artists.name as artist_name',
      'artists.email as artist_email',
      sql<boolean>`case when booking_id is not null then
          mails.sequence < ${newestSequence('mails')}
          or mails.kind <> 'code' and exists (
            select from mails later
            where later.booking_id = mails.booking_id and ${haveSameRecipient('later', 'mails')}
              and later.kind not in ('code', 'conflict') and later.sequence > mails.sequence)
        else not exists (
          select from events where events.id = mails.event_id and (
            calendars.failing_since <= occurred_at
            or calendars.unreadable is not null and calendars.unreadable_told_at = occurred_at
          )
        ) end`.as('is_superseded'),
    ])
    .$castTo<MailOverview>();
}

/**
 * Makes a mail that is not pending due at once, as if it had not been attempted, and announces it to the
 * processes that send mail.
 */
export async function makeMailDue(transaction: Transaction<Database>, id: string) {
  await sql`
    with made_due as (
      update mails
      set status = 'pending', next_attempt_at = booking_now(), resends = resends + 1, attempts = 0,
        last_attempt_at = null, last_reply_code = null, last_error = null, counted_at = null,
        claimed_until = null, ended_at = null, reason = null, dismissed_at = null
      where id = ${id} and status <> 'pending'
      returning *
    )
    select pg_notify(${dueChannels.mails}, ${dueMailKey}) from made_due`.execute(transaction);
}

/** Whether a row of `mails` is due for over a minute, unclaimed, and not waiting for an earlier mail. */
const isOverdue = sql<boolean>`(
  mails.status = 'pending' and mails.next_attempt_at < booking_now() - interval '1 minute'
  and (mails.claimed_until is null or mails.claimed_until < booking_now())
  and not exists (
    select 1 from mails earlier
    where earlier.booking_id = mails.booking_id and ${haveSameRecipient('earlier', 'mails')}
      and earlier.position < mails.position
      and earlier.status = 'pending' and earlier.kind not in ('reminder', 'code')
      and mails.kind <> 'code'))`;

/** Acknowledges a failed mail, or all that failed until a time. Returns those that were not acknowledged. */
export async function dismissFailedMails(
  transaction: Transaction<Database>,
  { id = null, until = null }: { id?: string | null | undefined; until?: Date | null },
) {
  const { rows } = await sql<{ id: string; booking_id: string | null }>`
    update mails set dismissed_at = booking_now()
    where status = 'failed' and dismissed_at is null
      and (${id}::uuid is null or id = ${id}::uuid)
      and (${until}::timestamptz is null or ended_at <= ${until}::timestamptz)
    returning id, booking_id`.execute(transaction);
  return rows;
}

/** Whether a row of `mails` failed within seven days and is not acknowledged. */
const hasFailedLately = sql<boolean>`(
  mails.status = 'failed' and mails.dismissed_at is null and mails.ended_at > booking_now() - interval '7 days')`;

/**
 * Counts mails that need the operator. `overdue`: due for over a minute, claimed by no process, and not
 * waiting for an earlier mail about the same booking. `failed`: within seven days.
 */
export async function countMailProblems(database: Kysely<Database>) {
  const { rows } = await sql<{ overdue: number; failed: number }>`
    select
      (select count(*)::integer from mails where ${isOverdue}) as overdue,
      (select count(*)::integer from mails where ${hasFailedLately}) as failed
  `.execute(database);
  return onlyRow(rows);
}

/** Why mails failed within seven days, or are not sent yet after an attempt: each reason once. */
export async function listMailErrors(database: Kysely<Database>) {
  const { rows } = await sql<{ error: string; replyCode: number | null }>`
    select distinct last_error as error, last_reply_code as "replyCode" from mails
    where last_error is not null and (status = 'pending' or ${hasFailedLately})
    order by 1, 2 limit 5`.execute(database);
  return rows;
}

/** The mails that have failed since an instant, the latest first. */
export async function listFailedMailsSince(
  database: Kysely<Database>,
  since: Date,
  { limit, artistId }: { limit: number; artistId: number | null },
): Promise<MailOverview[]> {
  return mailOverviews(database)
    .$if(artistId !== null, (query) => query.where(isOfArtist(artistId)))
    .where('mails.status', '=', 'failed')
    .where('mails.dismissed_at', 'is', null)
    .where('mails.ended_at', '>', since)
    .orderBy('mails.ended_at', 'desc')
    .limit(limit)
    .execute();
}

/** The mails that `countMailProblems` counts, newest first. */
export async function listMailProblems(database: Kysely<Database>, limit: number) {
  return mailOverviews(database)
    .where((mail) => mail.or([isOverdue, hasFailedLately]))
    .orderBy('mails.position', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes up to a thousand mails that ended before the retention period. */
export async function deleteOldMails(database: Kysely<Database>, retentionDays: number) {
  await sql`
    delete from mails
    where id in (
      select id from mails
      where ended_at < (select booking_now() - make_interval(days => ${retentionDays}))
      order by ended_at
      limit 1000)`.execute(database);
}

/** Deletes codes that were made before the retention period. */
export async function deleteOldCodes(database: Kysely<Database>, retentionDays: number) {
  await sql`
    delete from mails
    where kind = 'code' and created_at < booking_now() - make_interval(days => ${retentionDays})`.execute(
    database,
  );
}
