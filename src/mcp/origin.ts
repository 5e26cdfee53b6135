import type { Config } from '../config.js';

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a web page of this origin may use the connector: the service's own, those on the
 * person's own machine, and those that the studio has allowed. What is no browser sends no origin
 * and is welcome. Keeps foreign pages from reaching a local service by DNS rebinding.
 */
export function isAllowedOrigin(
  origin: string | undefined,
  { publicBaseUrl, mcpAllowedOrigins }: Pick<Config, 'publicBaseUrl' | 'mcpAllowedOrigins'>,
): boolean {
  if (origin === undefined || origin === publicBaseUrl) return true;
  if (mcpAllowedOrigins.includes(origin)) return true;
  return URL.canParse(origin) && localHosts.has(new URL(origin).hostname);
}
