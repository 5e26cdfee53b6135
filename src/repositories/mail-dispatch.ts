import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { NamedStatement } from '../database/pipelined-transaction.js';
import type { MailEventSnapshot } from '../database/booking-snapshots.js';
import type { BookingMailKind, MailDropReason, MailRecipient } from '../database/mail-tables.js';
import type { Database, EventType } from '../database/schema.js';

/** Arbitrary, and the same in every process. */
const mailLock = 0x6d61696c;

const lockStatement = sql`select pg_advisory_xact_lock(${sql.lit(mailLock)})`;

/**
 * Serializes the transactions that make and claim mails, so that the mails of a booking are sent in the
 * order of its events, and those of a mailbox are counted without races. It is a statement of its own:
 * the snapshot of the next one includes what the previous holder of the lock committed.
 */
export async function lockMails(transaction: Transaction<Database>): Promise<void> {
  await lockStatement.execute(transaction);
}

/** As `lockMails`, for a pipelined transaction. */
export function lockMailsQuery(database: Kysely<Database>): NamedStatement {
  return { name: 'lock mails', query: lockStatement.compile(database) };
}

/** Whether there are events whose mails are not made yet. */
export async function hasEventsToMail(database: Kysely<Database>): Promise<boolean> {
  const row = await database.selectFrom('events_to_mail').select('event_id').executeTakeFirst();
  return row !== undefined;
}

/** An event whose mails are not made yet, and the facts that decide which ones it has. */
export type EventToMail = BookingEventToMail | CalendarEventToMail;

type TracedEventToMail = EventToMail & { traceContext: string | null };

export interface BookingEventToMail {
  id: string;
  type: Exclude<EventType, CalendarEventToMail['type']>;
  bookingId: string;
  occurredAt: Date;
  data: MailEventSnapshot;
  /** Of the booking after the event. */
  sequence: number;
  startsAt: Date;
  /** Whether the booking has an e-mail address. */
  hasEmail: boolean;
}

export interface CalendarEventToMail {
  id: string;
  type: 'calendar.failing';
  occurredAt: Date;
  /** Null if it is not watched any more. */
  calendarId: string | null;
}

const batchSize = 500;

/**
 * Up to 500 events whose mails are not made yet, oldest first. A booking's sequence grows by one with
 * each event that changes it: for an event of version 2.2.0, which does not contain it, earlier ones are
 * counted.
 */
export async function listEventsToMail(
  transaction: Transaction<Database>,
): Promise<TracedEventToMail[]> {
  const { rows } = await sql<TracedEventToMail>`
    select events.id, type, booking_id as "bookingId", occurred_at as "occurredAt", data,
      coalesce((data->>'sequence')::integer, (
        select count(*) from events earlier
        where earlier.booking_id = events.booking_id and earlier.position < events.position
          and earlier.type <> 'booking.conflict'
      )::integer) as sequence,
      (data->>'starts_at_text')::timestamptz as "startsAt",
      bookings.email is not null as "hasEmail", watched_calendars.id as "calendarId",
      trace_context as "traceContext"
    from events_to_mail join events on events.id = event_id
      left join bookings on bookings.id = booking_id
      left join watched_calendars
        on type = 'calendar.failing' and watched_calendars.id::text = data->>'calendar_id'
    order by position
    limit ${sql.lit(batchSize)}`.execute(transaction);
  return rows;
}

export type NewMail = NewBookingMail | NewCalendarMail;

export interface NewBookingMail {
  eventId: string;
  bookingId: string;
  kind: BookingMailKind;
  recipient: MailRecipient;
  sequence: number;
  /** Null if it is due at once. */
  sendAt: Date | null;
}

export interface NewCalendarMail {
  eventId: string;
  calendarId: string;
  kind: 'calendar_failure';
  recipient: 'studio';
  sequence: 0;
  sendAt: null;
}

/**
 * Inserts the mails of events in the given order, unless they exist or their calendar does not, and takes
 * the events off the list of those whose mails are not made. Drops mails of the same bookings that a later
 * change has made pointless, unless they are being sent.
 */
