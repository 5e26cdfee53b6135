import type { TString } from '@sinclair/typebox';
import {
  isAllowed,
  isVisible,
  maxLengthOf,
  personMembers,
  type PersonMember,
} from '../domain/booking/person.js';
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

/** Sentences for people, by the field that they are about. */
export type PersonMistakes = Partial<TypedPerson>;

/** The details in sentences: on the person's own page, and for the studio. */
const nouns: Record<'person' | 'studio', TypedPerson> = {
  person: {
    name: 'your name',
    email: 'your e-mail address',
    phone: 'your phone number',
    pronouns: 'your pronouns',
    idea: 'your idea',
  },
  studio: {
    name: 'a name',
    email: 'an e-mail address',
    phone: 'a phone number',
    pronouns: 'pronouns',
    idea: 'an idea',
  },
};

/**
 * The mistakes in typed details, without surrounding space, by the rules of the hold request. Only
 * `required` ones may not be empty.
 */
export function findPersonMistakes(
  typed: TypedPerson,
  { by, required }: { by: 'person' | 'studio'; required: readonly PersonMember[] },
): PersonMistakes {
  const mistakes: PersonMistakes = {};
  for (const member of personMembers) {
    const text = typed[member].trim();
    const isLeftOut = text === '' && !required.includes(member);
    if (!isLeftOut && !isAllowed(member, text))
      mistakes[member] = sentenceFor(member, text, nouns[by][member]);
  }
  return mistakes;
}

function sentenceFor(member: PersonMember, text: string, noun: string): string {
  if (member === 'name' ? !isVisible(text) : text === '') return `Please type ${noun}.`;
  if (member === 'email') return 'This is not an e-mail address. One looks like ada@example.com.';
  if (member === 'phone')
    return 'Please type a US phone number: ten digits, such as (555) 555-0142.';
  const [limit, { length }] = [maxLengthOf(member), [...text]];
  if (length <= limit) return `Some characters in ${noun} cannot be stored. Please leave them out.`;
  const [first = '', ...others] = noun;
  return `${first.toUpperCase()}${others.join('')} can have at most ${inWords(limit)} characters; there are ${inWords(length)}.`;
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}
