import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { NamedStatement } from '../database/pipelined-transaction.js';
import { findEntry, onlyRow } from '../database/row-queries.js';
import type { MailEventSnapshot } from '../database/rows/booking-snapshots.js';
import type { BookingMailKind, MailDropReason, MailRecipient } from '../database/rows/mails.js';
import type { Database, EventType } from '../database/rows/schema.js';
import { newestSequence } from './due-mail.js';
import { isRecorded, type ModeRecord } from './installation.js';

/** An arbitrary number, the same in every process. */
const mailLock = 0x6d61696c;

const lockStatement = sql`select pg_advisory_xact_lock(${sql.lit(mailLock)})`;

/**
 * Serializes the transactions that make and claim mails, so that the mails of a booking are sent in the
 * order of its events, and those of a mailbox are counted without races. It is a statement of its own, so
 * that the next one sees what the lock's previous holder committed.
 */
export async function lockMails(transaction: Transaction<Database>) {
  await lockStatement.execute(transaction);
}

/** `lockMails` for a pipelined transaction. */
export function lockMailsQuery(database: Kysely<Database>): NamedStatement {
  return { name: 'lock mails', query: lockStatement.compile(database) };
}

/** Whether mail is on, and there are events whose mails are not made yet. */
export async function hasEventsToMail(database: Kysely<Database>) {
  const row = await database
    .selectFrom('events_to_mail')
    .select('event_id')
    .where(isRecorded('mail_on'))
    .executeTakeFirst();
  return row !== undefined;
}

/** An event whose mails are not made yet, and the facts that decide which ones it has. */
export type EventToMail = BookingEventToMail | CalendarEventToMail;

type TracedEventToMail = EventToMail & { traceContext: string | null };

