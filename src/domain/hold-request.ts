import { canonicalize } from '../platform/canonical-json.js';
import type { HoldRequest } from '../../generated/schemas.js';
import { ServiceError } from '../errors.js';
import type { Keyring } from '../platform/keyring.js';

/** The person's details as stored: trimmed, the phone as ten digits, blank optional texts as null. */
export interface HoldDetails {
  name: string;
  email: string;
  phone: string;
  pronouns: string | null;
  idea: string | null;
}

/** Only white space, control and invisible characters (U+2800 is an empty Braille cell). */
const invisible = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * Throws `invalid_request` for an invisible name. The schema refuses white space only: validators in
 * other languages do not support Unicode properties in patterns, and refuse a whole list of tools
 * because of one.
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

/** Ten digits: without punctuation and a leading `+1` or `1` (contract). */
function phoneDigits(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length === 11 ? digits.slice(1) : digits;
}

/**
 * HMACs of the canonical JSON (RFC 8785) of the request, one per known secret key, the current one
 * first.
 */
export function requestFingerprints(keyring: Keyring, request: HoldRequest): Buffer[] {
  return keyring.fingerprints(canonicalize(request), 'hold request');
}

/** An Idempotency-Key as it is stored: unique within its scope. */
export interface IdempotencyKey {
  key: string;
  /** The scope under each known secret key, current first. */
  scopes: Buffer[];
}

/** A key sent by a caller. Its scope is the API key or, without one, the e-mail of the request. */
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

/** The key for holding an expired booking again, in a scope that no caller can use. */
export function holdAgainKey(keyring: Keyring, bookingId: string): IdempotencyKey {
  const scopes = keyring.fingerprints(`booking ${bookingId}`, 'idempotency scope');
  return { key: 'hold again', scopes };
}

/** The value of an Idempotency-Key header, bare or as a quoted string (RFC 8941); null without one. */
export function parseIdempotencyKey(key: string | undefined): string | null {
  if (key === undefined) return null;
  return key.startsWith('"') && key.endsWith('"') && key.length > 2 ? key.slice(1, -1) : key;
}
