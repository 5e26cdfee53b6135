import type { AgentKey } from '../../generated/schemas.js';
import type { Config } from '../config/config.js';
import type { NewApiKeyRow } from '../database/rows/results.js';

const notice =
  'Store this key now: it is not shown again. Send it as "Authorization: Bearer <key>".';

/** The response to the creation of an API key, the only one that contains the key. */
export function createdApiKeyView(
  { id, key, label, created_at }: NewApiKeyRow & { key: string },
  config: Pick<Config, 'readsPerMinuteKeyed' | 'writesPerHourKeyed'>,
): AgentKey {
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