interface BookingEventToMail {
  id: string;
  type: Exclude<EventType, CalendarEventToMail['type']>;
  bookingId: string;
  occurredAt: Date;
  data: MailEventSnapshot;
  /** The sequence of the booking after the event. */
  sequence: number;
  startsAt: Date;
  /** Whether the booking has an e-mail address. */
  hasEmail: boolean;
  /** The artists' addresses by id, in lower case; without those that are the studio's. */
  artistEmails: Readonly<Record<number, string>>;
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
export async function listEventsToMail(transaction: Transaction<Database>) {
  const { rows } = await sql<TracedEventToMail>`
    select events.id, type, booking_id as "bookingId", occurred_at as "occurredAt", data,
      coalesce((data->>'sequence')::integer, (
        select count(*) from events earlier
        where earlier.booking_id = events.booking_id and earlier.position < events.position
          and earlier.type <> 'booking.conflict'
      )::integer) as sequence,
      (data->>'starts_at_text')::timestamptz as "startsAt",
      bookings.email is not null as "hasEmail", (
        select coalesce(json_object_agg(artists.id, lower(artists.email)), '{}')
        from artists join studio on lower(studio.email) <> lower(artists.email)
      ) as "artistEmails", watched_calendars.id as "calendarId",
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
  artistId: number | null;
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
 * Inserts the mails of events in the given order, unless they exist or their calendar does not, and
 * removes the events from the list of those without mails. Drops mails of the same bookings that a later
 * change has made pointless, and reminders that a later one replaces, unless they are being sent.
 */
export async function recordMailsOfEvents(
  transaction: Transaction<Database>,
  eventIds: string[],
  mails: NewMail[],
) {
  const bookingIds = mails.flatMap((mail) => ('bookingId' in mail ? [mail.bookingId] : []));
  const calendarIds = mails.flatMap((mail) => ('calendarId' in mail ? [mail.calendarId] : []));
  await sql`
    -- Locked, so that none is removed before the insert, whose foreign key would fail.
    with calendars as materialized (
      select id from watched_calendars where id = any(${calendarIds}::uuid[]) for key share
    )
    insert into mails
      (event_id, booking_id, calendar_id, kind, recipient, artist_id, sequence, created_at,
        next_attempt_at)
    select "eventId", "bookingId", "calendarId", kind, recipient, "artistId", sequence, moment.now,
      greatest("sendAt", moment.now)
    from (select booking_now() as now) as moment,
      rows from (jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as (
        "eventId" uuid, "bookingId" uuid, "calendarId" uuid, kind text, recipient text,
        "artistId" integer, sequence integer, "sendAt" timestamptz)) with ordinality as mail
    where "calendarId" is null or "calendarId" in (select id from calendars)
    order by mail.ordinality
    on conflict (event_id, recipient, kind) do nothing`.execute(transaction);
  await sql`
    update mails set ${dropped('superseded')}
    from bookings
    where bookings.id = mails.booking_id
      and (mails.sequence < ${newestSequence('mails')}
        or mails.kind = 'reminder' and exists (
          select from mails later
          where later.booking_id = mails.booking_id and later.kind = 'reminder'
            and later.recipient = mails.recipient
            and later.sequence > mails.sequence))
      and mails.kind not in ('code', 'conflict')
      and mails.booking_id = any(${bookingIds}::uuid[])
      and mails.status = 'pending'
      and (claimed_until is null or claimed_until <= booking_now())`.execute(transaction);
  await sql`delete from events_to_mail where event_id = any(${eventIds}::uuid[])`.execute(
    transaction,
  );
}

/** The assignments that drop a mail. */
function dropped(reason: MailDropReason): RawBuilder<unknown> {
  return sql`
    status = 'dropped', reason = ${sql.lit(reason)}, next_attempt_at = null, claimed_until = null,
    ended_at = booking_now()`;
}

/** Whether a row of `mails` is a reminder whose time has not come, which stays while mail is off. */
const isAhead = sql<boolean>`(
  status = 'pending' and kind = 'reminder' and attempts = 0 and next_attempt_at > booking_now())`;

/** Whether a row of `mails` is dropped while mail is off, as nobody is sending it. */
const isUnsent = sql<boolean>`(
  status = 'pending' and not ${isAhead}
  and (claimed_until is null or claimed_until <= booking_now()))`;

/** Drops unsent mail while mail is off, except later reminders. Returns the number. */
export async function dropWhileMailIsOff(database: Kysely<Database>) {
  const { numAffectedRows = 0n } = await sql`
    update mails set ${dropped('mail_off')}
    where ${isUnsent} and not ${isRecorded('mail_on')}`.execute(database);
  return Number(numAffectedRows);
}

/**
 * Removes events from the list of those without mails while mail is off, except those of the last two
 * minutes, since mail may be switched on meanwhile.
 */
export async function discardEventsToMail(database: Kysely<Database>) {
  await sql`
    delete from events_to_mail using events
    where events.id = event_id and occurred_at < booking_now() - interval '2 minutes'
      and not ${isRecorded('mail_on')}`.execute(database);
}

/** Removes events of bookings from the list of those without mails: nobody is mailed about them. */
export async function leaveUnmailed(
  transaction: Transaction<Database>,
  bookingIds: readonly string[],
) {
  await sql`
    delete from events_to_mail using events
    where events.id = event_id and booking_id = any(${bookingIds}::uuid[])`.execute(transaction);
}

/** The effects of switching mail off. */
export interface MailOffEffects {
  /** Mails that are dropped. */
  unsent: number;
  /** Changes whose mails are never made then. */
  unmade: number;
  /** Reminders that are kept. */
  remindersAhead: number;
  /** Confirmed sessions that are then moved and cancelled without a code. */
  confirmedAhead: number;
}

export async function readMailOffEffects(database: Kysely<Database>) {
  const { rows } = await sql<MailOffEffects>`
    select (select count(*)::integer from mails where ${isUnsent}) as unsent,
      (select count(*)::integer from events_to_mail) as unmade,
      (select count(*)::integer from mails where ${isAhead}) as "remindersAhead",
      (select count(*)::integer from bookings
        where status = 'confirmed' and starts_at > booking_now()) as "confirmedAhead"`.execute(
    database,
  );
  return onlyRow(rows);
}

/** When mail was switched on; null while it is off. Earlier changes are never mailed. */
export async function readMailOnSince(database: Kysely<Database>) {
  const entry = await findEntry(database, 'mail_on' satisfies ModeRecord);
  return entry === null ? null : new Date(entry.value);
}
