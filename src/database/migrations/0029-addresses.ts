import { sql, type Kysely } from 'kysely';

/**
 * The studio's addresses, each of which counts from a date on. The one in `studio`, which versions before
 * read and write, is the latest that counted when it was written.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table studio_addresses (
      from_date date primary key,
      street text not null,
      city text not null,
      region text not null,
      postal_code text not null,
      country text not null
    )`.execute(database);
  // Null: from the beginning.
  await sql`alter table studio add address_from date`.execute(database);
  // What a calendar file says of its latest change, also of one that leaves the slot as it is.
  await sql`alter table bookings add changed_at timestamptz`.execute(database);
  await sql`
    create function record_booking_change() returns trigger language plpgsql as $$
      begin
        new.changed_at := booking_now();
        return new;
      end $$`.execute(database);
  await sql`
    create trigger bookings_record_change before update of sequence on bookings for each row
      when (new.sequence <> old.sequence) execute function record_booking_change()`.execute(
    database,
  );
}
