import { sql, type Kysely, type Transaction } from 'kysely';
import { codeLifetimeSeconds, codeTries } from '../config/limits.js';
import { onlyRow } from '../database/row-queries.js';
import type { CodeShare, MailStatus } from '../database/rows/mails.js';
import type { LinkEffects } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import { dueChannels, dueMailKey } from './due-mail.js';
import { isRecorded } from './installation.js';
import { isOpened } from './proof.js';

/**
 * Codes are rows of `mails`; their digits are stored nowhere. Only the newest code of a browser for a
 * booking counts; those of others do not affect it.
 */

/** Whether the code of a row of `mails` can be typed, in a statement with `moment.now`. */
const isLive = sql<boolean>`(
  mails.used_at is null and mails.lapses_at > moment.now and mails.tries < ${sql.lit(codeTries)})`;

/** The newest code of a browser for a booking. */
export interface BrowserCode {
  createdAt: Date;
  lapsesAt: Date;
  status: MailStatus;
  /** Whether it can be typed. */
  isLive: boolean;
  /** Whether it was typed rightly, and the browser may change the booking. */
  isOpen: boolean;
}

/** The newest code of a browser; null if it has asked for none within a day. */
export async function readBrowserCode(
  database: Kysely<Database>,
  bookingId: string,
  browserHash: Buffer,
) {
  const { rows } = await sql<BrowserCode>`
    select mails.created_at as "createdAt", mails.lapses_at as "lapsesAt", mails.status,
      ${isLive} as "isLive", ${isOpened} as "isOpen"
    from mails, (select booking_now() as now) as moment
    where booking_id = ${bookingId} and recipient = 'person' and kind = 'code'
      and browser_hash = ${browserHash}
    order by position desc limit 1`.execute(database);
  return rows[0] ?? null;
}

export interface CountedTry {
  mailId: string;
  triesLeft: number;
}

/**
 * Counts a try of the browser's newest code, in a commit of its own before anything is compared, so that
 * neither a crash nor concurrent tries exceed the limit. Null, with nothing counted, if the browser has
 * no code that can be typed.
 */
export async function countCodeTry(
  database: Kysely<Database>,
  bookingId: string,
  browserHash: Buffer,
) {
  const { rows } = await sql<CountedTry>`
    update mails set tries = tries + 1
    from (select booking_now() as now) as moment
    where id = (
      select id from mails newest
      where booking_id = ${bookingId} and recipient = 'person' and kind = 'code'
        and browser_hash = ${browserHash}
      order by position desc limit 1
    ) and ${isLive}
    returning id as "mailId", ${sql.lit(codeTries)} - tries as "triesLeft"`.execute(database);
  return rows[0] ?? null;
}

/** Takes back the try of a code that was typed rightly, and lets its browser change the booking. */
export async function openCode(database: Kysely<Database>, mailId: string) {
  await sql`
    update mails set tries = tries - 1, opened_at = booking_now()
    where id = ${mailId}`.execute(database);
}

/** Who asks for a code, and for which booking. */
export interface CodeAsker {
  bookingId: string;
  browserHash: Buffer;
  /** HMACs of the network, or of the person at a platform, one per known secret key, current first. */
  networkHashes: readonly Buffer[];
}

/** A code that was made within a day, as the budgets count it. */
export interface RecentCode {
  ageSeconds: number;
  isOfNetwork: boolean;
  isOfBooking: boolean;
  isOfMailbox: boolean;
  /** Whether both its booking and the asker's, or neither, have been proven by a code. */
  isOfKind: boolean;
  isBeyondTotals: boolean;
  /** Whether it is for the booking, from the same browser. */
  isOfBrowser: boolean;
  isLive: boolean;
  isOpen: boolean;
}

/** The codes of the asker's network, and of the booking's mailbox, newest first. */
export async function listRecentCodes(
  transaction: Transaction<Database>,
  { bookingId, browserHash, networkHashes }: CodeAsker,
) {
  const { rows } = await sql<RecentCode>`
    with moment as materialized (select booking_now() as now),
    asked as materialized (
      select id as asked_id, canonical_mailbox(email) as mailbox, ${isBookingProven} as was_proven
      from bookings where id = ${bookingId}
    ),
    recent as materialized (
      select mails.id as mail_id
      from moment, asked
        join bookings on canonical_mailbox(email) = mailbox
          and code_asked_at is not null and email is not null
        join mails on booking_id = bookings.id and recipient = 'person'
      where kind = 'code' and mails.created_at > moment.now - interval '1 day'
      union
      select mails.id from moment, mails
      where network_hash = any(${networkHashes}::bytea[])
        and mails.created_at > moment.now - interval '1 day'
    )
    select extract(epoch from moment.now - mails.created_at)::float8 as "ageSeconds",
      coalesce(network_hash = any(${networkHashes}::bytea[]), false) as "isOfNetwork",
      booking_id = asked_id as "isOfBooking",
      coalesce(canonical_mailbox(email) = mailbox, false) as "isOfMailbox",
      ${isBookingProven} = was_proven as "isOfKind",
      is_beyond_totals as "isBeyondTotals",
      booking_id = asked_id and coalesce(browser_hash = ${browserHash}, false) as "isOfBrowser",
      ${isLive} as "isLive", ${isOpened} as "isOpen"
    from moment, asked, recent
      join mails on mails.id = mail_id
      join bookings on bookings.id = booking_id
    order by mails.created_at desc`.execute(transaction);
  return rows;
}

