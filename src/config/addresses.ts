import type { Config } from './config.js';
import { isLoopbackHost } from './validators.js';

/**
 * Whether a URL leads to a loopback address, which opens on this machine only. False for what is no URL.
 */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

/**
 * The origins at which browsers open the service, that of PUBLIC_BASE_URL first. A service that only
 * this machine reaches is opened as `localhost` as well as `127.0.0.1`.
 */
export function ownOrigins({
  host,
  publicBaseUrl,
}: Pick<Config, 'host' | 'publicBaseUrl'>): string[] {
  if (!isLoopbackHost(host) || !isLoopback(publicBaseUrl)) return [publicBaseUrl];
  const named = ['localhost', '127.0.0.1'].map(
    (hostname) => Object.assign(new URL(publicBaseUrl), { hostname }).origin,
  );
  return [publicBaseUrl, ...named];
}

/** The `mailto:` URI of an e-mail address (RFC 6068), whatever characters its local part has. */
export function mailtoUri(email: string): string {
  const at = email.lastIndexOf('@');
  return `mailto:${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
}
