import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.js';

const codePurpose = 'confirmation code';
const digits = 6;
/** The bytes of the fingerprint: with 48 bits, every code is equally likely but for one in 10⁸. */
const codeBytes = 6;

/** The six digits of a code: an HMAC of its mail's id (src/decisions.md). */
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

function codeOf(fingerprint: Buffer): string {
  const number = fingerprint.readUIntBE(0, codeBytes) % 10 ** digits;
  return String(number).padStart(digits, '0');
}