/** Whether a code has proven a change of a row of `bookings`. */
const isBookingProven = sql<boolean>`(
  code_proven_at is not null or confirmed_via is not distinct from 'code')`;

/**
 * The seconds until each share of the studio's budget has fewer codes younger than an hour than its size.
 */
export async function readStudioWaits(
  transaction: Transaction<Database>,
  sizes: Record<CodeShare, number>,
) {
  const waits: Record<CodeShare, number> = { common: 0, confirmed: 0, new_network: 0 };
  const { rows } = await sql<{ share: CodeShare; seconds: number }>`
    select share, seconds
    from (
      select ${shareOf} as share,
        3600 - extract(epoch from moment.now - created_at)::float8 as seconds,
        row_number() over (partition by ${shareOf} order by created_at desc) as number
      from mails, (select booking_now() as now) as moment
      where kind = 'code' and created_at > moment.now - interval '1 hour'
    ) as code
    where number = (${JSON.stringify(sizes)}::jsonb ->> share)::integer`.execute(transaction);
  for (const { share, seconds } of rows) waits[share] = seconds;
  return waits;
}

/** Whether within a day the common share had `size` codes younger than an hour. */
export async function wasCommonShareUsedUp(database: Kysely<Database>, size: number) {
  const { rows } = await sql`
    select from (
      select created_at - lag(created_at, ${size - 1}) over (order by created_at) as span
      from mails, (select booking_now() as now) as moment
      where kind = 'code' and ${shareOf} = 'common' and created_at > moment.now - interval '1 day'
    ) as code
    where span < interval '1 hour'
    limit 1`.execute(database);
  return rows.length > 0;
}

/** The share of a row of `mails`: a code of version 2.8.2 has none. */
const shareOf = sql`coalesce(budget_share, 'common')`;

export async function readLinkEffects(database: Kysely<Database>) {
  const { rows } = await sql<LinkEffects>`
    with moment as materialized (select booking_now() as now),
    held as materialized (
      select bookings.id from bookings, moment where status = 'pending' and expires_at > moment.now
    )
    select (select count(*)::integer from held) as holds, (
      select count(*)::integer from mails, moment
      where kind = 'code' and booking_id in (select id from held) and ${isLive}) as codes`.execute(
    database,
  );
  return onlyRow(rows);
}

/** The budgets that a code counts towards. */
export interface CodeBudget {
  share: CodeShare;
  isBeyondTotals: boolean;
}

/**
 * Makes a code, while mail is on, for a hold, with which it lapses at the latest, or for a confirmed
 * session that has not begun, and announces it to the processes that send mail. False if mail is off, or
 * if the booking is neither or has no address.
 */
export async function insertCode(
  transaction: Transaction<Database>,
  { bookingId, browserHash, networkHashes }: CodeAsker,
  { share, isBeyondTotals }: CodeBudget,
) {
  const { rows } = await sql`
    with moment as materialized (select booking_now() as now),
    asked as (
      update bookings set code_asked_at = moment.now from moment
      where id = ${bookingId} and email is not null and ${isRecorded('mail_on')}
        and ((status = 'pending' and expires_at > moment.now)
          or (status = 'confirmed' and starts_at > moment.now))
      returning bookings.*
    ),
    code as (
      insert into mails
        (booking_id, kind, recipient, sequence, created_at, next_attempt_at, lapses_at,
          browser_hash, network_hash, budget_share, is_beyond_totals)
      select id, 'code', 'person', sequence, moment.now, moment.now, least(
        moment.now + make_interval(secs => ${codeLifetimeSeconds}),
        case status when 'pending' then expires_at end),
        ${browserHash}, ${networkHashes[0] ?? null}::bytea, ${share}, ${isBeyondTotals}::boolean
      from asked, moment
      returning *
    )
    select pg_notify(${dueChannels.mails}, ${dueMailKey}) from code`.execute(transaction);
  return rows.length > 0;
}
