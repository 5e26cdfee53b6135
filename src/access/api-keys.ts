import type { AgentKeyRequest } from '../../generated/schemas.js';
import { keyCap } from '../config/limits.js';
import type { NewApiKeyRow } from '../database/rows/results.js';
import type { ApiKeyRow } from '../database/rows/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { ServiceError } from '../errors.js';
import {
  findApiKeyByHash,
  findApiKeysByIdPrefix,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
} from '../repositories/api-keys.js';
import { recordAudit } from '../repositories/audit.js';
import { sha256 } from '../secrets/keyring.js';
import { createCredential } from '../secrets/tokens.js';
import type { Caller } from './caller.js';
import type { AccessServices } from './services.js';
import { warnDaily } from './warnings.js';

type ApiKeyServices = Pick<DatabaseServices, 'database'>;

const retryAfterSeconds = 86_400;

/**
 * Creates an API key. Only its hash is stored: `key` cannot be read again. Throws `rate_limited`, and
 * warns the operator once a day, where the network of the caller has as many live keys as it may.
 */
export async function createApiKey(
  services: Pick<AccessServices, 'database' | 'keyring' | 'limitStore' | 'log'>,
  { network }: Pick<Caller, 'network'>,
  request: AgentKeyRequest,
): Promise<NewApiKeyRow & { key: string }> {
  const key = createCredential('tsk');
  const values = {
    key_hash: sha256(key),
    email: request.email.trim(),
    label: request.label?.trim() || null,
  };
  const networkHashes = services.keyring.fingerprints(network, 'network of an API key');
  const row = await services.database
    .transaction()
    .execute((transaction) => insertApiKey(transaction, values, networkHashes));
  if (row !== null) return { ...row, key };

  warnDaily(services, `keys at cap ${networkHashes[0]?.toString('base64')}`, {
    facts: { max_api_keys_per_network: keyCap.perNetwork },
    message:
      'a network has reached the limit of live API keys, and new ones are refused; "studio doctor" counts such networks',
  });
  throw new ServiceError('rate_limited', {
    message: `Your IPv4 address or IPv6 network (/48) has ${keyCap.perNetwork} API keys that were made or used within ${keyCap.days} days, the most it may have. Use one of these, or go on without a key.`,
    retryAfterSeconds,
  });
}

/** Selects API keys by a prefix of their id, by e-mail address, or by the key itself. */
export type KeySelection = { idPrefix: string } | { email: string } | { key: string };

/**
 * Returns the selected keys, including revoked ones. By `idPrefix` at most two: two mean that it is
 * ambiguous.
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
