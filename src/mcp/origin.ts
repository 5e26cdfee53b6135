import type { Config } from '../config.js';
import { isLoopback } from '../platform/loopback.js';

/**
 * Whether requests with this `Origin` may use the connector: none (not a browser), the service's
 * own, loopback hosts, and `MCP_ALLOWED_ORIGINS`. Prevents DNS rebinding against a local service.
 */
export function isAllowedOrigin(
  origin: string | undefined,
  { publicBaseUrl, mcpAllowedOrigins }: Pick<Config, 'publicBaseUrl' | 'mcpAllowedOrigins'>,
): boolean {
  if (origin === undefined || origin === publicBaseUrl) return true;
  if (mcpAllowedOrigins.includes(origin)) return true;
  return isLoopback(origin);
}
