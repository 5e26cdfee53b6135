/** Dates and times in words. All take the studio's time zone; dates are `YYYY-MM-DD`. */

const dayMs = 86_400_000;

/**
 * @param {string} date
 * @param {Intl.DateTimeFormatOptions} options
 */
export function dateWords(date, options) {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(Date.parse(date));
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
  const [first, last] = [from, to].map((date) =>
    dateWords(date, { month: 'long', day: 'numeric' }),
  );
  return first === last ? `${first}` : `${first} to ${last}`;
}

/**
 * `3:15 PM`
 * @param {number} atMs
 * @param {string} [timezone] the device's without one
 */
export function clockTime(atMs, timezone) {
  return new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: timezone }).format(atMs);
}

/**
 * `1:00 – 5:00 PM`; `1:00 PM` where the end is not known.
 * @param {import('./tools.js').Slot} slot
 */
export function sessionHours({ time_slot: time, ends_at: endsAt }) {
  if (endsAt === undefined || endsAt === null) return time;
  const closes = clockTime(Date.parse(`1970-01-01T${endsAt.slice(11, 16)}Z`), 'UTC');
  const end = closes.replace(/\s/, '\u00a0');
  const [start, half = ''] = time.split(' ');
  return `${start}${end.endsWith(half) ? '' : `\u00a0${half}`}\u00a0– ${end}`;
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
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName });
  const part = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName');
  return part?.value ?? timezone;
}

/**
 * `in 40 seconds`, `in 12 minutes, at 3:15 PM`: on the device's clock, which the person reads.
 * @param {number} seconds
 */
export function soonWords(seconds) {
  if (seconds <= 90) return seconds === 1 ? 'in a second' : `in ${seconds} seconds`;
  return `in ${Math.ceil(seconds / 60)} minutes, at ${clockTime(Date.now() + seconds * 1_000)}`;
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
