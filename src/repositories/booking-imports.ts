import { sql, type Kysely } from 'kysely';
import type { BookingRow, Database } from '../database/rows/schema.js';
import { foldedName } from './person-sessions.js';

/** The identity of a person: the name without accents and case, and the mailbox. */
export interface PersonKey {
  foldedName: string | null;
  mailbox: string | null;
  phone: string | null;
}

type Person = Pick<BookingRow, 'name' | 'email' | 'phone'>;

const keyColumns = sql`${foldedName(sql`name`)} as "foldedName",
  canonical_mailbox(email) as mailbox, phone`;

/** The keys of persons, in their order. */
export async function personKeys(
  database: Kysely<Database>,
  persons: readonly Person[],
): Promise<PersonKey[]> {
  const column = (member: keyof Person) => persons.map((person) => person[member]);
  const { rows } = await sql<PersonKey>`
    select ${keyColumns}
    from unnest(${column('name')}::text[], ${column('email')}::text[], ${column('phone')}::text[])
      with ordinality as given (name, email, phone, place)
    order by place`.execute(database);
  return rows;
}

/** When each artist was booked last, in milliseconds since the epoch; of those who ever were. */
export async function lastBooked(database: Kysely<Database>): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; at: Date }>`
    select id, at from artists, lateral (
      select max(created_at) as at from bookings
      where artist_id = artists.id and status in ('pending', 'confirmed')
    ) as last where at is not null`.execute(database);
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]));
}

/** A booking in a slot, or once added to it by the studio. */
export interface BookingOfSlot
  extends PersonKey, Pick<BookingRow, 'id' | 'status' | 'date' | 'time_slot' | 'artist_id'> {
  startsAt: Date;
  endsAt: Date;
  /** Whether the studio has corrected a detail of its person. */
  isCorrected: boolean;
  /** Whether it is live, and in the slot of `wasIn`. */
  isThere: boolean;
  /** The slot that it was asked for. */
  wasIn: Pick<BookingRow, 'date' | 'time_slot'>;
}

/** The live bookings of some dates, and those that the studio added there, wherever they are now. */
export async function listBookingsEverOn(database: Kysely<Database>, dates: readonly string[]) {
  const columns = sql`bookings.id, status, ${keyColumns}, bookings.date, bookings.time_slot,
    bookings.artist_id, starts_at as "startsAt",
    ends_at as "endsAt",
    bookings.id in (
      select (details->>'booking_id')::uuid from audit_log where action = 'bookings correct'
    ) as "isCorrected"`;
  const { rows } = await sql<BookingOfSlot>`
    select ${columns}, true as "isThere",
      json_build_object('date', date, 'time_slot', time_slot) as "wasIn"
    from bookings
    where status in ('pending', 'confirmed')
      and not (status = 'pending' and expires_at <= booking_now())
      and date = any(${dates}::date[])
    union all
    select ${columns}, false, json_build_object(
      'date', events.data->>'date', 'time_slot', events.data->>'time_slot')
    from bookings join events on events.booking_id = bookings.id
    where channel = 'studio' and type = 'booking.confirmed'
      and events.data->>'date' = any(${dates}::text[])`.execute(database);
  return rows;
}
