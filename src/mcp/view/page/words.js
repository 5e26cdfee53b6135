/** Dates and times in words. All take the studio's time zone; dates are `YYYY-MM-DD`. */
import { locale, t } from './language.js';

const dayMs = 86_400_000;

/**
 * @param {string} date
 * @param {Intl.DateTimeFormatOptions} options
 */
export function dateWords(date, options) {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(Date.parse(date));
}

/**
 * `Tuesday, December 1`
 * @param {string} date
 */
export function longDate(date) {
  return dateWords(date, { weekday: 'long', month: 'long', day: 'numeric' });
}

/**
 * `December 1 to January 1`
 * @param {{ from: string, to: string }} range
 */
export function rangeWords({ from, to }) {
  const [first = '', last = ''] = [from, to].map((date) =>
    dateWords(date, { month: 'long', day: 'numeric' }),
  );
  return first === last ? first : t('view.times.dates', { first, last });
}

/**
 * `3:15 PM`
 * @param {number} atMs
 * @param {string} [timezone] the device's without one
 */
export function clockTime(atMs, timezone) {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: timezone }).format(atMs);
}

/**
 * `1:00 – 5:00 PM`; `1:00 PM` where the end is not known.
 * @param {import('./tools.js').Slot} slot
 */
export function sessionHours({ time_slot: time, ends_at: endsAt }) {
  if (endsAt === undefined || endsAt === null) return slotWords(time);
  const ends = clockTime(Date.parse(`1970-01-01T${endsAt.slice(11, 16)}Z`), 'UTC');
  const end = ends.replace(/\s/, '\u00a0');
  const start = slotWords(time).replace(' ', '\u00a0');
  const [, half = ''] = end.split('\u00a0');
  return t('time.hours', { start: start.replace(`\u00a0${half}`, ''), end });
}

/**
 * The time of a slot: `1:00 PM`. What the model has sent may be no such time, and is shown as it is.
 * @param {string} time
 */
export function slotWords(time) {
  const [, hour, half] = /^([1-9]|1[0-2]):00 ([AP])M$/.exec(time) ?? [];
  if (hour === undefined) return time;
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
  return clockTime(hours * 3_600_000, 'UTC').replace(/\s/, ' ');
}

/**
 * `Tuesday, December 1, 2026 at 1:00 PM`
 * @param {import('./tools.js').Slot} slot
 */
export function slotLabel({ date, time_slot: time }) {
  return t('time.moment', { day: dateWords(date, { dateStyle: 'full' }), time: slotWords(time) });
}

/**
 * `Pacific Time`, the whole year.
 * @param {string} timezone
 * @param {number} atMs
 */
export function zoneWords(timezone, atMs) {
  return zonePart(timezone, atMs, 'longGeneric');
}

/**
 * Whether clocks in both zones show the same time.
 * @param {string} one
 * @param {string} other
 * @param {number} atMs
 */
export function isSameClock(one, other, atMs) {
  return zonePart(one, atMs, 'longOffset') === zonePart(other, atMs, 'longOffset');
}

/**
 * @param {string} timezone
 * @param {number} atMs
 * @param {'longGeneric' | 'longOffset'} timeZoneName
 */
function zonePart(timezone, atMs, timeZoneName) {
  const format = new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName });
  const part = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName');
  return part?.value ?? timezone;
}

/**
 * How long to wait, for the sentences that say it. The time is on the device's clock, which the person
 * reads.
 * @param {number | null} seconds null: not known
 * @returns {{ wait: 'none' | 'seconds' | 'other', count: number, time: string }}
 */
export function waitWords(seconds) {
  if (seconds === null) return { wait: 'none', count: 0, time: '' };
  if (seconds <= 90) return { wait: 'seconds', count: seconds, time: '' };
  const time = clockTime(Date.now() + seconds * 1_000);
  return { wait: 'other', count: Math.ceil(seconds / 60), time };
}

/**
 * @param {string} date
 * @param {number} days
 */
export function addDays(date, days) {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

/**
 * The date in a zone.
 * @param {number} atMs
 * @param {string} [timezone] the device's without one
 */
export function dateAt(atMs, timezone) {
  // Sweden writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(atMs);
}