export async function recordMailsOfEvents(
  transaction: Transaction<Database>,
  eventIds: string[],
  mails: NewMail[],
): Promise<void> {
  const bookingIds = mails.flatMap((mail) => ('bookingId' in mail ? [mail.bookingId] : []));
  const calendarIds = mails.flatMap((mail) => ('calendarId' in mail ? [mail.calendarId] : []));
  await sql`
    -- Locked, so that none is removed before the insert, whose foreign key would fail.
    with calendars as materialized (
      select id from watched_calendars where id = any(${calendarIds}::uuid[]) for key share
    )
    insert into mails
      (event_id, booking_id, calendar_id, kind, recipient, sequence, created_at, next_attempt_at)
    select "eventId", "bookingId", "calendarId", kind, recipient, sequence, moment.now,
      greatest("sendAt", moment.now)
    from (select booking_now() as now) as moment,
      rows from (jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as (
        "eventId" uuid, "bookingId" uuid, "calendarId" uuid, kind text, recipient text,
        sequence integer, "sendAt" timestamptz)) with ordinality as mail
    where "calendarId" is null or "calendarId" in (select id from calendars)
    order by mail.ordinality
    on conflict (event_id, recipient, kind) do nothing`.execute(transaction);
  await sql`
    update mails set ${dropped('superseded')}
    from bookings
    where bookings.id = mails.booking_id and mails.sequence < bookings.sequence
      and mails.kind <> 'code' and mails.booking_id = any(${bookingIds}::uuid[])
      and mails.status = 'pending'
      and (claimed_until is null or claimed_until <= booking_now())`.execute(transaction);
  await sql`delete from events_to_mail where event_id = any(${eventIds}::uuid[])`.execute(
    transaction,
  );
}

/**
 * Ensures that no mails are ever made of earlier events, but for those of the last two minutes: within
 * that time, a process with mail on records that it is.
 */
export async function discardEventsToMail(database: Kysely<Database>): Promise<void> {
  await sql`
    delete from events_to_mail using events
    where events.id = event_id and occurred_at < booking_now() - interval '2 minutes'`.execute(
    database,
  );
}

/** The assignments that drop a mail. */
function dropped(reason: MailDropReason): RawBuilder<unknown> {
  return sql`
    status = 'dropped', reason = ${sql.lit(reason)}, next_attempt_at = null, claimed_until = null,
    ended_at = booking_now()`;
}

const onSinceName = 'mail_on_since';

/** When mail was switched on; null while it is off. */
export async function readMailOnSince(database: Kysely<Database>): Promise<Date | null> {
  const row = await database
    .selectFrom('installation')
    .select('value')
    .where('name', '=', onSinceName)
    .executeTakeFirst();
  return row === undefined ? null : new Date(row.value);
}

/**
 * Locks mails, and records that mail is on. If it was off, drops the mails that were left unsent; not
 * if this process has had it on since `knownSince`, and one without mail has recorded the opposite.
 * Returns when mail was switched on.
 */
export async function switchMailOn(
  transaction: Transaction<Database>,
  knownSince: Date | null,
): Promise<Date> {
  await lockMails(transaction);
  const recorded = await readMailOnSince(transaction);
  if (recorded !== null) return recorded;
  const since = knownSince ?? (await dropUnsentMails(transaction));
  await transaction
    .insertInto('installation')
    .values({ name: onSinceName, value: since.toISOString() })
    .execute();
  return since;
}

/** Drops what was left unsent when mail was switched off, and returns the instant. */
async function dropUnsentMails(transaction: Transaction<Database>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    with moment as materialized (select booking_now() as now),
    dropped as (
      update mails set ${dropped('mail_off')} where status = 'pending'
    )
    select now from moment`.execute(transaction);
  const [moment] = rows;
  if (moment === undefined) throw new Error('the query returned no row');
  return moment.now;
}

/** Records that mail is off: what happens until it is on again is never mailed. */
export async function switchMailOff(database: Kysely<Database>): Promise<void> {
  await database.deleteFrom('installation').where('name', '=', onSinceName).execute();
}
