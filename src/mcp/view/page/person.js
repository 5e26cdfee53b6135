/** The form that a person fills in. It stays in the document, so nothing typed is ever lost. */
import { element } from '../../../web/browser/element.js';
import { t } from './language.js';

const personFields = /** @type {const} */ (['name', 'email', 'phone', 'pronouns', 'idea']);
/** @typedef {(typeof personFields)[number]} PersonField */

/** Without ten digits no phone number is one; which are is the service's to say. */
const tenDigits = /(?:\p{Nd}\P{Nd}*){10}/u;

/** @type {Record<PersonField, string>} */
const missing = {
  name: t('view.form.name.missing'),
  email: t('view.form.email.missing'),
  phone: t('view.form.phone.missing'),
  pronouns: '',
  idea: '',
};

/** @type {Record<PersonField, string>} */
const mistaken = {
  name: t('view.form.name.mistaken'),
  email: t('view.form.email.mistaken'),
  phone: t('view.form.phone.mistaken'),
  pronouns: t('view.form.pronouns.mistaken'),
  idea: t('view.form.idea.mistaken'),
};

/** @param {PersonField} name */
function field(name) {
  return /** @type {HTMLInputElement | HTMLTextAreaElement} */ (element(name));
}

/**
 * The person of a hold request: only what was typed.
 * @returns {Partial<Record<PersonField, string>>}
 */
export function readPerson() {
  const typed = personFields.map((name) => [name, field(name).value.trim()]);
  return Object.fromEntries(typed.filter(([, text]) => text !== ''));
}

/**
 * Fills the fields that are empty with what the person has told the assistant.
 * @param {Record<string, unknown>} args of hold_slot
 */
export function prefill(args) {
  for (const name of personFields) {
    const text = args[name];
    if (typeof text === 'string' && field(name).value === '') field(name).value = text;
  }
  revealOptional(['pronouns', 'idea'].some((name) => typeof args[name] === 'string'));
}

/**
 * Shows what keeps the form from being sent, and moves the focus to the first mistake.
 * @returns {boolean} whether there is none
 */
export function checkPerson() {
  const typed = readPerson();
  /** @type {PersonField[]} */
  const wrong = [];
  for (const name of personFields) {
    const isRight =
      name === 'email'
        ? !field(name).validity.typeMismatch
        : name !== 'phone' || tenDigits.test(typed.phone ?? '');
    if (typed[name] === undefined ? missing[name] !== '' : !isRight) wrong.push(name);
  }
  return showMistakes(wrong);
}

/**
 * Shows the mistakes that the service has found. Paths name arguments, such as `arguments.email`.
 * @param {{ path: string }[]} details
 * @returns {boolean} whether there is none in the form
 */
export function showRefused(details) {
  const paths = details.map(({ path }) => path);
  return showMistakes(personFields.filter((name) => paths.includes(`arguments.${name}`)));
}

/** @param {PersonField[]} wrong */
function showMistakes(wrong) {
  for (const name of personFields) {
    const isWrong = wrong.includes(name);
    const sentence = field(name).value.trim() === '' ? missing[name] : mistaken[name];
    element(`${name}-mistake`).textContent = isWrong ? sentence : '';
    if (isWrong) field(name).setAttribute('aria-invalid', 'true');
    else field(name).removeAttribute('aria-invalid');
  }
  revealOptional(wrong.includes('pronouns') || wrong.includes('idea'));
  const [first] = wrong;
  if (first !== undefined) field(first).focus();
  return first === undefined;
}

/** @param {boolean} isNeeded */
function revealOptional(isNeeded) {
  if (isNeeded) element('optional').setAttribute('open', '');
}

/** The key of the hold that is meant at present. */
let key = { key: '', request: '', sentAtMs: 0 };

/**
 * The idempotency key of a request, and when it was first sent with that key. A request that is
 * repeated keeps its key, so that a hold whose answer was lost is not placed twice.
 * @param {Record<string, unknown>} holdRequest
 */
export function keyOf(holdRequest) {
  const text = JSON.stringify(holdRequest);
  if (key.request !== text) key = { key: randomUuid(), request: text, sentAtMs: Date.now() };
  return key;
}

/** The hold was placed: the same request would mean another one. */
export function forgetKey() {
  key = { key: '', request: '', sentAtMs: 0 };
}

/** Version 4. `crypto.randomUUID` is missing where the host's address is not a secure one. */
function randomUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'.charAt(Number(bytes[8]) % 4);
  return hex.replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/,
    (_match, ...[a, b, c, d, e]) => `${a}-${b}-4${c}-${variant}${d}-${e}`,
  );
}
