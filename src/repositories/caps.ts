import { sql, type Kysely, type RawBuilder } from 'kysely';
import { onlyRow } from '../database/row-queries.js';
import type { Database } from '../database/rows/schema.js';

export interface HoldCaps {
  /** Pending holds of the whole studio. */
  pendingOfStudio: number;
  /** The number beyond which only a network without pending holds gets one. */
  pendingInCommon: number;
  /** Pending holds of one caller, by API key and by network. */
  pendingOfCaller: number;
  /** Live bookings (pending, or confirmed and not over) of one person, by e-mail and by phone. */
  liveOfPerson: number;
  /**
   * Whether confirming takes a code: a booking confirmed without one then counts for no person, and the
   * e-mail alone identifies a person.
   */
  isCodeRequired: boolean;
  /** Live bookings that one caller placed within 24 hours, by API key and by network. */
  liveOfCaller: number;
  /** The caps of the caller's platform as a whole. */
  platform: PlatformCaps | null;
  /** The longest duration of a session. */
  sessionHours: number;
}

export interface PlatformCaps {
  pending: number;
  /** Live bookings placed within 24 hours. */
  live: number;
}

/** The pending holds with the chosen artist that one network may have in a week. */
export interface ArtistCap {
  artistId: number;
  /** Dates, inclusive. */
  from: string;
  to: string;
  holds: number;
}

/** The caller whose pending holds count, as a hold stores it. */
export interface HoldingCaller {
  callerNetworkHashes: readonly Buffer[];
  apiKeyId: string | null;
  platform: string | null;
}

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

/**
 * Whether a network has as many holds as the cap allows; null: there is no cap. `isCounted`: which holds
 * of the artist's week (`other`) are the network's. The statement must provide `moment`.
 */
export function isAtArtistCap(
  cap: ArtistCap | null,
  isCounted: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`coalesce((
    select count(*) from bookings other
    where status = 'pending' and expires_at > (select now from moment) and is_artist_chosen
      and artist_id = ${cap?.artistId ?? null}::integer
      and date between ${cap?.from ?? null}::date and ${cap?.to ?? null}::date and ${isCounted}
  ) >= ${cap?.holds ?? null}::integer, false)`;
}

/**
 * Whether the network of a row of `bookings` has as many other holds as the cap allows, and the hold does
 * not count towards it yet. The statement must provide `moment`.
 */
export function isBeyondArtistCap(cap: ArtistCap | null): RawBuilder<boolean> {
  const areOfSameNetwork = sql`
    other.id <> bookings.id and other.caller_network_hash = bookings.caller_network_hash`;
  return sql`(${isAtArtistCap(cap, areOfSameNetwork)} and not (
    bookings.is_artist_chosen and bookings.artist_id = ${cap?.artistId ?? null}::integer
    and bookings.date between ${cap?.from ?? null}::date and ${cap?.to ?? null}::date))`;
}

/** Whether the hold would exceed the cap of an artist, once it is with them in the week of the cap. */
export async function exceedsArtistCap(
  database: Kysely<Database>,
  id: string,
  cap: ArtistCap | null,
) {
  const { rows } = await sql`
    with moment as materialized (select booking_now() as now)
    select from bookings where id = ${id} and ${isBeyondArtistCap(cap)}`.execute(database);
  return rows.length > 0;
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

/**
 * Seconds until expiry brings the pending holds below every cap, if none is confirmed or released before;
 * null if no cap is reached. Beyond the common places, a network waits for one of these, or for the end
 * of its own holds.
 */
export async function secondsUntilPlaceIsFree(
  database: Kysely<Database>,
  caller: HoldingCaller,
  caps: HoldCaps,
) {
  const { rows } = await sql<{ seconds: number | null }>`
    with moment as materialized (select booking_now() as now),
    pending as (
      select expires_at, caller_network_hash, api_key_id, platform from bookings, moment
      where status = 'pending' and expires_at > moment.now
    ),
    of_network as (
      select expires_at from pending
      where caller_network_hash = any(${caller.callerNetworkHashes}::bytea[])
    ),
    free_at as (
      (select expires_at from pending
        order by expires_at desc offset ${caps.pendingOfStudio - 1} limit 1)
      union all
      (select least(expires_at, (select max(expires_at) from of_network)) from pending
        where exists (select from of_network)
          or cardinality(${caller.callerNetworkHashes}::bytea[]) = 0
        order by expires_at desc offset ${caps.pendingInCommon - 1} limit 1)
      union all
      (select expires_at from of_network
        order by expires_at desc offset ${caps.pendingOfCaller - 1} limit 1)
      union all
      (select expires_at from pending where api_key_id = ${caller.apiKeyId}
        order by expires_at desc offset ${caps.pendingOfCaller - 1} limit 1)
      union all
      (select expires_at from pending where platform = ${caller.platform}
        order by expires_at desc offset ${(caps.platform?.pending ?? 1) - 1} limit 1)
    )
    select ceil(extract(epoch from max(expires_at) - (select now from moment)))::integer as seconds
    from free_at`.execute(database);
  return rows[0]?.seconds ?? null;
}
