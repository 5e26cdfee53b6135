/**
 * Keeps a page of the console up to date: on each event of the live stream it fetches the page again, and
 * replaces the elements with a `data-key` that differ. Without this script the page shows what was so
 * when it was opened. A form that is on its way is not sent again.
 */

import { followStream } from './parts/live-stream.js';

/** So that a page which nobody looks at does not keep its session alive. */
const refreshHeaders = { 'console-refresh': '1' };
/** Refreshes that follow each other directly wait longer each time. */
const refreshPauseMs = { least: 200, most: 600 };
const failedRefreshMs = 3_000;
/** A response that is lost on its way may never fail by itself. */
const refreshTimeoutMs = 10_000;
/** The page is refreshed at least this often, since the stream does not tell of everything. */
const maxRefreshIntervalMs = 60_000;
const submitPauseMs = 5_000;

/** The figures of the last `pulse`, as JSON. */
let figures = '';
let isRefreshing = false;
let isRefreshRequested = false;
let refreshedAt = performance.now();
/** When a form was last sent, by the monotonic clock. */
let submittedAt = -Infinity;
/** The HTML that the server sent for each element. */
let serverHtml = htmlByKey(document);

document.addEventListener('submit', refuseSecondSubmit);
if (serverHtml.size > 0) followStream({ received, lost: () => showStale(true) });

/**
 * The browser would drop the answer to the first press: to a second one, a link that signs in once is
 * used up.
 * @param {Event} event
 */
function refuseSecondSubmit(event) {
  if (performance.now() - submittedAt < submitPauseMs) event.preventDefault();
  else submittedAt = performance.now();
}

/** @param {MessageEvent<string>} event */
function received({ type, data }) {
  showStale(false);
  if (type === 'availability') {
    void refresh();
  } else if (type === 'pulse') {
    // The number of viewers and the time are not shown here.
    const present = JSON.stringify({ ...JSON.parse(data), viewers: 0, server_time: '' });
    if (figures !== present) void refresh();
    figures = present;
  } else if (performance.now() - refreshedAt > maxRefreshIntervalMs) {
    void refresh();
  }
}

/** @param {boolean} isStale */
function showStale(isStale) {
  const note = document.getElementById('stale');
  if (note !== null) note.hidden = !isStale;
}

/** Fetches the page, less often when there are many changes. */
async function refresh() {
  isRefreshRequested = true;
  if (isRefreshing) return;
  isRefreshing = true;
  let pauseMs = refreshPauseMs.least;
  while (isRefreshRequested) {
    isRefreshRequested = false;
    const isDone = await fetchPage().catch(() => false);
    if (!isDone) {
      isRefreshRequested = true;
      showStale(true);
    }
    await pause(isDone ? pauseMs : failedRefreshMs);
    pauseMs = Math.min(pauseMs * 2, refreshPauseMs.most);
  }
  isRefreshing = false;
}

async function fetchPage() {
  const signal = AbortSignal.timeout(refreshTimeoutMs);
  const response = await fetch(location.href, { headers: refreshHeaders, signal });
  // The session has ended: the address shows how to sign in.
  if (response.status === 401) location.reload();
  // A page that is refused for what it asks stays so until the next event: a booking that can no longer
  // be moved, or one that is gone.
  if (isRefusal(response)) return true;
  if (!response.ok) return false;
  applyChanges(new DOMParser().parseFromString(await response.text(), 'text/html'));
  refreshedAt = performance.now();
  return true;
}

/** @param {Response} response */
function isRefusal({ status }) {
  return status >= 400 && status < 500 && status !== 429;
}

/** @param {Document} page */
function applyChanges(page) {
  const next = htmlByKey(page);
  if ([...next.keys()].join() !== [...serverHtml.keys()].join()) {
    // The days of the page are others: at midnight, or after a change of the time zone.
    location.reload();
    return;
  }
  for (const [key, html] of next) {
    if (serverHtml.get(key) === html) continue;
    const [shown] = keyed(document, key);
    const [fresh] = keyed(page, key);
    if (shown !== undefined && fresh !== undefined) replace(shown, fresh);
  }
  serverHtml = next;
}

/**
 * Replaces an element, announces it, and keeps the focus that was in it at the same link or button.
 * @param {Element} shown
 * @param {Element} fresh
 */
function replace(shown, fresh) {
  const place = focusable(shown).findIndex((each) => each === document.activeElement);
  fresh.classList.add('changed');
  shown.replaceWith(fresh);
  if (place >= 0) focusable(fresh)[place]?.focus({ preventScroll: true });
  const news = document.getElementById('news');
  const text = fresh.getAttribute('data-news');
  if (news !== null && text !== null) news.textContent = text;
}

/**
 * @param {Element} root
 * @returns {HTMLElement[]}
 */
function focusable(root) {
  const selector = 'a, button, input:not([type=hidden]), select, textarea, summary';
  return [...root.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement);
}

/**
 * The HTML of each element with a key, without the tokens of its forms, which differ each time.
 * @param {ParentNode} root
 */
function htmlByKey(root) {
  return new Map(
    keyed(root).map((each) => [
      each.getAttribute('data-key') ?? '',
      each.outerHTML.replaceAll(/(name="_csrf" value=)"[^"]*"/g, '$1'),
    ]),
  );
}

/**
 * @param {ParentNode} root
 * @param {string} [key]
 */
function keyed(root, key) {
  const all = [...root.querySelectorAll('[data-key]')];
  return key === undefined ? all : all.filter((each) => each.getAttribute('data-key') === key);
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
