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

/** The tokens of a booking's links, encrypted. */
interface SealedTokens {
  /** The token of the first link. */
  checkout_token_sealed: Buffer;
  /** The token of the link since the latest correction of the e-mail address; null before. */
  current_token_sealed: Buffer | null;
}

/**
 * The present token of a booking's link. Null if it was encrypted with a key that is lost, or imported as
 * a hash only.
 */
export function findCurrentToken(
  keyring: Keyring,
  { checkout_token_sealed: first, current_token_sealed: current }: SealedTokens,
): string | null {
  try {
    return openCheckoutToken(keyring, current ?? first);
  } catch {
    return null;
  }
}

/** The present link of a booking's page. Null where `findCurrentToken` is. */
export function findCheckoutLink(
  keyring: Keyring,
  publicBaseUrl: string,
  booking: SealedTokens,
): string | null {
  const token = findCurrentToken(keyring, booking);
  return token === null ? null : checkoutLink(publicBaseUrl, token);
}

const reminderPurpose = 'stop reminders';
const idLength = 16;
const macLength = 16;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

type RemindedBooking = Pick<SealedTokens, 'current_token_sealed'> & { id: string };

/**
 * The token of the link that stops reminders, 43 characters: the booking's id and an HMAC. Unlike the
 * checkout token it is not stored, and it authorizes nothing else. A correction of the e-mail address
 * voids it, too: the former address must not act for the new one.
 */
export function reminderToken(keyring: Keyring, booking: RemindedBooking): string {
  const id = Buffer.from(booking.id.replaceAll('-', ''), 'hex');
  const mac = keyring.fingerprint(reminderSubject(booking), reminderPurpose).subarray(0, macLength);
  return Buffer.concat([id, mac]).toString('base64url');
}

/** The id of the booking in a token; null if it does not have the form of one. */
export function bookingIdInReminderToken(token: string): string | null {
  if (!tokenPattern.test(token)) return null;
  return Buffer.from(token, 'base64url')
    .subarray(0, idLength)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether a token of that form was made for the booking, with the current or the previous key. */
export function isReminderToken(
  keyring: Keyring,
  token: string,
  booking: RemindedBooking,
): boolean {
  const mac = Buffer.from(token, 'base64url').subarray(idLength);
  return keyring
    .fingerprints(reminderSubject(booking), reminderPurpose)
    .some((fingerprint) => timingSafeEqual(fingerprint.subarray(0, macLength), mac));
}

function reminderSubject({ id, current_token_sealed: sealed }: RemindedBooking): string {
  return sealed === null ? id : `${id} ${sealed.toString('base64')}`;
}
