import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import { keyCap } from '../config/limits.js';
import { finder } from '../database/row-queries.js';
import type { NewApiKeyRow } from '../database/rows/results.js';
import type { ApiKeyRow, Database } from '../database/rows/schema.js';

/** The NOTIFY channel of revoked keys, by id; a trigger on the table sends it. */
export const revocationChannel = 'api_key_revocations';

const keyLock = 0x6b657973;

/** Whether a key counts towards the cap of its network. */
const isLive = sql<boolean>`(revoked_at is null and greatest(created_at, last_used_at)
  > booking_now() - make_interval(days => ${sql.lit(keyCap.days)}))`;

/**
 * Inserts a key; null if the network has as many live keys as it may. Serialized, so that races cannot
 * exceed the cap. `networkHashes`: HMACs of the network, one per known secret key, the current one first.
 */
export async function insertApiKey(
  transaction: Transaction<Database>,
  { key_hash, email, label }: Pick<ApiKeyRow, 'key_hash' | 'email' | 'label'>,
  networkHashes: readonly Buffer[],
) {
  await sql`select pg_advisory_xact_lock(${sql.lit(keyLock)})`.execute(transaction);
  const { rows } = await sql<NewApiKeyRow>`
    insert into api_keys (key_hash, email, label, created_at, network_hash)
    select ${key_hash}::bytea, ${email}, ${label}, booking_now(), ${networkHashes[0]}::bytea
    where ${keyCap.perNetwork} > (
      select count(*) from api_keys
      where network_hash = any(${networkHashes}::bytea[]) and ${isLive})
    returning id, label, created_at`.execute(transaction);
  return rows[0] ?? null;
}

export async function countNetworksAtKeyCap(database: Kysely<Database>) {
  const { rows } = await sql<{ networks: number }>`
    select count(*)::integer as networks from (
      select from api_keys where network_hash is not null and ${isLive}
      group by network_hash having count(*) >= ${keyCap.perNetwork}
    ) as at_cap`.execute(database);
  return rows[0]?.networks ?? 0;
}

/** The id of the key; null if it is unknown or revoked. */
export async function findApiKey(database: Kysely<Database>, keyHash: Buffer) {
  const row = await database
    .selectFrom('api_keys')
    .select('id')
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Returns false if the key is unknown or was revoked before. */
export async function revokeApiKey(database: Kysely<Database>, id: string) {
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
) {
  await sql`
    update api_keys set last_used_at = greatest(last_used_at, uses.at)
    from unnest(${[...uses.keys()]}::uuid[], ${[...uses.values()]}::timestamptz[]) as uses (id, at)
    where api_keys.id = uses.id`.execute(database);
}

/**
 * The keys of a mailbox, or all; newest first. `before`: the id of the
 * previous page's last key.
 */
export async function listApiKeys(
  database: Kysely<Database>,
  { email, limit, before = null }: { email: string | null; limit: number; before?: string | null },
) {
  let query = database.selectFrom('api_keys').selectAll();
  if (email !== null) {
    query = query.where(sql<SqlBool>`canonical_mailbox(email) = canonical_mailbox(${email})`);
  }
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
) {
  return database
    .selectFrom('api_keys')
    .selectAll()
    .where(sql<string>`id::text`, 'like', `${prefix}%`)
    .limit(limit)
    .execute();
}

export const findApiKeyByHash = finder('api_keys', 'key_hash');

export async function deleteApiKeysOfMailbox(database: Kysely<Database>, email: string) {
  const { numDeletedRows } = await database
    .deleteFrom('api_keys')
    .where(sql<boolean>`canonical_mailbox(email) = canonical_mailbox(${email})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteRevokedApiKeys(database: Kysely<Database>, retentionDays: number) {
  await sql`
    delete from api_keys
    where revoked_at <= booking_now() - make_interval(days => ${retentionDays})`.execute(database);
}
