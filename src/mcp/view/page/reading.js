/** Reading and showing the open times. */
import { element } from '../../../web/browser/element.js';
import { artistOf, hasArtists, readArtists } from './artists.js';
import { stopCountdown } from './countdown.js';
import { currentHold, showPage } from './held.js';
import { choose, chosenSlot } from './holding.js';
import { host } from './host.js';
import { t } from './language.js';
import { currentState, setBusy, showChoices, showState, showTitle, showTrouble } from './screen.js';
import { addTimes, focusDay, focusTime, knownTimes, showTimes } from './times.js';
import { callTool } from './tools.js';
import { addDays, dateAt, isSameClock, rangeWords, waitWords, zoneWords } from './words.js';

/** @typedef {import('./tools.js').Availability} Availability */
/** @typedef {import('./tools.js').Refusal} Refusal */
/** @typedef {{ from: string, to: string }} Range */

/** Of one request. */
const daysPerRange = 31;

/** The time of day and the artist that the model or the person has asked for, if only one. */
/** @type {{ time_slot?: string, artist?: string }} */
let filter = {};

/** @param {Record<string, unknown>} args of the model's call */
function readFilter({ time_slot: time, artist }) {
  filter = {
    ...(typeof time === 'string' && { time_slot: time }),
    ...(typeof artist === 'string' && { artist }),
  };
}

/**
 * Shows the result of the model's call.
 * @param {Availability} times
 * @param {Record<string, unknown>} args of that call
 */
export function showModelTimes(times, args) {
  readFilter(args);
  showTimes(times, timeChooser(times));
  presentTimes(times);
  if (host.tools && artistOf(times) !== null) void readArtists().then(showName);
}

/**
 * Shows why the model's call was refused, with a way to read the times.
 * @param {Refusal} refusal
 * @param {Record<string, unknown>} args of that call
 */
export function showModelReadRefusal(refusal, args) {
  const { from, to } = args;
  readFilter(args);
  const isRepeatable = refusal.code !== 'invalid_request';
  if (isRepeatable && typeof from === 'string' && typeof to === 'string') {
    showReadRefusal(refusal, { from, to });
  } else {
    showReadRefusal(refusal, rangeFrom(dateAt(Date.now())));
  }
}

/**
 * What pressing one of these times does; null where the host could not hold it.
 * @param {Availability | null} [times]
 */
export function timeChooser(times = knownTimes()) {
  return host.tools || (times !== null && artistOf(times) !== null) ? chooseTime : null;
}

/** @param {import('./tools.js').Slot} slot */
function chooseTime(slot) {
  const times = knownTimes();
  const artist = times && artistOf(times);
  if (artist === null) {
    choose(slot, times?.timezone);
    return;
  }
  // A hold takes whoever is free. Only the person chooses the artist, on the studio's page.
  const query = new URLSearchParams({ date: slot.date, time_slot: slot.time_slot }).toString();
  showPage({ ...slot, artist }, `${artist.page}&${query}`, times?.timezone);
}

/** @param {Availability} times */
function presentTimes(times) {
  const { timezone, days } = times;
  const startsAtMs = Date.parse(days[0]?.slots[0]?.starts_at ?? times.from);
  const zone = zoneWords(timezone, startsAtMs);
  const isElsewhere = host.timeZone !== '' && !isSameClock(timezone, host.timeZone, startsAtMs);
  const lead = [
    t('view.times.clock', { zone }),
    isElsewhere && t('view.times.clock.yours', { zone: zoneWords(host.timeZone, startsAtMs) }),
    timeChooser(times) === null && t('view.times.ask'),
  ];
  showChoices('artists', []);
  element('by-artist').hidden = !host.tools || !hasArtists(times);
  showState('times', {
    title: titleOf(times),
    lead:
      days.length > 0
        ? lead.filter(Boolean).join(' ')
        : t('view.times.none', { dates: rangeWords(times) }),
  });
}

/** @param {Availability} times */
function titleOf(times) {
  const artist = artistOf(times);
  const { length: days } = times.days;
  return artist === null
    ? t('view.times.title', { days })
    : t('view.times.title.artist', { days, artist: artist.name });
}

