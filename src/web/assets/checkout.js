/**
 * The countdown of a hold. It follows the server's clock: the page contains the server's time, and
 * the script reads it again when the computer may have slept or its clock was changed. Without this
 * script the page shows the remaining time as of when it was opened.
 */

import { element } from '../browser/element.js';
import { sendFilledCode } from '../browser/filled-code.js';
import { lightMoon, minutesAndSeconds } from '../browser/moon-clock.js';
import { showOwnClock } from '../browser/own-clock.js';

showOwnClock(document);

const hold = element('hold');
const words = element('words');
/** The page where a code is typed shows no digits of its own. */
const digits = document.getElementById('digits');
const announcement = element('announcement');
const stateUrl = hold.dataset['state'] ?? '';
const createdAt = Number(hold.dataset['createdAt']);
const expiresAt = Number(hold.dataset['expiresAt']);
const sequence = Number(hold.dataset['sequence']);

const announceAtMs = [5 * 60_000, 2 * 60_000];
const longestTickMs = 5_000;
const retryMs = 3_000;
const requestTimeoutMs = 5_000;

/** The server's clock minus this computer's. */
let offsetMs = Number(hold.dataset['serverTime']) - pageRequestedAt();
let lastTickAt = Date.now();
let lastRemainingMs = remainingMs();
/** @type {Promise<void> | null} */
let synchronizing = null;

sendFilledCode();
void tick();
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void synchronize();
});
addEventListener('pageshow', (event) => {
  if (event.persisted) void synchronize();
});
addEventListener('online', () => void synchronize());

async function tick() {
  const elapsedMs = Date.now() - lastTickAt;
  if (elapsedMs < -1_000 || elapsedMs > longestTickMs) await synchronize();
  lastTickAt = Date.now();

  const leftMs = remainingMs();
  show(leftMs);
  announce(leftMs);
  lastRemainingMs = leftMs;
  if (leftMs <= 0) await synchronize();
  setTimeout(tick, leftMs > 0 ? leftMs % 1_000 || 1_000 : retryMs);
}

/** @param {number} leftMs */
function show(leftMs) {
  const text = wordsFor(words, leftMs);
  if (words.textContent !== text) words.textContent = text;
  digits?.replaceChildren(...[...minutesAndSeconds(leftMs)].map(digitBox));
  lightMoon(document, leftMs / (expiresAt - createdAt));
}

/**
 * A digit in a box of fixed width, so that nothing moves when digits change.
 * @param {string} character
 */
function digitBox(character) {
  const box = document.createElement('b');
  box.textContent = character;
  if (character === ':') box.className = 'colon';
  return box;
}

/**
 * Announces to screen readers, once each, that five and two minutes are left, and the end.
 * @param {number} leftMs
 */
function announce(leftMs) {
  const isPassed = [...announceAtMs, 0].some((at) => leftMs <= at && lastRemainingMs > at);
  if (isPassed) announcement.textContent = wordsFor(announcement, leftMs);
}

/**
 * The words of an element for the minutes that are left: `data-words` has those for 0, 1, 2 … minutes,
 * with `#` for the number; the last ones are for all that follow.
 * @param {HTMLElement} element
 * @param {number} leftMs
 */
function wordsFor({ dataset }, leftMs) {
  const each = dataset['words']?.split('|') ?? [];
  const minutes = Math.max(0, Math.ceil(leftMs / 60_000));
  return (each[minutes] ?? each.at(-1) ?? '').replace('#', String(minutes));
}

/** Reads the server's time, and reloads the page if the booking has changed. */
function synchronize() {
  synchronizing ??= fetchState()
    .catch(() => undefined)
    .finally(() => {
      synchronizing = null;
    });
  return synchronizing;
}

async function fetchState() {
  const requestedAt = Date.now();
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const response = await fetch(stateUrl, { cache: 'no-store', signal });
  // The studio has given the booking a new link.
  if (response.status === 404) location.replace(location.pathname);
  if (!response.ok) return;
  const { data: state } = await response.json();
  offsetMs = Date.parse(state.server_time) - requestedAt;
  const hasChanged = state.sequence !== sequence;
  // Not a reload, which would post a form again.
  if (state.status !== 'pending' || hasChanged) location.replace(location.pathname);
}

function remainingMs() {
  return expiresAt - (Date.now() + offsetMs);
}

/** When this page was requested, by this computer's clock: just before the server read its own. */
function pageRequestedAt() {
  const [navigation] = performance.getEntriesByType('navigation');
  const requestStart =
    navigation instanceof PerformanceNavigationTiming ? navigation.requestStart : 0;
  return Date.now() - (performance.now() - requestStart);
}
