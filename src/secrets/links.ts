import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.js';

const checkoutPurpose = 'checkout token';

/** Encrypts the token of a checkout link with the current key, for the database. */
export function sealCheckoutToken(keyring: Keyring, token: string): Buffer {
  return keyring.encrypt(token, checkoutPurpose);
}

/** Throws if the token was encrypted with a key that is no longer known. */
export function openCheckoutToken(keyring: Keyring, sealed: Buffer): string {
  return keyring.decrypt(sealed, checkoutPurpose);
}

/** The path of a checkout page. */
export function checkoutPath(token: string): string {
  return `/checkout/${token}`;
}

export function checkoutLink(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}${checkoutPath(token)}`;
}

const reminderPurpose = 'stop reminders';
const idLength = 16;
const macLength = 16;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of the link that stops reminders, 43 characters: the booking's id and its HMAC. Unlike the
 * checkout token it is not stored, and it authorizes nothing else.
 */
export function reminderToken(keyring: Keyring, bookingId: string): string {
  const id = Buffer.from(bookingId.replaceAll('-', ''), 'hex');
  const mac = keyring.fingerprint(bookingId, reminderPurpose).subarray(0, macLength);
  return Buffer.concat([id, mac]).toString('base64url');
}

/** Null unless the token was made with the current or the previous key. */
export function bookingIdOfReminderToken(keyring: Keyring, token: string): string | null {
  if (!tokenPattern.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const bookingId = bytes
    .subarray(0, idLength)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const mac = bytes.subarray(idLength);
  const isOurs = keyring
    .fingerprints(bookingId, reminderPurpose)
    .some((fingerprint) => timingSafeEqual(fingerprint.subarray(0, macLength), mac));
  return isOurs ? bookingId : null;
}
