import { HoldRequest } from '../../generated/schemas.js';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { InvalidArgumentError } from 'commander';
import { isVisible } from '../domain/hold-request.js';

type Member = 'name' | 'email' | 'phone' | 'pronouns' | 'idea';

/** Argument parsers for a person's details, with the bounds of the hold request. */
export function personArguments(): Record<Member, (value: string) => string> {
  const { name, email, phone, pronouns, idea } = HoldRequest.properties;
  const nameHint = `Give a name of at most ${name.maxLength} characters that can be seen.`;
  const parseName = bounded(name, nameHint);
  return {
    name(value) {
      if (!isVisible(value)) throw new InvalidArgumentError(nameHint);
      return parseName(value);
    },
    email: bounded(email, 'Give an e-mail address such as ada@example.com.'),
    phone: bounded(phone, 'Give a US telephone number of ten digits, such as 503-555-0142.'),
    pronouns: bounded(pronouns, 'Give at most 40 characters.'),
    idea: bounded(idea, 'Give at most 2,000 characters.'),
  };
}

function bounded(schema: object, hint: string): (value: string) => string {
  return (value) => {
    // Compiled when it is used: the program registers all commands at each start.
    const ajv = new Ajv();
    ajvFormats.default(ajv);
    if (!ajv.validate(schema, value)) throw new InvalidArgumentError(hint);
    return value;
  };
}
