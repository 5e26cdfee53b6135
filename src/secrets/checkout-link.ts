import type { Keyring } from './keyring.js';

const purpose = 'checkout token';

/** Encrypts the token of a checkout link with the current key, for the database. */
export function sealCheckoutToken(keyring: Keyring, token: string): Buffer {
  return keyring.encrypt(token, purpose);
}

/** Throws if the token was encrypted with a key that is no longer known. */
export function openCheckoutToken(keyring: Keyring, sealed: Buffer): string {
  return keyring.decrypt(sealed, purpose);
}

export function checkoutLink(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/checkout/${token}`;
}
