/**
 * The view that chats show: open times, and a hold until the person has confirmed it. It never
 * confirms: only the person does, on the checkout page.
 */
import { element } from '../../../web/browser/element.js';
import { listenToHost, recordOf } from './bridge.js';
import { stopCountdown } from './countdown.js';
import { copyAddress, currentHold, openPage, showHold } from './held.js';
import { holdInstead, placeHold, showModelRefusal } from './holding.js';
import { applyContext, introduce } from './host.js';
import { t } from './language.js';
import { prefill } from './person.js';
import {
  backToTimes,
  offerArtists,
  readLaterDates,
  showModelReadRefusal,
  showModelTimes,
  timeChooser,
} from './reading.js';
import { showTrouble } from './screen.js';
import { showMoreDays } from './times.js';
import { readAnswer } from './tools.js';

/** The arguments of the model's call, whose result the view shows. */
/** @type {Record<string, unknown>} */
let given = {};

listenToHost({
  ping() {},
  'ui/resource-teardown': stopCountdown,
  'ui/notifications/host-context-changed': applyContext,
  'ui/notifications/tool-input'(params) {
    given = recordOf(params['arguments']);
    prefill(given);
  },
  'ui/notifications/tool-result': receiveResult,
  'ui/notifications/tool-cancelled': () =>
    receiveResult({ isError: true, content: [{ text: '{"error":{"code":"cancelled"}}' }] }),
});

/** @type {Record<string, () => unknown>} */
const acts = {
  'more-days': () => showMoreDays(timeChooser()),
  'later-dates': readLaterDates,
  'by-artist': offerArtists,
  hold: () => placeHold('hold'),
  back: () => backToTimes('back'),
  open: openPage,
  copy: copyAddress,
  again: holdAgain,
  others: () => backToTimes('others'),
};
for (const [id, act] of Object.entries(acts)) element(id).addEventListener('click', act);

element('person').addEventListener('keydown', (event) => {
  // Hosts may forbid frames to submit forms.
  if (event.key !== 'Enter' || event.isComposing) return;
  if (!(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  if (!element('hold').hidden) void placeHold('hold');
});

introduce().catch(() => showTrouble(t('view.not_connected')));

/** @param {Record<string, unknown>} result of the model's call */
function receiveResult(result) {
  try {
    const answer = readAnswer(result);
    if ('times' in answer) showModelTimes(answer.times, given);
    else if ('hold' in answer) showHold(answer.hold, null);
    else if ('refusal' in answer) receiveRefusal(answer.refusal);
  } catch {
    showTrouble(t('view.not_readable'));
  }
}

/** @param {import('./tools.js').Refusal} refusal of the model's call */
function receiveRefusal(refusal) {
  const { date, time_slot: time } = given;
  if (typeof date === 'string' && typeof time === 'string') {
    showModelRefusal({ date, time_slot: time }, refusal);
  } else {
    showModelReadRefusal(refusal, given);
  }
}

function holdAgain() {
  const hold = currentHold();
  if (hold === null) return undefined;
  // What becomes of the hold that has ended does not matter any more.
  stopCountdown();
  return holdInstead(hold, 'again');
}
