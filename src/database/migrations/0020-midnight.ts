import { sql, type Kysely } from 'kysely';

/** A studio may close at the end of the day, `24:00`. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table opening_hours
      drop constraint opening_hours_closes_check,
      add constraint opening_hours_closes_check
        check (closes ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' or closes = '24:00')`.execute(database);
}
