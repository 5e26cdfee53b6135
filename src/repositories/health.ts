import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/schema.js';
import { readPackage } from '../platform/package-root.js';

/**
 * Resolves when the database answers. Fails where this version is below the database's minimum
 * (`isOutdated`).
 */
export async function pingDatabase(database: Kysely<Database>): Promise<void> {
  await sql`select require_version(${readPackage().version})`.execute(database);
}
