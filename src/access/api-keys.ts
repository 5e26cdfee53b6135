import type { AgentKey, AgentKeyRequest } from '../../generated/schemas.js';
import type { ApiKeyRow } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { sha256 } from '../platform/keyring.js';
import { createCredential } from '../platform/tokens.js';
import {
  findApiKeyByHash,
  findApiKeysByIdPrefix,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
} from '../repositories/api-keys.js';
import { recordAudit } from '../repositories/audit.js';

const notice =
  'Store this key now: it is not shown again. Send it as "Authorization: Bearer <key>".';

/** Makes an API key. Only its hash is kept, so the answer is the one place where it can be read. */
export async function createAgentKey(
  { database, config }: Pick<DatabaseServices, 'database' | 'config'>,
  request: AgentKeyRequest,
): Promise<AgentKey> {
  const key = createCredential('tsk');
  const label = request.label?.trim() || null;
  const { id, created_at } = await insertApiKey(database, {
    keyHash: sha256(key),
    email: request.email.trim(),
    label,
  });
  return {
    id,
    key,
    label,
    created_at: created_at.toISOString(),
    limits: {
      reads_per_minute: config.readsPerMinuteKeyed,
      writes_per_hour: config.writesPerHourKeyed,
    },
    notice,
  };
}

type ApiKeyServices = Pick<DatabaseServices, 'database'>;

/** What names one key or several: what an id begins with, an e-mail address, or the key itself. */
export type KeySelection = { idPrefix: string } | { email: string } | { key: string };

export async function readApiKeys(
  { database }: ApiKeyServices,
  filter: { email: string | null; limit: number },
): Promise<ApiKeyRow[]> {
  return listApiKeys(database, filter);
}

/** The keys that are meant, revoked or not; by what an id begins with, of several two. */
export async function findApiKeys(
  { database }: ApiKeyServices,
  selection: KeySelection,
): Promise<ApiKeyRow[]> {
  if ('idPrefix' in selection) return findApiKeysByIdPrefix(database, selection.idPrefix, 2);
  if ('email' in selection) return listApiKeys(database, { email: selection.email, limit: 10_000 });
  const row = await findApiKeyByHash(database, sha256(selection.key));
  return row === null ? [] : [row];
}

/**
 * Revokes keys; whoever sends one is anonymous from then on, on all processes. Returns the ids of
 * those that were not revoked before.
 */
export async function revokeApiKeys(
  { database }: ApiKeyServices,
  actor: string,
  ids: readonly string[],
): Promise<string[]> {
  return database.transaction().execute(async (transaction) => {
    const revoked: string[] = [];
    for (const id of ids) if (await revokeApiKey(transaction, id)) revoked.push(id);
    if (revoked.length > 0) {
      await recordAudit(transaction, actor, 'keys revoke', { api_key_ids: revoked });
    }
    return revoked;
  });
}
