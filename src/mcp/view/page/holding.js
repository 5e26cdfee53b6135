/** The chosen time, and holding it with what was typed. */
import { showHold } from './held.js';
import { host } from './host.js';
import { checkPerson, forgetKey, keyOf, readPerson, showRefused } from './person.js';
import { isBusy, setBusy, showState, showTrouble } from './screen.js';
import { callTool } from './tools.js';
import { soonWords } from './words.js';

/** @typedef {import('./tools.js').Slot} Slot */
/** @typedef {import('./tools.js').Refusal} Refusal */

/** @type {Slot | null} */
let slot = null;
/** Of the studio; undefined until it is known. */
/** @type {string | undefined} */
let timezone;

export function chosenSlot() {
  return slot;
}

/**
 * Shows the form for a time.
 * @param {Slot} chosen
 * @param {string} [zone] of the studio
 */
export function choose(chosen, zone = timezone) {
  slot = chosen;
  timezone = zone;
  showState('form', { title: 'Hold this time', slot, timezone });
}

/**
 * Holds the chosen time with what was typed.
 * @param {string} [buttonId] of the button that was pressed
 */
export async function placeHold(buttonId) {
  const wanted = slot;
  if (wanted === null || !checkPerson()) return;
  const done = setBusy('Holding it…', buttonId);
  if (done === null) return;
  const holdRequest = { date: wanted.date, time_slot: wanted.time_slot, ...readPerson() };
  const { key, sentAtMs } = keyOf(holdRequest);
  const answer = await callTool('hold_slot', { ...holdRequest, idempotency_key: key });
  done();
  // The person may have chosen another time meanwhile.
  slot = wanted;
  if ('hold' in answer) {
    forgetKey();
    showHold(answer.hold, sentAtMs);
  } else if ('refusal' in answer) {
    showHoldRefusal(answer.refusal);
  }
}

/**
 * Holds another time with what was typed, at one press.
 * @param {Slot} other
 * @param {string} [buttonId] of the button that was pressed
 */
export function holdInstead(other, buttonId) {
  if (isBusy()) return undefined;
  slot = { date: other.date, time_slot: other.time_slot };
  const { name, email, phone } = readPerson();
  if (!name || !email || !phone) choose(slot);
  return placeHold(buttonId);
}

/**
 * Shows why the model's call of hold_slot was refused.
 * @param {Slot} wanted
 * @param {Refusal} refusal
 */
export function showModelRefusal(wanted, refusal) {
  slot = wanted;
  showHoldRefusal(refusal);
}

/** @param {Refusal} refusal */
function showHoldRefusal({ code, details, alternatives, retryAfterSeconds }) {
  if (slot === null) return;
  if (code === 'idempotency_key_reused') forgetKey();
  if (code === 'slot_unavailable') {
    showState('taken', { title: 'That time is not free', slot, timezone });
    showAlternatives(alternatives);
    return;
  }
  const title = code === 'cancelled' ? 'Hold this time' : 'Nothing is held yet';
  showState('form', { title, slot, timezone });
  if (code === 'invalid_request' && !showRefused(details)) return;
  if (!host.tools) {
    showTrouble('The studio has not held it. The assistant can tell you why.');
    return;
  }
  const again = retryAfterSeconds === null ? '' : ` ${soonWords(retryAfterSeconds)}`;
  showTrouble((troubles[code] ?? troubleUnknown)(again));
}

/** @type {Record<string, (again: string) => string>} */
const troubles = {
  invalid_request: () => 'The studio cannot hold this time. Please choose another one.',
  rate_limited: (again) =>
    `You cannot hold more times for now. Please try again${again}. What you typed is still here.`,
  too_many_pending_holds: (again) =>
    `Too many times are held right now. Please try again${again}. What you typed is still here.`,
  cancelled: () => 'The assistant stopped before the studio answered. You can hold it here.',
};

/** @param {string} again */
function troubleUnknown(again) {
  return `The studio has not answered as it should. Please press the button again${again}: it holds the time once, however often you press.`;
}

/** @param {import('./tools.js').Alternative[]} alternatives */
function showAlternatives(alternatives) {
  if (alternatives.length === 0) {
    showTrouble('It may just have been taken. Please choose another time.');
    return;
  }
  const how = host.tools
    ? 'One press holds one of them with what you have typed.'
    : 'Tell the assistant which of them you would like.';
  showTrouble(`It may just have been taken. These are open. ${how}`, {
    choices: alternatives.map((each) => ({
      label: each.label,
      act: host.tools ? () => holdInstead(each) : null,
    })),
  });
}
