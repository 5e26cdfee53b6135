/** The parts of the document that every state of the view shares. */
import { element } from '../../../web/browser/element.js';
import { host } from './host.js';
import { t } from './language.js';
import { dateWords, longDate, sessionHours, zoneWords } from './words.js';

/** @typedef {import('./tools.js').Slot} Slot */

/**
 * @typedef {'times' | 'form' | 'taken' | 'page' | 'held' | 'confirmed' | 'cancelled' | 'expired' | 'waiting'} State
 */

/** The sections of each state; the others are hidden. */
const sections = {
  times: ['times'],
  person: ['form', 'taken'],
  handover: ['page', 'held'],
  clock: ['held', 'confirmed', 'cancelled', 'expired'],
};

export function currentState() {
  return element('view').dataset['state'];
}

/**
 * @param {State} state
 * @param {{ title: string, lead?: string, slot?: Slot, timezone?: string | undefined }} words
 */
export function showState(state, { title, lead = '', slot, timezone }) {
  element('view').dataset['state'] = state;
  for (const [id, states] of Object.entries(sections)) element(id).hidden = !states.includes(state);
  // Without its tools, the host can hold nothing.
  if (!host.tools) element('person').hidden = true;
  element('trouble').hidden = true;
  element('afterwards').hidden = true;
  element('hold').hidden = state === 'taken';
  showTitle(title);
  element('lead').textContent = lead;
  element('when').replaceChildren(...(slot === undefined ? [] : whenLines(slot, timezone)));
  moveFocus('title');
}

/** @param {string} title */
export function showTitle(title) {
  element('title').textContent = title;
  document.title = title;
}

/**
 * @param {Slot} slot
 * @param {string | undefined} timezone
 */
function whenLines(slot, timezone) {
  const { date, artist } = slot;
  const hours = sessionHours(slot);
  const year = dateWords(date, { year: 'numeric' });
  const lines = [
    longDate(date),
    artist === undefined ? hours : t('time.with_artist', { time: hours, artist: artist.name }),
    timezone === undefined
      ? year
      : t('view.when.zone', { zone: zoneWords(timezone, Date.parse(date)), year }),
  ];
  return lines.flatMap((text) => {
    const line = document.createElement('span');
    line.textContent = text;
    return [line, ' '];
  });
}

/**
 * Says what went wrong.
 * @param {string} text
 * @param {{ choices?: { label: string, act: (() => unknown) | null }[], retry?: () => unknown }} ways
 *   on from there; a choice without an act is text
 */
export function showTrouble(text, { choices = [], retry } = {}) {
  element('trouble').hidden = false;
  element('trouble-text').textContent = text;
  showChoices('alternatives', choices);
  element('retry').hidden = retry === undefined;
  element('retry').onclick = retry ?? null;
  announce(text);
  moveFocus('trouble');
}

/**
 * @param {string} id of the list
 * @param {{ label: string, act: (() => unknown) | null }[]} choices
 */
export function showChoices(id, choices) {
  element(id).replaceChildren(
    ...choices.map(({ label, act }) => {
      const item = document.createElement('li');
      const choice = document.createElement(act === null ? 'span' : 'button');
      choice.textContent = label;
      if (choice instanceof HTMLButtonElement) choice.type = 'button';
      if (act !== null) choice.addEventListener('click', act);
      item.append(choice);
      return item;
    }),
  );
}

/**
 * Moves the focus where the person should read on, unless they are elsewhere in the chat.
 * @param {string} id
 */
function moveFocus(id) {
  if (document.hasFocus()) element(id).focus();
}

/** @param {string} text for screen readers */
export function announce(text) {
  element('announcement').textContent = text;
}

/** Whether the view waits for an answer. */
export function isBusy() {
  return element('view').ariaBusy === 'true';
}

/**
 * Marks the view as waiting for an answer.
 * @param {string} words of the button that was pressed
 * @param {string} [buttonId] of that button
 * @returns {(() => void) | null} what ends it; null if the view is waiting already
 */
export function setBusy(words, buttonId) {
  if (isBusy()) return null;
  const view = element('view');
  view.ariaBusy = 'true';
  announce(words);
  const button = buttonId === undefined ? null : element(buttonId);
  const label = button?.textContent ?? '';
  if (button !== null) button.textContent = words;
  return () => {
    view.ariaBusy = 'false';
    if (button !== null) button.textContent = label;
  };
}
