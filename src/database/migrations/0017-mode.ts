import { sql, type Kysely } from 'kysely';

/**
 * Mail that earlier versions have switched on is on, by a record of its own: a process of 2.8.2 that
 * starts without mail deletes theirs.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    insert into installation (name, value)
    select 'mail_on', value from installation where name = 'mail_on_since'`.execute(database);
}
