/** The remaining time of a hold, and its status. */
import { element } from '../../../web/browser/element.js';
import { lightMoon, minutesAndSeconds } from '../../../web/browser/moon-clock.js';
import { host } from './host.js';
import { t } from './language.js';
import { callTool } from './tools.js';

/** @typedef {import('./tools.js').Hold} Hold */
/** @typedef {import('./tools.js').Booking} Booking */

/** The least time between two reads of the status. */
const readIntervalMs = 15_000;
const maxReadIntervalMs = 60_000;
/** After the end by this device's clock, which may be ahead of the service's by as much. */
const graceMs = 2_000;
const announcedMinutes = [5, 2];

/** @type {{ id: string, createdAtMs: number, endsAtMs: number } | null} */
let counted = null;
let lastLeftMs = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let tickTimer;

let isWatching = false;
let isReading = false;
let lastReadAtMs = -Infinity;
let intervalMs = readIntervalMs;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let readTimer;

/** @type {{ ended: () => void, read: (booking: Booking) => void }} */
let listener = { ended() {}, read() {} };

/** @param {typeof listener} callbacks `ended`: by the clock; `read`: the status has been read */
export function listenToCountdown(callbacks) {
  listener = callbacks;
}

/**
 * Starts the countdown of a pending hold.
 * @param {Hold} hold
 * @param {number | null} placedAtMs when it was placed by this device's clock; null if that is unknown
 */
export function startCountdown({ id, created_at, expires_at, server_time }, placedAtMs) {
  const serverMs = Date.parse(server_time);
  const expiresAtMs = Date.parse(expires_at);
  const nowMs = Date.now();
  // A chat may show a hold that is minutes or days old. Then this device's clock is the only one that
  // tells how old. After the end it may be wrong, which reading the status finds out.
  const isPlausible = serverMs <= nowMs && (nowMs < expiresAtMs || !host.tools);
  const offsetMs = placedAtMs !== null ? serverMs - placedAtMs : isPlausible ? 0 : serverMs - nowMs;
  counted = {
    id,
    createdAtMs: Date.parse(created_at) - offsetMs,
    endsAtMs: expiresAtMs - offsetMs,
  };
  lastLeftMs = counted.endsAtMs - nowMs;
  lastReadAtMs = -Infinity;
  tick();
}

export function stopCountdown() {
  counted = null;
  isWatching = false;
  clearTimeout(tickTimer);
  clearTimeout(readTimer);
}

/** From now on reads the status, at once and again while this page is visible, if the host can. */
export function watchStatus() {
  if (counted === null || !host.tools) return;
  isWatching = true;
  scheduleRead();
}

function tick() {
  clearTimeout(tickTimer);
  if (counted === null) return;
  const leftMs = counted.endsAtMs - Date.now();
  element('digits').textContent = minutesAndSeconds(leftMs);
  lightMoon(document, leftMs / (counted.endsAtMs - counted.createdAtMs));
  announceMinutes(leftMs);
  lastLeftMs = leftMs;
  if (leftMs > 0) {
    tickTimer = setTimeout(tick, leftMs % 1_000 || 1_000);
    return;
  }
  listener.ended();
  // The person may have confirmed in the last moment.
  watchStatus();
}

/** @param {number} leftMs */
function announceMinutes(leftMs) {
  for (const minutes of announcedMinutes) {
    if (leftMs > minutes * 60_000 || lastLeftMs <= minutes * 60_000 || leftMs <= 0) continue;
    element('announcement').textContent = t('view.held.minutes_left', { minutes });
  }
}

function scheduleRead() {
  clearTimeout(readTimer);
  if (!isWatching || isReading || counted === null || document.visibilityState !== 'visible')
    return;
  const nowMs = Date.now();
  const leftMs = counted.endsAtMs - nowMs;
  const earliestMs = leftMs > 0 ? nowMs : counted.endsAtMs + graceMs;
  const dueMs = Math.max(earliestMs, lastReadAtMs + intervalMs);
  readTimer = setTimeout(() => void readStatus(), dueMs - nowMs);
}

async function readStatus() {
  if (counted === null) return;
  const { id } = counted;
  isReading = true;
  lastReadAtMs = Date.now();
  const answer = await callTool('get_booking_status', { booking_id: id });
  isReading = false;
  if (counted?.id !== id) {
    scheduleRead();
    return;
  }
  if ('booking' in answer) {
    intervalMs = readIntervalMs;
    isStillPending(answer.booking);
    listener.read(answer.booking);
  } else {
    const waitMs = 'refusal' in answer ? (answer.refusal.retryAfterSeconds ?? 0) * 1_000 : 0;
    intervalMs = Math.max(Math.min(2 * intervalMs, maxReadIntervalMs), waitMs);
  }
  scheduleRead();
}

/**
 * A hold that is pending after its end by this device's clock lasts until the next read at least.
 * @param {Booking} booking
 */
function isStillPending({ status }) {
  if (counted === null || status !== 'pending' || counted.endsAtMs > Date.now()) return;
  counted.endsAtMs = Date.now() + readIntervalMs;
  tick();
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') watchStatus();
});
