import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { findEntry, onlyRow } from '../database/row-queries.js';
import type { BookingRow, ClosureRow, Database } from '../database/rows/schema.js';
import { changeData, recordBookingEvents } from './events.js';

/** Rows of a batch of exports and imports of the whole installation. */

const batchSize = 1_000;

/** A transaction that sees one snapshot and changes nothing, however long its reader takes. */
export async function withSnapshot<Result>(
  database: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
) {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await disableTimeouts(transaction);
      return work(transaction);
    });
}

/** Disables the timeouts of the transaction, except that for locks. */
export async function disableTimeouts(transaction: Transaction<Database>) {
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
}

/** Milliseconds since the epoch, by the database's clock. */
export async function readNow(transaction: Transaction<Database>) {
  const { rows } = await sql<{ now: Date }>`select booking_now() as now`.execute(transaction);
  return onlyRow(rows).now.getTime();
}

/** Reads rows in batches, so that memory does not grow with their number. */
async function* rowsOf<Row>(transaction: Transaction<Database>, query: RawBuilder<Row>) {
  await sql`declare exported no scroll cursor for ${query}`.execute(transaction);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(batchSize)} from exported`.execute(transaction);
    yield* rows;
    if (rows.length < batchSize) break;
  }
  await sql`close exported`.execute(transaction);
}

export const streamBookings = (transaction: Transaction<Database>) =>
  rowsOf(
    transaction,
    sql<BookingRow & { artist: string }>`
      select bookings.*, slug as artist from bookings join artists on artists.id = artist_id
      order by created_at, bookings.id`,
  );

export const streamClosures = (transaction: Transaction<Database>) =>
  rowsOf(
    transaction,
    sql<ClosureRow & { artist: string | null }>`
      select closures.*, slug as artist from closures left join artists on artists.id = artist_id
      order by from_date, to_date, created_at, closures.id`,
  );

export const streamOpenings = (transaction: Transaction<Database>) =>
  rowsOf(
    transaction,
    sql<
      Selectable<Database['openings']>
    >`select * from openings order by date, time_slot::text::time`,
  );

export async function readOtherAddresses(database: Kysely<Database>) {
  return database.selectFrom('studio_addresses').selectAll().orderBy('from_date').execute();
}

/** The versions of the data of the time zones that the studio or a booking has. */
export async function readZoneVersions(database: Kysely<Database>) {
  const { rows } = await sql<{ timezone: string; version: string }>`
    select timezone, version from zone_data
    where timezone in (select timezone from studio union select timezone from bookings)
    order by timezone`.execute(database);
  return rows;
}

/**
 * The number of entries of one kind, such as `passkey`, that an export leaves out, and their names in
 * lists.
 */
export interface LeftOut {
  kind: string;
  count: number;
  names: string[];
}

export async function listLeftOut(database: Kysely<Database>) {
  const { rows } = await sql<LeftOut>`
    select kind, count(*)::integer as count,
      coalesce(array_agg(name order by name) filter (where name is not null), '{}') as names
    from (
      select 'watched calendar' as kind, label as name from watched_calendars
      union all select 'calendar feed', label from calendar_feeds
      union all select 'webhook', target_host from webhook_subscriptions where disabled_at is null
      union all select 'API key', null from api_keys where revoked_at is null
      union all select 'passkey', name from passkeys
      union all select 'platform', name from platforms
    ) as unexported group by kind order by kind`.execute(database);
  return rows;
}

/** Records what the imported export left out; removes the record when it is empty. */
export async function recordLeftOut(
  transaction: Transaction<Database>,
  leftOut: readonly LeftOut[],
) {
  await sql`
    insert into installation (name, value) values ('left_out', ${JSON.stringify(leftOut)})
    on conflict (name) do update set value = excluded.value`.execute(transaction);
}

export async function readLeftOut(database: Kysely<Database>) {
  const entry = await findEntry(database, 'left_out');
  return JSON.parse(entry?.value ?? '[]') as LeftOut[];
}

/** Records versions that are newer than the recorded ones. */
export async function raiseZoneVersions(
  transaction: Transaction<Database>,
  versions: readonly { timezone: string; version: string }[],
) {
  await sql`
    insert into zone_data (timezone, version, recorded_at)
    select timezone, version, booking_now()
    from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) as known (timezone text, version text)
    on conflict (timezone) do update
      set version = excluded.version, recorded_at = excluded.recorded_at
      where zone_data.version < excluded.version`.execute(transaction);
}

/** The tables with something that a first start does not insert. */
export async function listFilledTables(transaction: Transaction<Database>) {
  const { rows } = await sql<{ name: string }>`
    select name from (values
      ('bookings', exists (select from bookings)),
      ('closures', exists (select from closures)),
      ('openings', exists (select from openings)),
      ('studio_addresses', exists (select from studio_addresses)),
      ('studio', exists (select from audit_log where action = 'info set')),
      ('week_days', exists (select from audit_log where action = 'hours set')),
      ('artists', exists (select from artists where name <> '')
        or exists (select from week_days where artist_id is not null))
    ) as tables (name, is_filled)
    where is_filled`.execute(transaction);
  return rows.map(({ name }) => name);
}

type ImportedTable = 'bookings' | 'closures' | 'openings' | 'studio_addresses';

/**
 * Inserts rows, whose members are columns, in their order, except those that a unique index refuses.
 * Returns the values of `key` of the inserted ones.
 */
export async function insertImported(
  transaction: Transaction<Database>,
  table: ImportedTable,
  rows: readonly object[],
  key: readonly string[],
) {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)));
  const { rows: inserted } = await sql<Record<string, string>>`
    insert into ${sql.table(table)} (${columns})
    select ${columns}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing
    returning ${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}`.execute(transaction);
  return inserted.map((row) => key.map((column) => row[column]).join(' '));
}

/** Permits only those imported sessions to overlap that do. */
export async function findOverlaps(transaction: Transaction<Database>) {
  await sql`
    update bookings set may_overlap = false
    where may_overlap and not exists (
      select from bookings other
      where other.id <> bookings.id and other.status in ('pending', 'confirmed')
        and other.artist_id = bookings.artist_id
        and other.date between bookings.date - 2 and bookings.date + 2
        and other.ends_at > bookings.starts_at and other.starts_at < bookings.ends_at)`.execute(
    transaction,
  );
}

/** Restores the decisions that the trigger of inserted bookings has changed. */
export async function setClosedDayChoices(
  transaction: Transaction<Database>,
  choices: readonly Pick<BookingRow, 'id' | 'closed_day_choice'>[],
) {
  await sql`
    update bookings set closed_day_choice = chosen.closed_day_choice
    from jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) as chosen (
      id uuid, closed_day_choice text)
    where bookings.id = chosen.id`.execute(transaction);
}

/**
 * Keeps the sessions of hidden artists that are in no closure, as the migration of 3.1 does
 * (`0045-artist-days.ts`): in exports before, hiding left them without a decision.
 */
export async function keepSessionsOfHidden(transaction: Transaction<Database>) {
  await sql`
    update bookings set closed_day_choice = 'kept'
    where status in ('pending', 'confirmed') and closed_day_choice is null
      and date >= (select booking_now()::date - 2)
      and artist_id in (select id from artists where hidden_at is not null)
      and not exists (
        select from closures
        where from_date <= date and to_date >= date
          and (closures.artist_id is null or closures.artist_id = bookings.artist_id)
          and (closures.time_slot is null or closures.time_slot = bookings.time_slot))`.execute(
    transaction,
  );
}

/** The reason why a booking cannot be inserted. */
export async function findConflict(
  transaction: Transaction<Database>,
  {
    id,
    status,
    date,
    time_slot,
    artist = null,
  }: Pick<BookingRow, 'id' | 'status' | 'date' | 'time_slot'> & { artist?: string | null },
) {
  const { rows } = await sql<{ id: string; isSame: boolean }>`
    select id, id = ${id} as "isSame" from bookings
    where id = ${id} or (
      ${status} in ('pending', 'confirmed') and status in ('pending', 'confirmed')
      and date = ${date}::date and time_slot = ${time_slot}
      and (${artist}::text is null or artist_id = (select id from artists where slug = ${artist})))
    order by 2 desc limit 1`.execute(transaction);
  return rows[0] ?? null;
}

/**
 * Makes the reminders of imported sessions to come, each with the event of a confirmation, of which
 * nothing else is made. The database has no other events of bookings.
 */
export async function insertReminders(transaction: Transaction<Database>, reminderHours: number) {
  if (reminderHours === 0) return;
  const moreData = changeData(sql`case channel when 'studio' then 'studio' else 'person' end`);
  await sql`
    with reminded as materialized (
      select * from bookings
      where status = 'confirmed' and email is not null
        and starts_at - make_interval(hours => ${reminderHours}) > booking_now()
    )
    ${recordBookingEvents('booking.confirmed', 'reminded', sql`confirmed_at`, moreData)}`.execute(
    transaction,
  );
  await sql`
    with silenced as (
      update events set dispatched_at = booking_now() where booking_id is not null
      returning id, booking_id
    ),
    unmailed as (delete from events_to_mail using silenced where event_id = silenced.id)
    insert into mails
      (event_id, booking_id, kind, recipient, sequence, created_at, next_attempt_at)
    select silenced.id, bookings.id, 'reminder', 'person', sequence, booking_now(),
      starts_at - make_interval(hours => ${reminderHours})
    from silenced join bookings on bookings.id = booking_id`.execute(transaction);
}
