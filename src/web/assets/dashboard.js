/**
 * Keeps the front page up to date: it counts holds down by the server's clock, and on each event of
 * the live stream it fetches the part of the page that changes and replaces what differs. Without
 * this script the page shows the calendar as of when it was opened.
 */

import { element } from '../browser/element.js';
import { lightMoon, minutesAndSeconds } from '../browser/moon-clock.js';
import { showOwnClock } from '../browser/own-clock.js';
import { followStream } from './parts/live-stream.js';

const presentUrl = '/present';

/** Refreshes that follow each other directly wait longer each time. */
const refreshPauseMs = { least: 300, most: 3_000 };
const refreshSpreadMs = 150;
const failedRefreshMs = 3_000;
/** A response that is lost on its way may never fail by itself. */
const refreshTimeoutMs = 10_000;
/** The page is refreshed at least this often, in case the stream misses something. */
const maxRefreshIntervalMs = 60_000;
const announcementIntervalMs = 10_000;

const days = element('days');
const timezone = days.dataset['timezone'] ?? 'UTC';
const holdLifetimeMs = Number(days.dataset['holdLifetimeSeconds']) * 1_000;
const { lang } = document.documentElement;
const timeOfDay = new Intl.DateTimeFormat(lang === 'en' ? 'en-US' : lang, {
  timeZone: timezone,
  timeStyle: 'short',
});
const { live = '', notLiveYet = '', notLiveSince = '' } = element('connection').dataset;

/** The server's clock minus this computer's; NaN until the first event. */
let offsetMs = NaN;
/** The figures of the last `pulse`, as JSON. */
let figures = '';

let isRefreshing = false;
let isRefreshRequested = false;
let refreshedAt = -Infinity;
/** The server's time as of which the page is up to date. */
let upToDateAt = NaN;
let isRefreshFailing = false;
let announcedAt = -Infinity;

/** The HTML that the server sent for each element that changes, without the countdown. */
const serverHtml = new Map(changing(document).map((each) => [keyOf(each), each.outerHTML]));

showOwnClock(document);
followStream({ received, lost: showStale });
setInterval(tick, 1_000);

/** @param {MessageEvent<string>} event */
function received({ type, data }) {
  if (type === 'availability') {
    markReceived();
    void refresh();
    return;
  }
  const { viewers: _, server_time, ...present } = JSON.parse(data);
  markReceived(server_time);
  if (type === 'heartbeat') {
    if (performance.now() - refreshedAt > maxRefreshIntervalMs) void refresh();
    return;
  }
  if (figures !== JSON.stringify(present)) void refresh();
  figures = JSON.stringify(present);
}

/** @param {string} [serverTime] */
function markReceived(serverTime) {
  if (serverTime !== undefined) offsetMs = Date.parse(serverTime) - Date.now();
  if (!isRefreshFailing) showLive();
}

function showLive() {
  upToDateAt = Date.now() + (offsetMs || 0);
  document.body.classList.remove('stale');
  setText('connection', live);
}

function showStale() {
  document.body.classList.add('stale');
  const words = Number.isNaN(upToDateAt)
    ? notLiveYet
    : notLiveSince.replace('{time}', timeOfDay.format(upToDateAt));
  setText('connection', words);
}

function tick() {
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

/** Fetches the current state, less often when there are many changes. */
async function refresh() {
  isRefreshRequested = true;
  if (isRefreshing) return;
  isRefreshing = true;
  let pauseMs = refreshPauseMs.least;
  while (isRefreshRequested) {
    // Spreads the requests of all viewers.
    await pause(Math.random() * refreshSpreadMs);
    isRefreshRequested = false;
    isRefreshFailing = !(await fetchState().catch(() => false));
    if (isRefreshFailing) {
      isRefreshRequested = true;
      showStale();
    }
    await pause(isRefreshFailing ? failedRefreshMs * (1 + Math.random()) : pauseMs);
    pauseMs = Math.min(pauseMs * 2, refreshPauseMs.most);
  }
  isRefreshing = false;
}

async function fetchState() {
  const signal = AbortSignal.timeout(refreshTimeoutMs);
  const response = await fetch(presentUrl, { cache: 'no-cache', signal });
  if (!response.ok) return false;
  const present = new DOMParser().parseFromString(await response.text(), 'text/html');
  applyChanges(present);
  refreshedAt = performance.now();
  tick();
  return true;
}

/** @param {Document} present */
function applyChanges(present) {
  const focusedKey =
    document.activeElement?.closest('[data-key]')?.getAttribute('data-key') ?? undefined;
  const nextDays = present.getElementById('days');
  if (nextDays !== null && datesOf(nextDays) !== datesOf(days)) {
    // The dates or a day's state have changed: at midnight, or after a closure.
    days.replaceChildren(...nextDays.children);
    for (const cell of changing(days)) serverHtml.set(keyOf(cell), cell.outerHTML);
  }
  const shown = new Map(changing(document).map((each) => [keyOf(each), each]));
  for (const next of changing(present)) {
    const [key, html] = [keyOf(next), next.outerHTML];
    if (serverHtml.get(key) === html) continue;
    serverHtml.set(key, html);
    next.classList.add('changed');
    shown.get(key)?.replaceWith(next);
  }
  showOwnClock(document);
  if (focusedKey !== undefined) restoreFocus(focusedKey);
  const changes = present.getElementById('changes');
  const shownChanges = element('changes');
  if (changes === null || changes.textContent === shownChanges.textContent) return;
  shownChanges.replaceWith(changes);
  announce(changes.querySelector('.what')?.textContent ?? '');
}

/**
 * Keeps the place of a person with a keyboard when the element with the focus has been replaced: on
 * its link, or on the element itself where there is no longer one.
 * @param {string} key
 */
function restoreFocus(key) {
  if (document.activeElement !== document.body) return;
  const selector = `[data-key="${CSS.escape(key)}"]`;
  /** @type {HTMLElement | null} */
  const replaced = document.querySelector(`${selector} a`) ?? document.querySelector(selector);
  if (replaced?.matches('a') === false) replaced.tabIndex = -1;
  replaced?.focus({ preventScroll: true });
}

/**
 * Announces the latest change to screen readers, at most once per interval.
 * @param {string} text
 */
function announce(text) {
  if (performance.now() - announcedAt < announcementIntervalMs) return;
  announcedAt = performance.now();
  setText('news', text.replace(/\s+/g, ' ').trim());
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
function setText(id, text) {
  const region = element(id);
  if (region.textContent !== text) region.textContent = text;
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
