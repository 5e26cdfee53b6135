import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { ClientOfBooking, ListedClientRow } from '../database/rows/results.js';
import type { BookingRow, Database } from '../database/rows/schema.js';
import {
  clientKey,
  isOfArtist,
  isOfClient,
  isOfPersonWith,
  isToCome,
  lapsed,
} from './booking-search.js';
import { isNamed } from './person-sessions.js';

/**
 * Bookings that were confirmed or are live, with a condition on `column`. The conditions are those of
 * indexes.
 */
function known(condition: RawBuilder<unknown>, column: 'email' | 'phone'): RawBuilder<SqlBool> {
  return sql`(not ${lapsed} and (
    (confirmed_at is not null and ${sql.ref(column)} is not null and ${condition})
    or (status in ('pending', 'confirmed') and ${condition})))`;
}

function knownOf(client: ClientOfBooking): RawBuilder<SqlBool> {
  return known(isOfClient(client), client.email === null ? 'phone' : 'email');
}

interface Selection {
  /** Only the artist's; null: everybody's. */
  artistId?: number | null;
  limit?: number | null;
  isLocking?: boolean;
}

/** The latest first. */
async function listBookings(
  database: Kysely<Database>,
  condition: RawBuilder<unknown>,
  { artistId = null, limit = null, isLocking = false }: Selection,
) {
  const { rows } = await sql<BookingRow>`
    select * from bookings where ${condition} and ${isOfArtist(artistId)}
    order by starts_at desc, created_at desc, id
    limit ${limit} ${isLocking ? sql`for update` : sql``}`.execute(database);
  return rows;
}

/** The booking and its client's others that were confirmed or are live, the latest first. */
export async function listBookingsOfClient(
  database: Kysely<Database>,
  client: ClientOfBooking,
  selection: Selection,
) {
  return listBookings(database, sql`(id = ${client.id} or ${knownOf(client)})`, selection);
}

/** The newest booking of a mailbox; null if no client has it. */
export async function findBookingOfMailbox(database: Kysely<Database>, email: string) {
  const client = knownOf({ id: '', name: null, email, phone: null });
  const [newest = null] = await listBookings(database, client, { limit: 1 });
  return newest;
}

/**
 * The confirmed sessions to come of a client under the name of the booking, without it, by their start. A
 * family shares a mailbox.
 */
export async function listOthersToCome(
  database: Kysely<Database>,
  booking: BookingRow,
  selection: Selection,
) {
  const isOther = sql`status = 'confirmed' and ${isToCome} and id <> ${booking.id}
    and ${isOfClient(booking)} and ${isNamed(booking)}`;
  const latestFirst = await listBookings(database, isOther, selection);
  return latestFirst.reverse();
}

/** The latest booking that another client has by these details, besides some; null without one. */
export async function findClientJoined(
  database: Kysely<Database>,
  present: ClientOfBooking,
  corrected: ClientOfBooking,
  exceptIds: readonly string[],
) {
  const isJoined = sql`${knownOf(corrected)} and (${isOfClient(present)}) is not true
    and id <> all(${exceptIds}::uuid[])`;
  const [latest = null] = await listBookings(database, isJoined, { limit: 1 });
  return latest;
}

/** The newest booking of each other client with one of the phone numbers; with an artist, only theirs. */
export async function listClientsOfPhones(
  database: Kysely<Database>,
  client: ClientOfBooking,
  phones: readonly string[],
  artistId: number | null,
) {
  const { rows } = await sql<BookingRow>`
    select distinct on (${clientKey}) * from bookings
    where ${known(sql`phone = any(${phones}::text[])`, 'phone')} and name is not null
      and (${isOfClient(client)}) is not true and ${isOfArtist(artistId)}
    order by ${clientKey}, starts_at desc`.execute(database);
  return rows;
}

/**
 * Clients by their next session, then those whose latest was last; with a text, only those with it in a
 * name, an e-mail address or a phone number, as `findBookingsByText`. `artistId`: only by the bookings of
 * the artist.
 */
export async function listClients(
  database: Kysely<Database>,
  text: string | null,
  { limit, offset, artistId }: { limit: number; offset: number; artistId: number | null },
) {
  const isFound = text === null ? sql`true` : isOfPersonWith(text);
  const { rows } = await sql<ListedClientRow>`
    with of_clients as (
      select id, ${clientKey} as client, status, starts_at, created_at, no_show_at,
        ${isToCome} as is_to_come, ${isFound} as is_found
      from bookings
      where name is not null and not ${lapsed}
        and (confirmed_at is not null or status = 'pending')
        and ${isOfArtist(artistId)}
    ),
    clients as (
      select (array_agg(id order by is_to_come desc, case when is_to_come then starts_at end,
          starts_at desc, created_at desc))[1] as shown_id,
        count(*) filter (where status = 'confirmed')::integer as sessions,
        count(no_show_at)::integer as no_shows, bool_or(is_to_come) as is_to_come
      from of_clients
      group by client
      having bool_or(is_found)
    )
    select bookings.*, sessions, no_shows, is_to_come
    from clients join bookings on bookings.id = shown_id
    order by is_to_come desc, case when is_to_come then starts_at end, starts_at desc, shown_id
    limit ${limit} offset ${offset}`.execute(database);
  return rows;
}
