import { sql, type Kysely } from 'kysely';

/** The language of the studio, that of the person of a booking, and the one that a mail was sent in. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table studio add column language text not null default 'en';
    alter table bookings add column language text;
    alter table mails add column language text`.execute(database);
}