/** Shows the name of the artist, which has been read, instead of the word of their page. */
function showName() {
  const times = knownTimes();
  if (times !== null && currentState() === 'times') showTitle(titleOf(times));
}

/** Shows whom the person can choose, each as a button that shows the times with them. */
export async function offerArtists() {
  const known = knownTimes();
  const done = setBusy(t('view.times.reading'), 'by-artist');
  if (known === null || done === null) return;
  const artists = await readArtists();
  done();
  if (artists.length === 0) {
    showTrouble(t('view.artists.refused'));
    return;
  }
  const choices = [null, ...artists].map((artist) => ({
    label: artist?.name ?? t('view.artists.anyone'),
    act: () => {
      readFilter({ ...filter, artist: artist?.name });
      return readAnew(rangeFrom(known.from), 'by-artist');
    },
  }));
  showChoices('artists', choices);
  element('artists').querySelector('button')?.focus();
}

/** Reads the times after those that are known, and shows them below. */
export async function readLaterDates() {
  const known = knownTimes();
  if (known === null) return;
  const range = rangeFrom(addDays(known.to, 1));
  const times = await read(range, 'later-dates');
  if (times === null) return;
  const firstNew = addTimes(times, chooseTime);
  presentTimes(knownTimes() ?? times);
  focusDay(firstNew);
}

/**
 * Shows the times again: those that are known, or new ones where they may be out of date.
 * @param {string} buttonId of the button that was pressed
 */
export async function backToTimes(buttonId) {
  const known = knownTimes();
  const slot = chosenSlot();
  if (known !== null && ['form', 'page'].includes(`${currentState()}`)) {
    presentTimes(known);
    if (slot !== null) focusTime(slot);
    return;
  }
  await readAnew(rangeAround(slot?.date), buttonId);
}

/**
 * Shows the times of these dates instead of those that are known.
 * @param {Range} range
 * @param {string} buttonId of the button that was pressed
 */
async function readAnew(range, buttonId) {
  const times = await read(range, buttonId);
  if (times === null) return;
  stopCountdown();
  showTimes(times, chooseTime);
  presentTimes(times);
}

/**
 * Resolves with null after a refusal, which is shown.
 * @param {Range} range
 * @param {string} buttonId of the button that was pressed
 */
async function read(range, buttonId) {
  const done = setBusy(t('view.times.reading'), buttonId);
  if (done === null) return null;
  const answer = await callTool('list_open_times', { ...range, ...filter });
  done();
  if ('times' in answer) return answer.times;
  if ('refusal' in answer) showReadRefusal(answer.refusal, range);
  return null;
}

/**
 * @param {Refusal} refusal
 * @param {Range} range
 */
function showReadRefusal({ code, details, retryAfterSeconds }, range) {
  const isArtist = details.some(({ path }) => path === 'arguments.artist');
  const again = t('view.try_again', waitWords(retryAfterSeconds));
  /** @type {Record<string, string>} */
  const troubles = {
    cancelled: t('view.times.refused.cancelled'),
    rate_limited: `${t('view.times.refused.rate_limited')} ${again}`,
    invalid_request: t(isArtist ? 'view.times.refused.artist' : 'view.times.refused.dates'),
  };
  if (currentState() === 'waiting') showState('times', { title: t('view.times.title.unread') });
  // What anybody has open is not what was asked for.
  const isRepeatable = host.tools && !isArtist;
  showTrouble(
    troubles[code] ?? `${t('view.times.refused')} ${again}`,
    isRepeatable ? { retry: () => readAnew(range, 'retry') } : {},
  );
}

/**
 * @param {string} from
 * @returns {Range}
 */
function rangeFrom(from) {
  return { from, to: addDays(from, daysPerRange - 1) };
}

/**
 * The first dates, unless the date is later.
 * @param {string} [date]
 */
function rangeAround(date) {
  const hold = currentHold();
  const nowMs = hold === null ? Date.now() : Date.parse(hold.server_time);
  const first = knownTimes()?.from ?? dateAt(nowMs, hold?.timezone);
  const isNear = date === undefined || date < addDays(first, daysPerRange);
  return rangeFrom(isNear ? first : addDays(date, -7));
}
