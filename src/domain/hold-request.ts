import { HoldRequest } from '../../generated/schemas.js';
import { ServiceError } from '../errors.js';
import type { Keyring } from '../secrets/keyring.js';
import canonicalizeModule from 'canonicalize';
import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { withTextRule } from '../platform/text-rule.js';

/** A person as stored: trimmed, the phone as ten digits, blank optional texts as null. */
interface Person {
  name: string;
  email: string | null;
  phone: string | null;
  pronouns: string | null;
  idea: string | null;
}

/** The person of a hold, who can always be reached. */
export interface HoldDetails extends Person {
  email: string;
  phone: string;
}

/** A person as the studio enters one: as in a hold request, but only the name is required. */
export type GivenPerson = Pick<HoldRequest, 'name' | 'pronouns' | 'idea'> & {
  email?: string | null;
  phone?: string | null;
};

/** White space, control and invisible characters (U+2800 is an empty Braille cell). */
const unseen = String.raw`\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const invisible = new RegExp(`^[${unseen}]*$`, 'u');

/** Between the digits of a telephone number: what is unseen, dashes, brackets, slashes and dots. */
const separators = new RegExp(
  String.raw`[${unseen}\p{Dash}\p{Ps}\p{Pe}/\\\u2044\u2215.\u00B7\u2022\u2027\u2219\u22C5\u30FB]`,
  'gu',
);

/** Whether anything of a name can be seen. */
export function isVisible(name: string): boolean {
  return !invisible.test(name);
}

/**
 * Whether the digits are a number that the North American plan can have: area code and exchange begin
 * with 2 to 9, and neither is a service code such as 911, but for the exchange of a toll-free number.
 * Area codes that are not in use count, too: a list of those in use is out of date within months.
 */
export function isPossiblePhone(phone: string): boolean {
  return /^(?:8(?:00|33|44|55|66|77|88)|[2-9](?!11)\d\d(?!\d11))[2-9]\d{6}$/.test(
    phoneDigits(phone),
  );
}

/**
 * Throws `invalid_request` for an invisible name or a phone that cannot be one. The schema does not:
 * validators in other languages do not support Unicode properties in patterns, and refuse a whole
 * list of tools because of one.
 */
export function expectPerson({ name, phone }: Pick<GivenPerson, 'name' | 'phone'>): void {
  const details = [];
  if (!isVisible(name)) details.push({ path: 'body.name', message: 'must not be blank' });
  if (typeof phone === 'string' && !isPossiblePhone(phone)) {
    const message = 'must be a US telephone number of ten digits, such as 503-555-0142';
    details.push({ path: 'body.phone', message });
  }
  if (details.length > 0) throw new ServiceError('invalid_request', { details });
}

export function holdDetails(request: HoldRequest): HoldDetails {
  const { email, phone } = request;
  return { ...personDetails(request), email: email.trim(), phone: phoneDigits(phone) };
}

export function personDetails({ name, email, phone, pronouns, idea }: GivenPerson): Person {
  return {
    name: name.trim(),
    email: email?.trim() || null,
    phone: phone ? phoneDigits(phone) : null,
    pronouns: pronouns?.trim() || null,
    idea: idea?.trim() || null,
  };
}

/**
 * Without separators and a leading `+1` or `1` (contract), ten digits if the phone is possible. NFKC
 * makes digits of those that an East Asian keyboard types.
 */
function phoneDigits(phone: string): string {
  return phone.normalize('NFKC').replace(separators, '').replace(/^\+?1/, '');
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

/**
 * The key of a form, in a scope that no caller can use: sent twice, it places one hold; corrected, it
 * places another. `nonce`: random, of the form as it was shown.
 */
export function formKey(keyring: Keyring, nonce: string, request: HoldRequest): IdempotencyKey {
  const scopes = keyring.fingerprints(
    `form ${nonce} ${canonicalize(request)}`,
    'idempotency scope',
  );
  return { key: 'form', scopes };
}

/** The value of an Idempotency-Key header, bare or as a quoted string (RFC 8941); null without one. */
export function parseIdempotencyKey(key: string | undefined): string | null {
  if (key === undefined) return null;
  return key.startsWith('"') && key.endsWith('"') && key.length > 2 ? key.slice(1, -1) : key;
}

// The package is CommonJS and exports the function itself; its types say `exports.default`.
const serialize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** RFC 8785: equal JSON values give equal text. */
function canonicalize(value: object): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/** What a booking says about its person. */
export const personMembers = ['name', 'email', 'phone', 'pronouns', 'idea'] as const;
export type PersonMember = (typeof personMembers)[number];

const validators = new Map<PersonMember, ValidateFunction>();

/** Whether a text may be stored: within the bounds of the hold request, a visible name, a possible phone. */
export function isAllowed(member: PersonMember, text: string): boolean {
  if (member === 'name' && !isVisible(text)) return false;
  if (member === 'phone' && !isPossiblePhone(text)) return false;
  let validate = validators.get(member);
  if (validate === undefined) {
    // Compiled at the first use: most commands need none.
    const ajv = new Ajv();
    ajvFormats.default(ajv);
    validate = ajv.compile(withTextRule(HoldRequest.properties[member]));
    validators.set(member, validate);
  }
  return validate(text);
}
