import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.js';

const codePurpose = 'confirmation code';
const passPurpose = 'confirmation pass';
const digits = 6;
/** Of the fingerprint: 48 bits, so that every code is equally likely but for one in 10⁸. */
const codeBytes = 6;
const passPattern = /^(\d{10,12})\.([A-Za-z0-9_-]{43})$/;

/**
 * The six digits of a code: an HMAC of its mail's id, so that the process that sends it can compute
 * what the database does not contain.
 */
export function confirmationCode(keyring: Keyring, mailId: string): string {
  return codeOf(keyring.fingerprint(mailId, codePurpose));
}

/** Whether the digits are those of the mail, with the current or the previous key. */
export function isConfirmationCode(keyring: Keyring, mailId: string, typed: string): boolean {
  const bytes = Buffer.from(typed);
  if (bytes.length !== digits) return false;
  return keyring
    .fingerprints(mailId, codePurpose)
    .some((fingerprint) => timingSafeEqual(Buffer.from(codeOf(fingerprint)), bytes));
}

/** The six digits that a person typed, without spaces and hyphens; null if it is anything else. */
export function readTypedCode(typed: unknown): string | null {
  if (typeof typed !== 'string' || typed.length > 20) return null;
  const compact = typed.replace(/[\s-]/g, '');
  return /^[0-9]{6}$/.test(compact) ? compact : null;
}

/**
 * What a browser gets for a right code, as a cookie: until when it may change the booking, in
 * seconds since the epoch, and an HMAC of that and of the booking. Nothing of it is stored.
 */
export function createPass(keyring: Keyring, bookingId: string, expiresAt: number): string {
  const seconds = String(Math.floor(expiresAt / 1000));
  const mac = keyring.fingerprint(`${bookingId} ${seconds}`, passPurpose);
  return `${seconds}.${mac.toString('base64url')}`;
}

/** Whether the pass was made for the booking with a known key, and has not expired at `now` (ms). */
export function isPassValid(
  keyring: Keyring,
  bookingId: string,
  pass: string,
  now: number,
): boolean {
  const [, seconds, encoded] = passPattern.exec(pass) ?? [];
  if (seconds === undefined || encoded === undefined || Number(seconds) * 1000 <= now) return false;
  const mac = Buffer.from(encoded, 'base64url');
  return keyring
    .fingerprints(`${bookingId} ${seconds}`, passPurpose)
    .some((fingerprint) => mac.length === fingerprint.length && timingSafeEqual(fingerprint, mac));
}

function codeOf(fingerprint: Buffer): string {
  const number = fingerprint.readUIntBE(0, codeBytes) % 10 ** digits;
  return String(number).padStart(digits, '0');
}
