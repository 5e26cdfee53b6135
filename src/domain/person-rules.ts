import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { HoldRequest } from '../../generated/schemas.js';
import { withTextRule } from '../platform/text-rule.js';
import { isPossiblePhone, isVisible } from './hold-request.js';

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
