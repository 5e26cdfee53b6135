import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/schema.js';

/** Resolves when the database answers. */
export async function pingDatabase(database: Kysely<Database>): Promise<void> {
  await sql`select 1`.execute(database);
}
