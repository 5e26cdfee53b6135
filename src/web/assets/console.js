/**
 * Keeps a page of the console up to date: on each event of the live stream it fetches the page again, and
 * replaces the elements with a `data-key` that differ. Without this script the page shows what was so
 * when it was opened. A form that is on its way is not sent again; one whose session has ended is not
 * sent, and keeps what was typed.
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
/** A form is sent without an answer about the session then. */
const sessionTimeoutMs = 3_000;

/** The figures of the last `pulse`, as JSON. */
let figures = '';
let isRefreshing = false;
let isRefreshRequested = false;
let refreshedAt = performance.now();
/** When a form was last sent, by the monotonic clock. */
let submittedAt = -Infinity;
/** Whether the session of the form that is being sent is known to live. */
let isSessionLive = false;
/** The HTML that the server sent for each element. */
let serverHtml = htmlByKey(document);

document.addEventListener('submit', submitOnce);
if (serverHtml.size > 0) followStream({ received, lost: () => showStale(true) });

/**
 * The browser would drop the answer to the first press: to a second one, a link that signs in once is
 * used up.
 * @param {Event} event
 */
function submitOnce(event) {
  const { target: form, submitter } = /** @type {SubmitEvent} */ (event);
  if (isSessionLive) {
    isSessionLive = false;
    // The page stays as it is.
    if (submitter?.dataset['download'] !== undefined) submittedAt = -Infinity;
  } else if (performance.now() - submittedAt < submitPauseMs) {
    event.preventDefault();
  } else {
    submittedAt = performance.now();
    // Without a session, or without a change, there is nothing to lose.
    if (!(form instanceof HTMLFormElement) || tokenOf(form) === null) return;
    event.preventDefault();
    void submitWithSession(form, submitter);
  }
}

/**
 * Sends a form with a token of the present session. Without one it stays, with what was typed, until
 * somebody has signed in in another tab.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function submitWithSession(form, submitter) {
  const signal = AbortSignal.timeout(sessionTimeoutMs);
  const answer = await fetch('/console/token', { signal }).catch(() => null);
  if (answer?.status === 401) {
    submittedAt = -Infinity;
    showEnded(submitter ?? form);
    return;
  }
  const token = tokenOf(form);
  const fresh = answer?.ok === true ? await answer.text().catch(() => '') : '';
  if (token !== null && fresh !== '') token.value = fresh;
  isSessionLive = true;
  form.requestSubmit(submitter);
}

/** @param {HTMLFormElement} form */
function tokenOf(form) {
  const field = form.elements.namedItem('_csrf');
  return field instanceof HTMLInputElement ? field : null;
}

/**
 * Says before an element, or at the top, that the session has ended.
 * @param {Element | null} place
 */
function showEnded(place) {
  const note = document.getElementById('ended');
  if (note === null) return;
  place?.before(note);
  note.hidden = false;
  note.scrollIntoView({ block: 'nearest' });
}

/** Whether there is text in a form that is not sent. */
function isTyping() {
  const fields = document.querySelectorAll(
    'form[method=post] :is(input:not([type=hidden]), textarea)',
  );
  return [...fields].some(
    (each) =>
      (each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement) &&
      each.value !== each.defaultValue,
  );
}

/** Shows the page anew, but not where somebody types: that would be lost. */
function reload() {
  if (isTyping()) showStale(true);
  else location.reload();
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
  if (response.status === 401) {
    // The address shows how to sign in.
    if (isTyping()) showEnded(null);
    else location.reload();
  }
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
    reload();
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
