import { HoldRequest } from '../../generated/schemas.js';
import { InvalidArgumentError } from 'commander';
import { isAllowed, type PersonMember } from '../domain/person-rules.js';

/** Argument parsers for a person's details, with the bounds of the hold request. */
export function personArguments(): Record<PersonMember, (value: string) => string> {
  const { maxLength } = HoldRequest.properties.name;
  return {
    name: allowed('name', `Give a name of at most ${maxLength} characters that can be seen.`),
    email: allowed('email', 'Give an e-mail address such as ada@example.com.'),
    phone: allowed('phone', 'Give a US telephone number of ten digits, such as 503-555-0142.'),
    pronouns: allowed('pronouns', 'Give at most 40 characters.'),
    idea: allowed('idea', 'Give at most 2,000 characters.'),
  };
}

function allowed(member: PersonMember, hint: string): (value: string) => string {
  return (value) => {
    if (!isAllowed(member, value)) throw new InvalidArgumentError(hint);
    return value;
  };
}
