/** The open times as days with a button for each time. */
import { element } from '../../../web/browser/element.js';
import { host } from './host.js';
import { t } from './language.js';
import { dateWords, longDate, rangeWords, slotWords } from './words.js';

/** @typedef {import('./tools.js').Availability} Availability */
/** @typedef {import('./tools.js').Slot} Slot */

const daysAtFirst = 7;

/** What has been read so far; null if nothing has. */
/** @type {Availability | null} */
let known = null;
let shownDays = daysAtFirst;

export function knownTimes() {
  return known;
}

/**
 * Shows only these times.
 * @param {Availability} times
 * @param {((slot: Slot) => void) | null} choose called when a time is pressed; null: they are text
 */
export function showTimes(times, choose) {
  known = times;
  shownDays = daysAtFirst;
  renderDays(choose);
}

/**
 * Shows further times after those that are known.
 * @param {Availability} times
 * @param {(slot: Slot) => void} choose
 * @returns {number} the index of the first day that is new
 */
export function addTimes(times, choose) {
  const earlier = known?.days ?? [];
  known = {
    ...times,
    from: known?.from ?? times.from,
    days: [...earlier, ...times.days],
    total_open: (known?.total_open ?? 0) + times.total_open,
  };
  shownDays = earlier.length === 0 ? daysAtFirst : Infinity;
  renderDays(choose);
  if (times.days.length === 0 && earlier.length > 0) {
    element('searched').textContent = t('view.times.no_more', { dates: rangeWords(times) });
  }
  return earlier.length;
}

/** @param {((slot: Slot) => void) | null} choose as for `showTimes` */
export function showMoreDays(choose) {
  const before = shownDays;
  shownDays = Infinity;
  renderDays(choose);
  focusDay(before);
}

/** @param {Slot} slot */
export function focusTime({ date, time_slot: time }) {
  const button = [...document.querySelectorAll('button.time')].find(
    (each) => each.getAttribute('data-slot') === `${date} ${time}`,
  );
  if (button instanceof HTMLElement) button.focus();
}

/** @param {number} index of a day, which has just been shown */
export function focusDay(index) {
  const time = element('days').children[index]?.querySelector('button');
  if (time instanceof HTMLElement) time.focus();
}

/** @param {((slot: Slot) => void) | null} choose */
function renderDays(choose) {
  if (known === null) return;
  const { days } = known;
  const hidden = Math.max(0, days.length - shownDays);
  const columns = columnsOf(known);
  element('days').replaceChildren(
    ...days.slice(0, shownDays).map((day) => {
      const item = make('li', 'day');
      item.append(heading(day.date), timeList(day, columns, choose));
      return item;
    }),
  );
  element('days').style.setProperty('--columns', String(columns.length));
  element('searched').textContent = '';
  element('more-days').hidden = hidden === 0;
  element('more-days').textContent = t('view.times.more_days', { days: hidden });
  element('later-dates').hidden = hidden > 0 || !host.tools;
}

/**
 * The times of day, in order: each has a column of its own.
 * @param {Availability} times
 */
function columnsOf({ days }) {
  const hours = new Map(
    days.flatMap(({ slots }) =>
      slots.map(({ time_slot: time, starts_at: start }) => [time, start.slice(11, 16)]),
    ),
  );
  return [...hours].sort(([, one], [, other]) => one.localeCompare(other)).map(([time]) => time);
}

/** @param {string} date */
function heading(date) {
  const day = make('h2', 'date');
  const weekday = make('span', 'weekday');
  weekday.textContent = dateWords(date, { weekday: 'long' });
  day.append(weekday, ' ', dateWords(date, { month: 'short', day: 'numeric' }));
  return day;
}

/**
 * @param {Availability['days'][number]} day
 * @param {string[]} columns
 * @param {((slot: Slot) => void) | null} choose
 */
function timeList({ date, slots }, columns, choose) {
  const list = document.createElement('ul');
  for (const { time_slot: time } of slots) {
    const item = document.createElement('li');
    item.style.gridColumn = String(columns.indexOf(time) + 1);
    const label = make(choose === null ? 'span' : 'button', 'time');
    const words = slotWords(time);
    label.textContent = words;
    if (label instanceof HTMLButtonElement) {
      label.type = 'button';
      label.dataset['slot'] = `${date} ${time}`;
      const name = t('view.times.time', { time: words, day: longDate(date) });
      label.setAttribute('aria-label', name);
      label.addEventListener('click', () => choose?.({ date, time_slot: time }));
    }
    item.append(label);
    list.append(item);
  }
  return list;
}

/**
 * @param {string} tag
 * @param {string} className
 */
function make(tag, className) {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}
