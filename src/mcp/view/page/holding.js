/** The chosen time, and holding it with what was typed. */
import { showHold } from './held.js';
import { host } from './host.js';
import { t } from './language.js';
import { checkPerson, forgetKey, keyOf, readPerson, showRefused } from './person.js';
import { isBusy, setBusy, showState, showTrouble } from './screen.js';
import { callTool } from './tools.js';
import { slotLabel, waitWords } from './words.js';

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
  showState('form', { title: t('view.form.title'), slot, timezone });
}

/**
 * Holds the chosen time with what was typed.
 * @param {string} [buttonId] of the button that was pressed
 */
export async function placeHold(buttonId) {
  const wanted = slot;
  if (wanted === null || !checkPerson()) return;
  const done = setBusy(t('view.form.sending'), buttonId);
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
    showState('taken', { title: t('view.taken.title'), slot, timezone });
    showAlternatives(alternatives);
    return;
  }
  const title = t(code === 'cancelled' ? 'view.form.title' : 'view.form.title.refused');
  showState('form', { title, slot, timezone });
  if (code === 'invalid_request' && !showRefused(details)) return;
  showTrouble(host.tools ? troubleOf(code, retryAfterSeconds) : t('view.refused.without_tools'));
}

/**
 * @param {string} code
 * @param {number | null} retryAfterSeconds
 */
function troubleOf(code, retryAfterSeconds) {
  const wait = waitWords(retryAfterSeconds);
  const again = `${t('view.try_again', wait)} ${t('view.refused.typed')}`;
  /** @type {Record<string, string>} */
  const troubles = {
    invalid_request: t('view.refused.invalid'),
    rate_limited: `${t('view.refused.rate_limited')} ${again}`,
    too_many_pending_holds: `${t('view.refused.too_many')} ${again}`,
    cancelled: t('view.refused.cancelled'),
  };
  return troubles[code] ?? `${t('view.refused.no_answer')} ${t('view.refused.press_again', wait)}`;
}

/** @param {import('./tools.js').Alternative[]} alternatives */
function showAlternatives(alternatives) {
  if (alternatives.length === 0) {
    showTrouble(t('view.taken.no_others'));
    return;
  }
  const how = t(host.tools ? 'view.taken.press' : 'view.taken.ask');
  showTrouble(`${t('view.taken.others')} ${how}`, {
    choices: alternatives.map((each) => ({
      label: slotLabel(each),
      act: host.tools ? () => holdInstead(each) : null,
    })),
  });
}
