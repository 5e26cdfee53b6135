import { randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.js';

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
