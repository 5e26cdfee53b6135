import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Keyring } from './keyring.js';

/** The token of a checkout link: 256 random bits in base64url, 43 characters. */
export function createCheckoutToken(): string {
  return randomBytes(32).toString('base64url');
}

const checkoutTokenPattern = /^[A-Za-z0-9_-]{43}$/;

export function isCheckoutToken(value: string): boolean {
  return checkoutTokenPattern.test(value);
}

/**
 * The prefix of a credential: `tsk` for an API key, `tsm` for a webhook's manage token, `tsl` for a link
 * to the console, `tss` for a session of it, `tsf` for a calendar feed.
 */
export type CredentialKind = 'tsk' | 'tsm' | 'tsl' | 'tss' | 'tsf';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
const credentialPattern = /^(ts[fklms]_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/**
 * The prefix, `_`, 32 random base62 characters (190 bits), and 6 characters of their CRC-32, which
 * rejects a mistyped credential without a query.
 */
export function createCredential(kind: CredentialKind): string {
  const stem = `${kind}_${randomDigits(randomLength)}`;
  return stem + checksum(stem);
}

/** Whether the value has the format and the checksum of `createCredential(kind)`. */
export function isCredential(kind: CredentialKind, value: string): boolean {
  const [, stem, sum] = credentialPattern.exec(value) ?? [];
  return stem !== undefined && stem.startsWith(`${kind}_`) && checksum(stem) === sum;
}

function randomDigits(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // Rejection sampling: 256 is not a multiple of 62, so the highest bytes would bias the digits.
      if (byte < 256 - (256 % digits.length)) text += digits[byte % digits.length];
    }
  }
  return text.slice(0, length);
}

function checksum(stem: string): string {
  let rest = crc32(stem);
  let text = '';
  for (let position = 0; position < checksumLength; position += 1) {
    text = `${digits[rest % digits.length]}${text}`;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}

const purpose = 'webhook signing secret';

/** A new signing secret (Standard Webhooks 1.0.0): `whsec_` and the base64 of 32 random bytes. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Encrypts it with the current key, for the database. */
export function sealSigningSecret(keyring: Keyring, secret: string): Buffer {
  return keyring.encrypt(secret, purpose);
}

/** Throws when it was encrypted with a key that is no longer known. */
export function openSigningSecret(keyring: Keyring, sealed: Buffer): string {
  return keyring.decrypt(sealed, purpose);
}
