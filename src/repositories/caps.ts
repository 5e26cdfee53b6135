import { sql, type Kysely, type RawBuilder } from 'kysely';
import { onlyRow } from '../database/rows.js';
import type { Database } from '../database/schema.js';

/**
 * Whether a booking is pending and not expired, or confirmed and not over, and thus counts towards
 * the caps of live bookings; what the studio adds does not. The query must provide `moment.now`.
 */
function countsTowardsCaps(sessionHours: number): RawBuilder<boolean> {
  return sql`status in ('pending', 'confirmed') and channel is distinct from 'studio'
    and case status when 'pending' then expires_at
      else starts_at + make_interval(hours => ${sessionHours}) end > moment.now`;
}

/**
 * Whether a booking counts towards the cap per person: live, and where confirming takes a code
 * (`isCodeRequired`), pending or confirmed with one, since a link does not prove that the named person
 * has confirmed. The query must provide `moment.now`.
 */
export function countsTowardsPersonCap(
  sessionHours: number,
  isCodeRequired: boolean,
): RawBuilder<boolean> {
  const live = countsTowardsCaps(sessionHours);
  return isCodeRequired ? sql`${live} and (status = 'pending' or confirmed_via = 'code')` : live;
}

/**
 * Whether a booking counts towards the cap per caller: live, and placed within the last 24 hours. The
 * query must provide `moment.now`.
 */
export function countsTowardsCallerCap(sessionHours: number): RawBuilder<boolean> {
  return sql`${countsTowardsCaps(sessionHours)} and created_at > moment.now - interval '24 hours'`;
}

interface CallersAtCap {
  /** The number of networks (IPv4 addresses, IPv6 /48), without the people of platforms. */
  addresses: number;
  apiKeyIds: string[];
}

/** The callers that have reached the cap of live bookings placed within 24 hours. */
export async function findCallersAtCap(
  database: Kysely<Database>,
  cap: number,
  sessionHours: number,
) {
  const { rows } = await sql<CallersAtCap>`
    with moment as materialized (select booking_now() as now),
    placed as materialized (
      select caller_network_hash, api_key_id, platform from bookings, moment
      where ${countsTowardsCallerCap(sessionHours)}
    ),
    networks as (
      select caller_network_hash from placed
      where caller_network_hash is not null and platform is null
      group by caller_network_hash having count(*) >= ${cap}
    ),
    keys as (
      select api_key_id from placed where api_key_id is not null
      group by api_key_id having count(*) >= ${cap}
    )
    select (select count(*)::integer from networks) as addresses,
      (select coalesce(array_agg(api_key_id::text order by api_key_id), '{}') from keys) as "apiKeyIds"`.execute(
    database,
  );
  return onlyRow(rows);
}
