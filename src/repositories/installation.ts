import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { findEntry, onlyRow } from '../database/row-queries.js';
import type { InstallationMode } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import { readPackage } from '../platform/package-root.js';

/** A row of `installation` with an instant, while mail is on, or confirming takes a code. */
export type ModeRecord = 'mail_on' | 'code_on';

export function isRecorded(record: ModeRecord): RawBuilder<boolean> {
  return sql`exists (select from installation where name = ${sql.lit(record)})`;
}

/** `InstallationMode`, as JSON. */
export const modeObject = sql<InstallationMode>`json_build_object(
  'mail', ${isRecorded('mail_on')},
  'confirmation', case when ${isRecorded('code_on')} then 'code' else 'link' end)`;

export async function readMode(database: Kysely<Database>) {
  const { rows } = await sql<{ mode: InstallationMode }>`select ${modeObject} as mode`.execute(
    database,
  );
  return onlyRow(rows).mode;
}

/** Records the mode, and has the boards of all processes read it. The caller holds `lockMails`. */
export async function recordMode(
  transaction: Transaction<Database>,
  record: ModeRecord,
  isOn: boolean,
) {
  await (
    isOn
      ? sql`insert into installation (name, value)
        values (${record}, to_json(booking_now()) #>> '{}') on conflict do nothing`
      : sql`delete from installation where name = ${record}`
  ).execute(transaction);
  const notice = JSON.stringify({ type: 'mode', booking_id: null });
  await sql`select pg_notify('booking_events', ${notice})`.execute(transaction);
}

/**
 * Records the address of links, for commands that run without the service's settings, and its predecessor
 * in a row of its own, with the instant of the change.
 */
export async function recordPublicBaseUrl(database: Kysely<Database>, publicBaseUrl: string) {
  await sql`
    with former as (
      insert into installation (name, value)
      select 'former_base_url ' || extract(epoch from booking_now()), value
      from installation where name = 'public_base_url' and value <> ${publicBaseUrl}
      on conflict do nothing
    )
    insert into installation (name, value) values ('public_base_url', ${publicBaseUrl})
    on conflict (name) do update set value = excluded.value
      where installation.value <> excluded.value`.execute(database);
}

/** The days after a change of the address in which `readFormerAddresses` returns the former one. */
const formerAddressDays = 90;

/** The things that were made while PUBLIC_BASE_URL was another address, and still lead there. */
export interface FormerAddress {
  url: string;
  /** The date of the change. */
  until: string;
  /** The date until which this is returned. */
  forgottenOn: string;
  /** Live, to come. */
  bookings: number;
  feeds: number;
  passkeys: number;
}

/** The former addresses, the latest first. One that is in use again is none. */
export async function readFormerAddresses(
  database: Kysely<Database>,
  publicBaseUrl: string,
): Promise<FormerAddress[]> {
  const { rows } = await sql<FormerAddress>`
    with former as (
      select value as url, until, lag(until, 1, '-infinity') over (order by until) as since
      from installation, to_timestamp(split_part(name, ' ', 2)::double precision) as until
      where name like 'former\\_base\\_url %'
    )
    select url, max(until)::date::text as until,
      (max(until)::date + ${formerAddressDays}::integer)::text as "forgottenOn",
      sum((select count(*) from bookings
        where created_at >= since and created_at < until
          and starts_at > booking_now() and date >= booking_now()::date - 2
          and (status = 'confirmed' or status = 'pending' and expires_at > booking_now())
      ))::integer as bookings,
      sum((select count(*) from calendar_feeds
        where created_at >= since and created_at < until))::integer as feeds,
      sum((select count(*) from passkeys
        where created_at >= since and created_at < until))::integer as passkeys
    from former where url <> ${publicBaseUrl}
    group by url
    having max(until)::date + ${formerAddressDays}::integer > booking_now()::date
    order by max(until) desc`.execute(database);
  return rows;
}

/** The address of the service's latest start; null before the first of this version. */
export async function readPublicBaseUrl(database: Kysely<Database>) {
  return (await findEntry(database, 'public_base_url'))?.value ?? null;
}

const name = 'origin_mismatch';
/** Whether the row, `<seconds since the epoch> <origin>`, is at most that many seconds old. */
const isWithin = (seconds: number) =>
  sql`split_part(installation.value, ' ', 1)::numeric > extract(epoch from booking_now()) - ${seconds}::int`;

/** Returns false, and changes nothing, if one was recorded within the last hour. */
export async function recordOriginMismatch(database: Kysely<Database>, origin: string) {
  const { rows } = await sql`
    insert into installation (name, value)
    values (${name}, extract(epoch from booking_now()) || ' ' || ${origin})
    on conflict (name) do update set value = excluded.value where not ${isWithin(3_600)}
    returning name`.execute(database);
  return rows.length > 0;
}

/** The origin that was recorded last, within 24 hours, or null. */
export async function readOriginMismatch(database: Kysely<Database>) {
  const { rows } = await sql<{ origin: string }>`
    select split_part(value, ' ', 2) as origin from installation
    where name = ${name} and ${isWithin(86_400)}`.execute(database);
  return rows[0]?.origin ?? null;
}

/**
 * Resolves when the database answers. Fails where this version is below the database's minimum
 * (`isOutdated`).
 */
export async function pingDatabase(database: Kysely<Database>) {
  await sql`select require_version(${readPackage().version})`.execute(database);
}
