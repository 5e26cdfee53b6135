import type { AgentKey, AgentKeyRequest } from '../../generated/schemas.js';
import type { Context } from '../context.js';
import { insertApiKey } from '../repositories/api-keys.js';
import { sha256 } from '../platform/keyring.js';
import { createCredential } from '../platform/tokens.js';

const notice =
  'Store this key now: it is not shown again. Send it as "Authorization: Bearer <key>".';

/** Makes an API key. Only its hash is kept, so the answer is the one place where it can be read. */
export async function createAgentKey(
  { database, config }: Pick<Context, 'database' | 'config'>,
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
