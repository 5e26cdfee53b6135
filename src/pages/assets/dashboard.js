/**
 * The dashboard follows the live stream: it counts holds down by the server's clock, and when the
 * stream says that something is new it fetches the part of the page that changes and takes over
 * what differs. Without this script the page is right as of when it was opened.
 */

import { element } from './parts/element.js';
import { lightMoon, minutesAndSeconds } from './parts/hold-clock.js';

const streamUrl = '/api/public/events';
const presentUrl = '/present';

/** The server's heart beats every 15 s. */
const silenceMs = 40_000;
const retryMs = { first: 1_000, most: 60_000 };
/** After each further refresh without a rest the next one waits longer. */
const refreshPauseMs = { least: 300, most: 3_000 };
const refreshSpreadMs = 150;
const failedRefreshMs = 3_000;
/** An answer that is lost on its way may never fail by itself. */
const refreshTimeoutMs = 10_000;
/** Whatever the stream did not tell is found at the latest so long after. */
const longestUnrefreshedMs = 60_000;
const newsPauseMs = 10_000;

const days = element('days');
const timezone = days.dataset['timezone'] ?? 'UTC';
const holdLifetimeMs = Number(days.dataset['holdLifetimeSeconds']) * 1_000;
const timeOfDay = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeStyle: 'short' });

/** What to add to this computer's clock for the server's; unknown until the stream speaks. */
let offsetMs = NaN;
/** @type {EventSource | null} */
let source = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
let failures = 0;
/** When the stream spoke last, or was opened, by a clock that nobody sets. */
let heardAt = 0;
/** The figures that it told last. */
let figures = '';

let isRefreshing = false;
let isRefreshWanted = false;
let refreshedAt = -Infinity;
/** The server's time up to which the page is right. */
let rightUntil = NaN;
let isBehind = false;
let newsAt = -Infinity;

/** What the server sent for each element that changes, before the countdown touched it. */
const served = new Map(changing(document).map((each) => [keyOf(each), each.outerHTML]));

follow();
setInterval(tick, 1_000);
addEventListener('online', follow);
document.addEventListener('visibilitychange', follow);

/** Follows the stream while somebody can see the page; a stream that nobody sees is let go. */
function follow() {
  leave();
  if (document.visibilityState === 'visible') connect();
}

function leave() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

function connect() {
  heardAt = performance.now();
  source = new EventSource(streamUrl);
  source.addEventListener('availability', () => {
    heard();
    void refresh();
  });
  source.addEventListener('pulse', (event) => {
    const { viewers, server_time, ...present } = JSON.parse(event.data);
    heard(server_time);
    element('viewers').textContent = viewers === 1 ? '' : `${viewers} are watching`;
    if (figures !== JSON.stringify(present)) void refresh();
    figures = JSON.stringify(present);
  });
  source.addEventListener('heartbeat', (event) => {
    heard(JSON.parse(event.data).server_time);
    if (performance.now() - refreshedAt > longestUnrefreshedMs) void refresh();
  });
  source.addEventListener('error', () => {
    showStale();
    // After an answer that is no stream (429, 503) the browser has given up; we have not.
    if (source?.readyState === EventSource.CLOSED) connectLater();
  });
}

/** Waits longer after each failure, and never just as long as everybody else. */
function connectLater() {
  leave();
  const most = Math.min(retryMs.most, retryMs.first * 2 ** failures);
  failures += 1;
  retry = setTimeout(connect, most / 2 + Math.random() * (most / 2));
}

/** @param {string} [serverTime] */
function heard(serverTime) {
  heardAt = performance.now();
  failures = 0;
  if (serverTime !== undefined) offsetMs = Date.parse(serverTime) - Date.now();
  if (!isBehind) showLive();
}

function showLive() {
  rightUntil = Date.now() + (offsetMs || 0);
  document.body.classList.remove('stale');
  say('connection', 'Live');
}

