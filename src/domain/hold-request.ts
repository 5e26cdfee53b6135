import { canonicalize } from '../platform/canonical-json.js';
import type { HoldRequest } from '../../generated/schemas.js';
import { ServiceError } from '../errors.js';
import type { Keyring } from '../platform/keyring.js';

/** The request's texts as they are stored: trimmed, the phone as ten digits, blanks as null. */
export interface HoldDetails {
  name: string;
  email: string;
  phone: string;
  pronouns: string | null;
  idea: string | null;
}

/** White space, controls, and what no font shows: U+2800 is a Braille cell without dots. */
const invisible = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * Throws `invalid_request` for a name that nobody can see. The schema refuses white space only:
 * validators in other languages do not know Unicode's properties in a pattern, and refuse a whole list
 * of tools for one.
 */
export function expectVisibleName({ name }: HoldRequest): void {
  if (!invisible.test(name)) return;
  const details = [{ path: 'body.name', message: 'must not be blank' }];
  throw new ServiceError('invalid_request', { details });
}

export function holdDetails(request: HoldRequest): HoldDetails {
  return {
    name: request.name.trim(),
    email: request.email.trim(),
    phone: phoneDigits(request.phone),
    pronouns: request.pronouns?.trim() || null,
    idea: request.idea?.trim() || null,
  };
}

/** Ten digits: without spaces, dots, dashes, brackets and a leading `+1` or `1` (contract). */
function phoneDigits(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length === 11 ? digits.slice(1) : digits;
}

/** A name for the request, equal for requests that are equal as canonical JSON (RFC 8785). */
export function requestFingerprint(keyring: Keyring, request: HoldRequest): Buffer[] {
  return keyring.fingerprints(canonicalize(request), 'hold request');
}

/** An Idempotency-Key as it is stored: unique within its scope. */
export interface IdempotencyKey {
  key: string;
  /** The scope under each known secret key, current first. */
  scopes: Buffer[];
}

/** A key that a caller sent: it belongs to the API key, or anonymously to the request's e-mail. */
export function idempotencyKeyOf(
  keyring: Keyring,
  apiKeyId: string | null,
  request: HoldRequest,
  key: string,
): IdempotencyKey {
  const owner =
    apiKeyId === null ? `email ${request.email.trim().toLowerCase()}` : `key ${apiKeyId}`;
  return { key, scopes: keyring.fingerprints(owner, 'idempotency scope') };
}

/** The key of the one hold that follows an expired booking, in a scope that no caller can reach. */
export function holdAgainKey(keyring: Keyring, bookingId: string): IdempotencyKey {
  const scopes = keyring.fingerprints(`booking ${bookingId}`, 'idempotency scope');
  return { key: 'hold again', scopes };
}

/**
 * The Idempotency-Key that a text means; null without one. It may come bare or as a quoted string
 * (RFC 8941); both name the same.
 */
export function bareKey(key: string | undefined): string | null {
  if (key === undefined) return null;
  return key.startsWith('"') && key.endsWith('"') && key.length > 2 ? key.slice(1, -1) : key;
}
