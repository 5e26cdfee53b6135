import { sql, type Kysely, type SqlBool } from 'kysely';
import type { ApiKeyRow, Database } from '../database/schema.js';

/** The NOTIFY channel of revoked keys, by id; a trigger on the table sends it. */
export const revocationChannel = 'api_key_revocations';

export interface NewApiKey {
  keyHash: Buffer;
  email: string;
  label: string | null;
}

export type NewApiKeyRow = Pick<ApiKeyRow, 'id' | 'label' | 'created_at'>;

export async function insertApiKey(
  database: Kysely<Database>,
  { keyHash, email, label }: NewApiKey,
): Promise<NewApiKeyRow> {
  return database
    .insertInto('api_keys')
    .values({ key_hash: keyHash, email, label, created_at: sql<Date>`booking_now()` })
    .returning(['id', 'label', 'created_at'])
    .executeTakeFirstOrThrow();
}

/** The id of the key; null if it is unknown or revoked. */
export async function findApiKey(
  database: Kysely<Database>,
  keyHash: Buffer,
): Promise<string | null> {
  const row = await database
    .selectFrom('api_keys')
    .select('id')
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Returns false if the key is unknown or was revoked before. */
export async function revokeApiKey(database: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`booking_now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Updates `last_used_at` by id; earlier instants change nothing. */
export async function recordApiKeyUses(
  database: Kysely<Database>,
  uses: ReadonlyMap<string, Date>,
): Promise<void> {
  await sql`
    update api_keys set last_used_at = greatest(last_used_at, uses.at)
    from unnest(${[...uses.keys()]}::uuid[], ${[...uses.values()]}::timestamptz[]) as uses (id, at)
    where api_keys.id = uses.id`.execute(database);
}

/**
 * The keys of an e-mail address (case-insensitive), or all; newest first. `before`: the id of the last
 * key of the page before.
 */
export async function listApiKeys(
  database: Kysely<Database>,
  { email, limit, before = null }: { email: string | null; limit: number; before?: string | null },
): Promise<ApiKeyRow[]> {
  let query = database.selectFrom('api_keys').selectAll();
  if (email !== null) query = query.where(sql<string>`lower(email)`, '=', email.toLowerCase());
  if (before !== null) {
    query = query.where(
      sql<SqlBool>`(created_at, id) < (select created_at, id from api_keys where id = ${before})`,
    );
  }
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** At most `limit` keys by the beginning of their id (hexadecimal digits and dashes). */
export async function findApiKeysByIdPrefix(
  database: Kysely<Database>,
  prefix: string,
  limit: number,
): Promise<ApiKeyRow[]> {
  return database
    .selectFrom('api_keys')
    .selectAll()
    .where(sql<string>`id::text`, 'like', `${prefix}%`)
    .limit(limit)
    .execute();
}

export async function findApiKeyByHash(
  database: Kysely<Database>,
  keyHash: Buffer,
): Promise<ApiKeyRow | null> {
  const row = await database
    .selectFrom('api_keys')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes the keys of an e-mail address. Returns their number. */
export async function deleteApiKeysOfEmail(
  database: Kysely<Database>,
  email: string,
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('api_keys')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes keys that were revoked at least `retentionDays` ago. */
export async function deleteRevokedApiKeys(
  database: Kysely<Database>,
  retentionDays: number,
): Promise<void> {
  await sql`
    delete from api_keys
    where revoked_at <= booking_now() - make_interval(days => ${retentionDays})`.execute(database);
}
