import { isIP } from 'node:net';
import type { Config } from '../config.js';
import { ownOrigins } from '../platform/loopback.js';

/** Whom passkeys are made for (WebAuthn). */
export interface RelyingParty {
  /** The host name. */
  id: string;
  origin: string;
}

/**
 * Of the own origin that the browser has opened (its `Host`), or else of PUBLIC_BASE_URL. Null where
 * browsers offer no passkeys: without https (but at `localhost`), and at an IP address.
 */
export function relyingPartyOf(
  config: Pick<Config, 'host' | 'publicBaseUrl'>,
  host: string | undefined,
): RelyingParty | null {
  const opened = ownOrigins(config).find((each) => new URL(each).host === host);
  const { protocol, hostname, origin } = new URL(opened ?? config.publicBaseUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isSecure && !isAddress ? { id: hostname, origin } : null;
}
