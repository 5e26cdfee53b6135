/**
 * The countdown of a held session. It follows the server's clock: the page brings the server's time
 * along, and whenever this computer may have slept, or its clock was set, it is asked for again.
 * Without this script the page says the same in words, as of when it was opened.
 */

import { element } from './parts/element.js';
import { lightMoon, minutesAndSeconds } from './parts/hold-clock.js';

const hold = element('hold');
const words = element('words');
const digits = element('digits');
const announcement = element('announcement');
const stateUrl = hold.dataset['state'] ?? '';
const createdAt = Number(hold.dataset['createdAt']);
const expiresAt = Number(hold.dataset['expiresAt']);

const announceAtMs = [5 * 60_000, 2 * 60_000];
const longestTickMs = 5_000;
const retryMs = 3_000;
const askingTimeoutMs = 5_000;

/** What to add to this computer's clock for the server's. */
let offsetMs = Number(hold.dataset['serverTime']) - requestedAt();
let lastTickAt = Date.now();
let lastRemainingMs = remainingMs();
/** @type {Promise<void> | null} */
let asking = null;

void tick();
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void ask();
});
addEventListener('pageshow', (event) => {
  if (event.persisted) void ask();
});
addEventListener('online', () => void ask());

async function tick() {
  const elapsedMs = Date.now() - lastTickAt;
  if (elapsedMs < -1_000 || elapsedMs > longestTickMs) await ask();
  lastTickAt = Date.now();

  const leftMs = remainingMs();
  show(leftMs);
  announce(leftMs);
  lastRemainingMs = leftMs;
  if (leftMs <= 0) await ask();
  setTimeout(tick, leftMs > 0 ? leftMs % 1_000 || 1_000 : retryMs);
}

/** @param {number} leftMs */
function show(leftMs) {
  const minutes = Math.ceil(leftMs / 60_000);
  const text =
    leftMs <= 0 ? 'no more time' : minutes === 1 ? 'one more minute' : `${minutes} more minutes`;
  if (words.textContent !== text) words.textContent = text;
  digits.replaceChildren(...[...minutesAndSeconds(leftMs)].map(figure));
  lightMoon(document, leftMs / (expiresAt - createdAt));
}

/**
 * Every figure in a box of the same width, so that nothing moves as they change.
 * @param {string} character
 */
function figure(character) {
  const box = document.createElement('b');
  box.textContent = character;
  if (character === ':') box.className = 'colon';
  return box;
}

/**
 * Says once that five and that two minutes are left, and when there are none.
 * @param {number} leftMs
 */
function announce(leftMs) {
  const isPassed = [...announceAtMs, 0].some((at) => leftMs <= at && lastRemainingMs > at);
  if (!isPassed) return;
  const minutes = Math.ceil(leftMs / 60_000);
  if (leftMs <= 0)
    announcement.textContent =
      'The time has run out. Nothing is lost: the page is loaded again and tells you how to go on.';
  else if (minutes === 1)
    announcement.textContent = 'Less than a minute is left to confirm your session.';
  else announcement.textContent = `${minutes} minutes are left to confirm your session.`;
}

/** Asks for the server's time, and shows the page anew when it is no longer about a held session. */
function ask() {
  asking ??= fetchState()
    .catch(() => undefined)
    .finally(() => {
      asking = null;
    });
  return asking;
}

async function fetchState() {
  const askedAt = Date.now();
  const signal = AbortSignal.timeout(askingTimeoutMs);
  const answer = await fetch(stateUrl, { cache: 'no-store', signal });
  if (!answer.ok) return;
  const { data: state } = await answer.json();
  offsetMs = Date.parse(state.server_time) - askedAt;
  if (state.status !== 'pending') location.reload();
}

function remainingMs() {
  return expiresAt - (Date.now() + offsetMs);
}

/** When this page was asked for, by this computer's clock: no later than the server read its own. */
function requestedAt() {
  const [navigation] = performance.getEntriesByType('navigation');
  const requestStart =
    navigation instanceof PerformanceNavigationTiming ? navigation.requestStart : 0;
  return Date.now() - (performance.now() - requestStart);
}
