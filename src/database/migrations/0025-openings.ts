import { sql, type Kysely } from 'kysely';

/** Sessions of single dates, besides those of the week. Processes of versions before offer none of them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table openings (
      date date not null,
      time_slot time_slot not null,
      created_at timestamptz not null,
      primary key (date, time_slot)
    )`.execute(database);
}
