import { isIP } from 'node:net';

/** Whom passkeys are made for (WebAuthn). */
export interface RelyingParty {
  /** The host name. */
  id: string;
  origin: string;
}

/** Null where browsers offer no passkeys: without https (but at `localhost`), and at an IP address. */
export function relyingPartyOf(publicBaseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicBaseUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isSecure && !isAddress ? { id: hostname, origin } : null;
}