function showStale() {
  document.body.classList.add('stale');
  const since = Number.isNaN(rightUntil) ? 'yet' : `since ${timeOfDay.format(rightUntil)}`;
  say('connection', `Not live ${since}; trying again.`);
}

function tick() {
  if (source !== null && performance.now() - heardAt > silenceMs) {
    showStale();
    connectLater();
  }
  if (Number.isNaN(offsetMs)) return;
  const now = Date.now() + offsetMs;
  for (const cell of days.querySelectorAll('[data-lapses-at]')) {
    countDown(cell, Number(cell.getAttribute('data-lapses-at')) - now);
  }
}

/**
 * @param {Element} cell
 * @param {number} leftMs
 */
function countDown(cell, leftMs) {
  if (leftMs <= 0) void refresh();
  let left = cell.querySelector('.left');
  if (left === null) {
    left = document.createElement('span');
    left.className = 'left';
    left.setAttribute('aria-hidden', 'true');
    cell.querySelector('.word')?.append(' ', left);
    cell.classList.add('counting');
  }
  left.textContent = minutesAndSeconds(leftMs);
  lightMoon(cell, leftMs / holdLifetimeMs);
}

/** Shows the present soon, and less often the more there is to show. */
async function refresh() {
  isRefreshWanted = true;
  if (isRefreshing) return;
  isRefreshing = true;
  let pauseMs = refreshPauseMs.least;
  while (isRefreshWanted) {
    // Not all viewers in the same moment.
    await pause(Math.random() * refreshSpreadMs);
    isRefreshWanted = false;
    isBehind = !(await fetchPresent().catch(() => false));
    if (isBehind) {
      isRefreshWanted = true;
      showStale();
    }
    await pause(isBehind ? failedRefreshMs * (1 + Math.random()) : pauseMs);
    pauseMs = Math.min(pauseMs * 2, refreshPauseMs.most);
  }
  isRefreshing = false;
}

async function fetchPresent() {
  const signal = AbortSignal.timeout(refreshTimeoutMs);
  const answer = await fetch(presentUrl, { cache: 'no-cache', signal });
  if (!answer.ok) return false;
  const present = new DOMParser().parseFromString(await answer.text(), 'text/html');
  takeOver(present);
  refreshedAt = performance.now();
  tick();
  return true;
}

/** @param {Document} present */
function takeOver(present) {
  const nextDays = present.getElementById('days');
  if (nextDays !== null && datesOf(nextDays) !== datesOf(days)) {
    // Midnight has moved the calendar on, or the studio has closed a day.
    days.replaceChildren(...nextDays.children);
    for (const cell of changing(days)) served.set(keyOf(cell), cell.outerHTML);
  }
  const shown = new Map(changing(document).map((each) => [keyOf(each), each]));
  for (const next of changing(present)) {
    const [key, html] = [keyOf(next), next.outerHTML];
    if (served.get(key) === html) continue;
    served.set(key, html);
    next.classList.add('changed');
    shown.get(key)?.replaceWith(next);
  }
  const changes = present.getElementById('changes');
  const shownChanges = element('changes');
  if (changes === null || changes.textContent === shownChanges.textContent) return;
  shownChanges.replaceWith(changes);
  announce(changes.querySelector('.what')?.textContent ?? '');
}

/**
 * Tells a listener of the last change, but not of each when there are many.
 * @param {string} text
 */
function announce(text) {
  if (performance.now() - newsAt < newsPauseMs) return;
  newsAt = performance.now();
  say('news', text.replace(/\s+/g, ' ').trim());
}

/** @param {ParentNode} root */
function changing(root) {
  return [...root.querySelectorAll('[data-key]')];
}

/** @param {Element} list */
function datesOf(list) {
  return [...list.children]
    .map((day) => `${day.className} ${day.querySelector('time')?.dateTime}`)
    .join();
}

/** @param {Element} element */
function keyOf(element) {
  return element.getAttribute('data-key') ?? '';
}

/**
 * @param {string} id
 * @param {string} text
 */
function say(id, text) {
  const region = element(id);
  if (region.textContent !== text) region.textContent = text;
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
