import type { TString } from '@sinclair/typebox';
import {
  isAllowed,
  isVisible,
  maxLengthOf,
  personMembers,
  type PersonMember,
} from '../domain/booking/person.js';
import type { Language } from '../locales/language.js';
import { anyText } from './forms.js';

/** The fields of a person's details. */
export const personFields: Record<PersonMember, TString> = {
  name: anyText,
  email: anyText,
  phone: anyText,
  pronouns: anyText,
  idea: anyText,
};

/** A person's details in a form, as they were typed. */
export type TypedPerson = Record<PersonMember, string>;

/** What is wrong with a detail: a page makes a sentence of it. */
export type PersonMistake =
  | { reason: 'missing'; member: 'name' | 'email' | 'phone' }
  | { reason: 'wrong'; member: 'email' | 'phone' }
  /** Some cannot be stored. */
  | { reason: 'characters'; member: 'name' | 'pronouns' | 'idea' }
  | { reason: 'too_long'; member: 'name' | 'pronouns' | 'idea'; limit: number; length: number };

export type PersonMistakes = Partial<Record<PersonMember, PersonMistake>>;

/**
 * The mistakes in typed details, without surrounding space, by the rules of the hold request. Only
 * `required` ones may not be empty.
 */
export function findPersonMistakes(
  typed: TypedPerson,
  required: readonly PersonMember[],
): PersonMistakes {
  const mistakes: PersonMistakes = {};
  for (const member of personMembers) {
    const text = typed[member].trim();
    const isLeftOut = text === '' && !required.includes(member);
    if (!isLeftOut && !isAllowed(member, text)) mistakes[member] = mistakeIn(member, text);
  }
  return mistakes;
}

function mistakeIn(member: PersonMember, text: string): PersonMistake {
  if (member === 'email' || member === 'phone') {
    return { reason: text === '' ? 'missing' : 'wrong', member };
  }
  if (member === 'name' && !isVisible(text)) return { reason: 'missing', member };
  const [limit, { length }] = [maxLengthOf(member), [...text]];
  return length > limit
    ? { reason: 'too_long', member, limit, length }
    : { reason: 'characters', member };
}

/** The sentence of a mistake for the person. */
export function mistakeWords({ t }: Language, mistake: PersonMistake): string {
  switch (mistake.reason) {
    case 'missing':
      return t(`mistake.missing.${mistake.member}`);
    case 'wrong':
      return t(`mistake.wrong.${mistake.member}`);
    case 'characters':
      return t(`mistake.characters.${mistake.member}`);
    case 'too_long':
      return t(`mistake.too_long.${mistake.member}`, mistake);
  }
}
