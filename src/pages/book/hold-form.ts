import { randomUUID } from 'node:crypto';
import { HoldRequest } from '../../../generated/schemas.js';
import type { Slot } from '../../schedule/slots.js';
import { isPossiblePhone, isVisible } from '../../domain/hold-request.js';
import type { ErrorDetail } from '../../errors.js';
import { createValidatorCompiler, describeValidationErrors } from '../../web/validation.js';
import { isUuid } from '../../platform/uuid.js';
import { bookPath } from '../../web/book-link.js';
import { formRefused, readSlotKey } from '../../web/form-fields.js';

/** The fields that a person fills in, in the order of the form. */
export const personFields = ['name', 'email', 'phone', 'pronouns', 'idea'] as const;
export type PersonField = (typeof personFields)[number];

/** What a person has typed, as it was typed. */
export type Typed = Record<PersonField, string>;

/** Sentences for people, by the field that they are about. */
export type Mistakes = Partial<Record<PersonField, string>>;

export interface HoldForm {
  /** Random: it tells a form that is sent twice from another one with the same content. */
  nonce: string;
  slot: Slot;
  typed: Typed;
}

export function emptyForm(slot: Slot): HoldForm {
  const typed = { name: '', email: '', phone: '', pronouns: '', idea: '' };
  return { nonce: randomUUID(), slot, typed };
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readHoldForm(fields: Record<string, unknown>): HoldForm {
  const { nonce } = fields;
  // Where the form offers other times, the one that was chosen follows the one that was taken.
  const slot = readSlotKey([fields['slot']].flat().at(-1));
  const isComplete = personFields.every((field) => typeof fields[field] === 'string');
  if (typeof nonce !== 'string' || !isUuid(nonce) || slot === null || !isComplete) {
    throw formRefused();
  }
  const { name, email, phone, pronouns, idea } = fields as Typed;
  // Browsers send line breaks as CR LF.
  return {
    nonce,
    slot,
    typed: { name, email, phone, pronouns, idea: idea.replace(/\r\n/g, '\n') },
  };
}

/** The form as a hold request: all texts trimmed, the optional ones null where nothing was typed. */
export function holdRequestOf({ slot, typed }: HoldForm): HoldRequest {
  const { name, email, phone, pronouns, idea } = typed;
  return {
    date: slot.date,
    time_slot: slot.timeSlot,
    name: name.trim(),
    email: email.trim(),
    phone: phone.trim(),
    pronouns: pronouns.trim() || null,
    idea: idea.trim() || null,
  };
}

/** Returns a function that finds all mistakes in what was typed, by the rules of the hold request. */
export function createMistakeFinder(): (request: HoldRequest) => Mistakes {
  const validate = createValidatorCompiler()({
    schema: HoldRequest,
    method: 'POST',
    url: bookPath,
    httpPart: 'body',
  });
  return (request) => {
    const errors = validate(request) ? [] : (validate.errors ?? []);
    const mistakes = mistakesOf(describeValidationErrors(errors, 'body'), request);
    if (!isVisible(request.name)) mistakes.name = words.name(request.name);
    if (!isPossiblePhone(request.phone)) mistakes.phone = words.phone(request.phone);
    return mistakes;
  };
}

/** The details of an `invalid_request` as sentences for people. */
function mistakesOf(details: readonly ErrorDetail[], request: HoldRequest): Mistakes {
  const mistakes: Mistakes = {};
  for (const { path } of details) {
    const field = personFields.find((each) => path === `body.${each}`);
    if (field !== undefined) mistakes[field] = words[field](request[field] ?? '');
  }
  return mistakes;
}

const words: Record<PersonField, (text: string) => string> = {
  name: (text) => (isVisible(text) ? tooLong(text, 120, 'Your name') : 'Please type your name.'),
  email: (text) =>
    text === ''
      ? 'Please type your e-mail address.'
      : 'This is not an e-mail address. One looks like ada@example.com.',
  phone: (text) =>
    text === ''
      ? 'Please type your phone number.'
      : 'Please type a US phone number: ten digits, such as (555) 555-0142.',
  pronouns: (text) => tooLong(text, 40, 'Your pronouns'),
  idea: (text) => tooLong(text, 2000, 'Your idea'),
};

function tooLong(text: string, limit: number, what: string): string {
  const length = [...text].length;
  return length > limit
    ? `${what} can have at most ${limit.toLocaleString('en-US')} characters; there are ${length.toLocaleString('en-US')}.`
    : `${what} contains characters that we cannot store.`;
}
