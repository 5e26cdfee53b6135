import { sql, type Kysely, type RawBuilder, type SqlBool, type Transaction } from 'kysely';
import type { ClientOfBooking, ListedClientRow } from '../database/rows/results.js';
import type { BookingRow, Database } from '../database/rows/schema.js';
import {
  clientKey,
  foldedText,
  isOfClient,
  isOfPersonWith,
  isToCome,
  lapsed,
} from './booking-search.js';
import { foldedName } from './person-sessions.js';

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

/** The booking and its client's others that were confirmed or are live, the latest first. */
export async function listBookingsOfClient(
  database: Kysely<Database>,
  client: ClientOfBooking,
  limit: number,
) {
  return database
    .selectFrom('bookings')
    .selectAll()
    .where((row) => row.or([sql<SqlBool>`id = ${client.id}`, knownOf(client)]))
    .orderBy('starts_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
}

/** The newest booking of each other client with one of the phone numbers. */
export async function listClientsOfPhones(
  database: Kysely<Database>,
  client: ClientOfBooking,
  phones: readonly string[],
) {
  const { rows } = await sql<BookingRow>`
    select distinct on (${clientKey}) * from bookings
    where ${known(sql`phone = any(${phones}::text[])`, 'phone')} and name is not null
      and (${isOfClient(client)}) is not true
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
      from bookings, ${foldedText(text ?? '')} as folded
      where name is not null and not ${lapsed}
        and (confirmed_at is not null or status = 'pending')
        and (${artistId}::integer is null or artist_id = ${artistId})
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

/** The newest booking of a mailbox; null if no client has it. */
export async function findBookingOfMailbox(database: Kysely<Database>, email: string) {
  const ofMailbox = { id: '', name: null, email, phone: null };
  const { rows } = await sql<BookingRow>`
    select * from bookings where ${knownOf(ofMailbox)}
    order by starts_at desc, created_at desc limit 1`.execute(database);
  return rows[0] ?? null;
}

/**
 * The confirmed sessions to come of a client under the name of the booking, without it, by their start,
 * with an artist only theirs. A family shares a mailbox.
 */
export async function listOthersToCome(
  database: Kysely<Database>,
  booking: BookingRow,
  { isLocking = false, artistId }: { isLocking?: boolean; artistId: number | null },
) {
  const { rows } = await sql<BookingRow>`
    select * from bookings
    where status = 'confirmed' and ${isToCome} and id <> ${booking.id} and ${isOfClient(booking)}
      and ${foldedName(sql`name`)} = ${foldedName(booking.name)}
      and (${artistId}::integer is null or artist_id = ${artistId})
    order by starts_at, id
    ${isLocking ? sql`for update` : sql``}`.execute(database);
  return rows;
}

/** The latest booking that another client has by these details, besides some; null without one. */
export async function findClientJoined(
  database: Kysely<Database>,
  present: ClientOfBooking,
  corrected: ClientOfBooking,
  exceptIds: readonly string[],
) {
  const { rows } = await sql<BookingRow>`
    select * from bookings
    where ${knownOf(corrected)} and (${isOfClient(present)}) is not true
      and id <> all(${exceptIds}::uuid[])
    order by starts_at desc, id limit 1`.execute(database);
  return rows[0] ?? null;
}

/** Locks what `listBookingsOfClient` lists, and returns it, the oldest first. */
export async function lockBookingsOfClient(
  transaction: Transaction<Database>,
  client: ClientOfBooking,
) {
  const { rows } = await sql<BookingRow>`
    select * from bookings where id = ${client.id} or ${knownOf(client)}
    order by created_at, id
    for update`.execute(transaction);
  return rows;
}

/** Changes the note only, without an event. */
export async function setClientNote(
  transaction: Transaction<Database>,
  ids: readonly string[],
  note: string | null,
) {
  await sql`update bookings set client_note = ${note} where id = any(${ids}::uuid[])`.execute(
    transaction,
  );
}
