import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { newestOfBooking } from '../database/row-queries.js';
import {
  publicBookingColumns,
  type AuditAction,
  type Database,
  type EventRow,
  type EventType,
} from '../database/rows/schema.js';
import { activeTraceContext } from '../platform/tracing/tracing.js';
import { isProven } from './webhook-subscriptions.js';

/**
 * SQL that records one event per row of `source`, a common table expression with whole booking rows, in
 * the statement of the change (src/decisions.md). `moreData` is a JSON object of further members, made of
 * columns of `source`.
 */
export function recordBookingEvents(
  type: EventType,
  source: string,
  occurredAt: RawBuilder<unknown>,
  moreData?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const data = moreData === undefined ? publicColumns : sql`${publicColumns} || ${moreData}`;
  return sql`
    insert into events (type, booking_id, occurred_at, data, trace_context)
    select ${sql.lit(type)}, id, ${occurredAt}, ${data}, ${activeTraceContext()}::text
    from ${sql.table(source)}
    order by expires_at`;
}

/** The artist of a booking or a slot; nothing where the studio has one artist. */
export function artistData(
  artistId: RawBuilder<unknown>,
  artistName: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`case when ${artistName} is null then '{}' else jsonb_build_object(
    'artist_id', ${artistId}, 'artist_name', ${artistName}) end`;
}

/** The public columns of a booking, as they are at the commit. */
const publicColumns = sql`jsonb_build_object(${sql.join(
  publicBookingColumns
    .filter((column) => column !== 'artist_id' && column !== 'artist_name')
    .flatMap((column) => [sql.lit(column), sql.ref(column)]),
)}) || ${artistData(sql`artist_id`, sql`artist_name`)}`;

/** Further data of events that mails are made of: the booking's new sequence, and who changed it. */
export function changeData(
  by: 'person' | 'studio' | 'service' | RawBuilder<string>,
): RawBuilder<unknown> {
  const changer = typeof by === 'string' ? sql.lit(by) : by;
  return sql`jsonb_build_object('sequence', sequence, 'by', ${changer})`;
}

/**
 * Further data of an event of a booking that keeps its slot (`ChangeInSlot`). The update must increment
 * `quiet_changes` with the sequence if the mails of earlier changes stay of use.
 */
export function changeInSlotData(by: 'studio' | 'service', isQuiet = false): RawBuilder<unknown> {
  return sql`${changeData(by)} || jsonb_build_object('is_quiet', ${sql.lit(isQuiet)})`;
}

/** Further data of a change with the studio's words (column `studio_word`). */
export function wordData(word: string | null): RawBuilder<unknown> {
  return sql`jsonb_build_object('has_word', ${word !== null}::boolean)`;
}

/** The data of an event that changes nothing; see `changeData`. */
export const sequenceData = sql`jsonb_build_object('sequence', sequence)`;

const dispatchBatchSize = 500;

/** The most deliveries of one batch, so that it stays within the statement timeout. */
const deliveriesPerBatch = 20_000;

/**
 * Locks up to 500 undispatched event rows, oldest first; fewer if there are many webhook
 * subscriptions. Skips rows that another dispatcher has locked, so that several can run at once.
 *
 * Also locks their unproven subscriptions, so that the next statement sees all deliveries that wait for
 * these; in the order of `recordAttempts`, so that no deadlock arises.
 */
export async function lockUndispatchedEvents(transaction: Transaction<Database>) {
  const { rows } = await sql<EventRow>`
    with undispatched as materialized (
      select * from events where dispatched_at is null
      order by position
      limit (
        select least(
          ${dispatchBatchSize}, greatest(1, ${deliveriesPerBatch} / greatest(1, count(*))))
        from webhook_subscriptions where disabled_at is null)
      for update skip locked
    ),
    unproven as materialized (
      select id from webhook_subscriptions subscription
      where disabled_at is null and not ${isProven}
        and exists (select from undispatched where type = any(subscription.events))
      order by id for no key update
    )
    select undispatched.* from undispatched, (select count(*) from unproven) as after_locks
    order by position`.execute(transaction);
  return rows;
}

/** Marks locked event rows as dispatched. `webhookBody` is null if there is no delivery. */
export async function markDispatched(
  transaction: Transaction<Database>,
  events: { id: string; webhookBody: string | null }[],
) {
  await sql`
    update events set dispatched_at = booking_now(), webhook_body = event."webhookBody"
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (
      id uuid, "webhookBody" text)
    where events.id = event.id`.execute(transaction);
}

/** How many event rows are undispatched, and the age of the oldest (0 if there is none). */
export async function readEventBacklog(database: Kysely<Database>) {
  const { rows } = await sql<{ count: number; oldestAgeSeconds: number }>`
    select count(*)::integer as count,
      coalesce(
        extract(epoch from booking_now() - min(occurred_at))::float8, 0
      ) as "oldestAgeSeconds"
    from events where dispatched_at is null`.execute(database);
  return rows[0] ?? { count: 0, oldestAgeSeconds: 0 };
}

/** Records that the studio, or a watched calendar, changed which slots are open, or how they are shown. */
export async function recordCalendarChange(
  transaction: Transaction<Database>,
  change: AuditAction | 'calendar fetch' | 'zone data',
) {
  await transaction
    .insertInto('events')
    .values({
      type: 'calendar.changed',
      occurred_at: sql<Date>`booking_now()`,
      data: JSON.stringify({ change }),
      trace_context: activeTraceContext(),
    })
    .execute();
}

export async function listNewestEvents(database: Kysely<Database>, limit: number) {
  const rows = await database
    .selectFrom('events')
    .selectAll()
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

export async function listEventsAfter(database: Kysely<Database>, position: number) {
  return database
    .selectFrom('events')
    .selectAll()
    .where('position', '>', String(position))
    .orderBy('position')
    .execute();
}

/** An event of a booking, with the present name of its person. */
export interface BookingEvent extends EventRow {
  booking_id: string;
  name: string | null;
}

/**
 * Events of confirmed sessions since an instant, newest first. Leaves out holds and changes within a
 * slot. The types must be those of the index `events_of_sessions`, or it is not used.
 */
export async function listSessionEventsSince(
  database: Kysely<Database>,
  since: Date,
  { limit, artistId }: { limit: number; artistId: number | null },
) {
  const { rows } = await sql<BookingEvent>`
    select events.*, bookings.name
    from events join bookings on bookings.id = booking_id
    where type in ('booking.confirmed', 'booking.moved', 'booking.cancelled', 'booking.conflict')
      and occurred_at > ${since}::timestamptz
      and data->>'confirmed_at' is not null
      and not data ? 'left_undecided'
      and (${artistId}::integer is null or bookings.artist_id = ${artistId})
    order by occurred_at desc, position desc
    limit ${limit}`.execute(database);
  return rows;
}

export const listEventsOfBooking = newestOfBooking('events');
