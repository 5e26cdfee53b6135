import { sql, type Kysely, type Transaction } from 'kysely';
import type { MailStatus } from '../database/mail-tables.js';
import type { Database } from '../database/schema.js';
import { codeLifetimeSeconds, codeTriesPerDay } from '../platform/fixed-limits.js';
import { dueChannels, dueMailKey } from './due-work.js';

/**
 * Codes are rows of `mails`; their digits are stored nowhere. Of the codes of a booking only the newest
 * counts, so that a try has one in a million, however many were sent.
 */

/** The newest code of a booking. */
export interface Code {
  mailId: string;
  createdAt: Date;
  lapsesAt: Date;
  usedAt: Date | null;
  status: MailStatus;
}

export interface CodeState {
  /** Null if there is none within a day. */
  newest: Code | null;
  /** Tries left of the day. */
  triesLeft: number;
  /** When the day of the tries ends; null if there were none. */
  triesEndAt: Date | null;
  now: Date;
}

const isOfToday = sql`code_tries_since > moment.now - interval '1 day'`;

/** Null if there is no such booking. */
export async function readCodeState(
  database: Kysely<Database>,
  bookingId: string,
): Promise<CodeState | null> {
  const { rows } = await sql<
    Omit<CodeState, 'newest'> & { [Column in keyof Code]: Code[Column] | null }
  >`
    select moment.now,
      ${codeTriesPerDay}::integer - case when ${isOfToday} then code_tries else 0 end as "triesLeft",
      case when ${isOfToday} then code_tries_since + interval '1 day' end as "triesEndAt",
      code.id as "mailId", code.created_at as "createdAt", code.lapses_at as "lapsesAt",
      code.used_at as "usedAt", code.status
    from (select booking_now() as now) as moment, bookings
      left join lateral (
        select * from mails
        where booking_id = bookings.id and recipient = 'person' and kind = 'code'
        order by position desc limit 1
      ) as code on true
    where bookings.id = ${bookingId}`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const { now, triesLeft, triesEndAt, mailId, createdAt, lapsesAt, usedAt, status } = row;
  const newest =
    mailId === null || createdAt === null || lapsesAt === null || status === null
      ? null
      : { mailId, createdAt, lapsesAt, usedAt, status };
  return { newest, triesLeft, triesEndAt, now };
}

/**
 * Counts a try, in a commit of its own before anything is compared: neither a crash nor concurrent
 * tries have more than the limit. Returns the tries left of the day; null if there was none left.
 */
export async function countCodeTry(
  database: Kysely<Database>,
  bookingId: string,
): Promise<number | null> {
  const { rows } = await sql<{ triesLeft: number }>`
    update bookings
    set code_tries = case when ${isOfToday} then code_tries + 1 else 1 end,
      code_tries_since = case when ${isOfToday} then code_tries_since else moment.now end
    from (select booking_now() as now) as moment
    where id = ${bookingId} and (code_tries < ${codeTriesPerDay} or (${isOfToday}) is not true)
    returning ${codeTriesPerDay}::integer - code_tries as "triesLeft"`.execute(database);
  return rows[0]?.triesLeft ?? null;
}

/** Uses a code up. False if it is used, has lapsed or is no longer the newest of its booking. */
export async function useCode(database: Kysely<Database>, mailId: string): Promise<boolean> {
  const { rows } = await sql`
    update mails set used_at = booking_now()
    where id = ${mailId} and used_at is null and lapses_at > booking_now()
      and not exists (
        select from mails newer
        where newer.booking_id = mails.booking_id and newer.recipient = mails.recipient
          and newer.kind = 'code' and newer.position > mails.position
      )
    returning id`.execute(database);
  return rows.length > 0;
}

/** The codes of a booking and of its mailbox that were made within a day, newest first. */
export async function listRecentCodes(
  transaction: Transaction<Database>,
  bookingId: string,
): Promise<{ isOfBooking: boolean; ageSeconds: number }[]> {
  const { rows } = await sql<{ isOfBooking: boolean; ageSeconds: number }>`
    select other.id = ${bookingId} as "isOfBooking",
      extract(epoch from moment.now - mails.created_at)::float8 as "ageSeconds"
    from (select booking_now() as now) as moment, bookings other
      join mails on mails.booking_id = other.id and mails.recipient = 'person'
    where mailbox_of(other.email) = (select mailbox_of(email) from bookings where id = ${bookingId})
      and other.code_asked_at is not null and other.email is not null
      and mails.kind = 'code' and mails.created_at > moment.now - interval '1 day'
    order by mails.created_at desc`.execute(transaction);
  return rows;
}

/**
 * Makes a code for a hold, which lapses with it at the latest, or for a confirmed session that has not
 * begun, and announces it to the processes that send mail. False if the booking is neither, or has no
 * address.
 */
export async function insertCode(
  transaction: Transaction<Database>,
  bookingId: string,
): Promise<boolean> {
  const { rows } = await sql`
    with moment as materialized (select booking_now() as now),
    asked as (
      update bookings set code_asked_at = moment.now from moment
      where id = ${bookingId} and email is not null
        and ((status = 'pending' and expires_at > moment.now)
          or (status = 'confirmed' and starts_at > moment.now))
      returning bookings.*
    ),
    code as (
      insert into mails
        (booking_id, kind, recipient, sequence, created_at, next_attempt_at, lapses_at)
      select id, 'code', 'person', sequence, moment.now, moment.now, least(
        moment.now + make_interval(secs => ${codeLifetimeSeconds}),
        case status when 'pending' then expires_at end)
      from asked, moment
      returning *
    )
    select pg_notify(${dueChannels.mails}, ${dueMailKey}) from code`.execute(transaction);
  return rows.length > 0;
}
