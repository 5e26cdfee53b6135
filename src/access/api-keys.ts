import type { AgentKeyRequest } from '../../generated/schemas.js';
import type { ApiKeyRow } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { sha256 } from '../platform/keyring.js';
import { createCredential } from '../platform/tokens.js';
import {
  findApiKeyByHash,
  findApiKeysByIdPrefix,
  insertApiKey,
  type NewApiKeyRow,
  listApiKeys,
  revokeApiKey,
} from '../repositories/api-keys.js';
import { recordAudit } from '../repositories/audit.js';

type ApiKeyServices = Pick<DatabaseServices, 'database'>;

/** Creates an API key. Only its hash is stored: `key` cannot be read again. */
export async function createApiKey(
  { database }: ApiKeyServices,
  request: AgentKeyRequest,
): Promise<NewApiKeyRow & { key: string }> {
  const key = createCredential('tsk');
  const row = await insertApiKey(database, {
    keyHash: sha256(key),
    email: request.email.trim(),
    label: request.label?.trim() || null,
  });
  return { ...row, key };
}

/** Selects API keys by a prefix of their id, by e-mail address, or by the key itself. */
export type KeySelection = { idPrefix: string } | { email: string } | { key: string };

/**
 * Returns the selected keys, including revoked ones. By `idPrefix` it returns at most two: two mean
 * that the prefix is ambiguous.
 */
export async function findApiKeys(
  { database }: ApiKeyServices,
  selection: KeySelection,
): Promise<ApiKeyRow[]> {
  if ('idPrefix' in selection) return findApiKeysByIdPrefix(database, selection.idPrefix, 2);
  if ('email' in selection) return listApiKeys(database, { email: selection.email, limit: 10_000 });
  const row = await findApiKeyByHash(database, sha256(selection.key));
  return row === null ? [] : [row];
}

/** Revokes keys on all processes. Returns the ids of those that were not revoked before. */
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
