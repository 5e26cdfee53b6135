import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { ownOrigins } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import type { DatabaseServices } from '../database/services.js';

/** What a challenge is for: signing in, or adding a passkey in the session with this id. */
export type ChallengePurpose = 'sign-in' | `registration ${string}`;

const lifetimeMs = 5 * 60_000;
const nonceLength = 16;
const headLength = nonceLength + 8;
const tagLength = 32;

/**
 * A challenge for a passkey to sign within 5 minutes: a nonce, the time at which it expires (ms since the
 * epoch, 8 bytes), and an HMAC of both. Nothing is stored until it is signed, so that strangers cannot
 * fill the database.
 */
export function createChallenge(
  { keyring, clock }: Pick<DatabaseServices, 'keyring' | 'clock'>,
  purpose: ChallengePurpose,
): Buffer {
  const head = Buffer.alloc(headLength);
  randomBytes(nonceLength).copy(head);
  head.writeBigUInt64BE(BigInt(clock.now() + lifetimeMs), nonceLength);
  return Buffer.concat([head, keyring.fingerprint(head.toString('hex'), tagPurpose(purpose))]);
}

export interface Challenge {
  /** The hash of the challenge's bytes, since base64url can spell them in several ways. */
  hash: Buffer;
  expiresAt: Date;
}

/** The challenge (base64url); null unless this installation made it for the purpose. */
export function readChallenge(
  { keyring }: Pick<DatabaseServices, 'keyring'>,
  text: string,
  purpose: ChallengePurpose,
): Challenge | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== headLength + tagLength) return null;
  const [head, tag] = [bytes.subarray(0, headLength), bytes.subarray(headLength)];
  const tags = keyring.fingerprints(head.toString('hex'), tagPurpose(purpose));
  if (!tags.some((each) => timingSafeEqual(each, tag))) return null;
  return {
    hash: createHash('sha256').update(bytes).digest(),
    expiresAt: new Date(Number(head.readBigUInt64BE(nonceLength))),
  };
}

function tagPurpose(purpose: ChallengePurpose): string {
  return `passkey challenge, ${purpose}`;
}

/** The relying party of WebAuthn, for which passkeys are made. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * The relying party of the own origin that the browser has opened (its `Host`), or else of
 * PUBLIC_BASE_URL. Null where browsers offer no passkeys: without https (but at `localhost`), and at an
 * IP address.
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
