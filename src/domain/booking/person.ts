import { Ajv, type ValidateFunction } from 'ajv';
import { HoldRequest } from '../../../generated/schemas.js';
import type { BookingRow } from '../../database/rows/schema.js';
import { ServiceError } from '../../errors.js';
import { withTextRule } from '../../platform/text-rule.js';
import { addFormats } from '../validation-messages.js';

export const personMembers = ['name', 'email', 'phone', 'pronouns', 'idea'] as const;
export type PersonMember = (typeof personMembers)[number];

/** The required details of a booking: the person of a hold can always be reached. */
export function requiredMembers({ channel }: Pick<BookingRow, 'channel'>): PersonMember[] {
  return channel === 'studio' ? ['name'] : ['name', 'email', 'phone'];
}

/** A person as stored: trimmed, the phone as ten digits, blank optional texts as null. */
interface Person {
  name: string;
  email: string | null;
  phone: string | null;
  pronouns: string | null;
  idea: string | null;
}

/** A person as the studio enters one: as in a hold request, but only the name is required. */
export type GivenPerson = Pick<HoldRequest, 'name' | 'pronouns' | 'idea'> & {
  email?: string | null;
  phone?: string | null;
};

/** White space, control and invisible characters (U+2800 is an empty Braille cell), for a class. */
export const unseen = String.raw`\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const invisible = new RegExp(`^[${unseen}]*$`, 'u');

/** Separators of a telephone number: unseen characters, dashes, brackets, slashes and dots. */
const separators = new RegExp(
  String.raw`[${unseen}\p{Dash}\p{Ps}\p{Pe}/\\\u2044\u2215.\u00B7\u2022\u2027\u2219\u22C5\u30FB]`,
  'gu',
);

/** Whether anything of a name can be seen. */
export function isVisible(name: string): boolean {
  return !invisible.test(name);
}

/**
 * Whether the digits can be a number of the North American plan: area code and exchange begin with 2 to
 * 9, and neither is a service code such as 911, except the exchange of a toll-free number. Unused area
 * codes count, too: a list would be out of date within months.
 */
function isPossiblePhone(phone: string): boolean {
  return /^(?:8(?:00|33|44|55|66|77|88)|[2-9](?!11)\d\d(?!\d11))[2-9]\d{6}$/.test(
    phoneDigits(phone),
  );
}

/**
 * Throws `invalid_request` for an invisible name or an impossible phone. The schema does not: validators
 * in other languages lack Unicode properties in patterns, and refuse a whole list of tools. `studio`: the
 * contact of people without such a phone, where one is required.
 */
export function expectPerson(
  { name, phone }: Pick<GivenPerson, 'name' | 'phone'>,
  studio?: { email: string; phone: string },
): void {
  const details = [];
  if (!isVisible(name)) details.push({ path: 'body.name', message: 'must not be blank' });
  if (typeof phone === 'string' && !isPossiblePhone(phone)) {
    const rule = 'must be a US telephone number of ten digits, such as 503-555-0142';
    const way =
      studio && `; a person without one writes to ${studio.email} or calls ${studio.phone}`;
    details.push({ path: 'body.phone', message: `${rule}${way ?? ''}` });
  }
  if (details.length > 0) throw new ServiceError('invalid_request', { details });
}

/** The person of a hold, who can always be reached. */
export type HoldDetails = Person & { email: string; phone: string };

export function holdDetails(request: HoldRequest): HoldDetails {
  const { email, phone } = request;
  return { ...personDetails(request), email: email.trim(), phone: phoneDigits(phone) };
}

export function personDetails({ name, email, phone, pronouns, idea }: GivenPerson): Person {
  return {
    name: name.trim(),
    email: email?.trim() || null,
    phone: phone?.trim() ? phoneDigits(phone) : null,
    pronouns: pronouns?.trim() || null,
    idea: idea?.trim() || null,
  };
}

/**
 * The phone without separators and a leading `+1` or `1`, ten digits if it is possible. NFKC makes digits
 * of those that an East Asian keyboard types.
 */
function phoneDigits(phone: string): string {
  return phone.normalize('NFKC').replace(separators, '').replace(/^\+?1/, '');
}

const validators = new Map<PersonMember, ValidateFunction>();

/** Whether a text may be stored: within the bounds of the hold request, a visible name, a possible phone. */
export function isAllowed(member: PersonMember, text: string): boolean {
  if (member === 'name' && !isVisible(text)) return false;
  if (member === 'phone' && !isPossiblePhone(text)) return false;
  let validate = validators.get(member);
  if (validate === undefined) {
    // Compiled at the first use: most commands need none.
    const ajv = new Ajv();
    addFormats(ajv);
    validate = ajv.compile(withTextRule(HoldRequest.properties[member]));
    validators.set(member, validate);
  }
  return validate(text);
}

/** The most characters (code points) of a text. */
export function maxLengthOf(member: PersonMember): number {
  return HoldRequest.properties[member]['maxLength'] as number;
}
