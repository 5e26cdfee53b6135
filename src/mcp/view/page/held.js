/** The hold, how the person confirms it, and how it ends. */
import { element } from '../../../web/browser/element.js';
import { lightMoon } from '../../../web/browser/moon-clock.js';
import { request } from './bridge.js';
import { listenToCountdown, startCountdown, stopCountdown, watchStatus } from './countdown.js';
import { host } from './host.js';
import { t } from './language.js';
import { announce, currentState, showState } from './screen.js';
import { clockTime, zoneWords } from './words.js';

/** @typedef {import('./tools.js').Hold} Hold */
/** @typedef {import('./tools.js').Booking} Booking */

/**
 * The newest hold, with the time and the end that it has now.
 * @type {(Omit<Hold, 'ends_at' | 'artist'> & import('./tools.js').Slot) | null}
 */
let hold = null;

/** The page that the button opens, and what is said then. */
let page = { url: '', opened: '' };

listenToCountdown({ ended: () => showEnd('expired', false), read: receiveStatus });

export function currentHold() {
  return hold;
}

/**
 * @param {Hold} placed
 * @param {number | null} placedAtMs by this device's clock; null if the model has placed it
 */
export function showHold(placed, placedAtMs) {
  hold = placed;
  presentHold(placed);
  startCountdown(placed, placedAtMs);
  if (placedAtMs !== null) tellModel(placed);
  else watchStatus();
}

/** @param {NonNullable<typeof hold>} placed */
function presentHold(placed) {
  const { checkout_url, expires_at, timezone } = placed;
  const endsAtMs = Date.parse(expires_at);
  showState('held', {
    title: t('view.held.title'),
    slot: placed,
    timezone,
    lead: t('view.held.lead', {
      time: clockTime(endsAtMs, timezone),
      zone: zoneWords(timezone, endsAtMs),
    }),
  });
  handOver({ url: checkout_url, opened: t('view.held.opened') }, t('view.held.button'));
}

/**
 * Shows the way to the studio's page of a time, which holds it with an artist.
 * @param {import('./tools.js').Slot} slot
 * @param {string} url
 * @param {string} [timezone] of the studio
 */
export function showPage(slot, url, timezone) {
  showState('page', {
    title: t('view.page.title'),
    slot,
    timezone,
    lead: t('view.page.lead'),
  });
  handOver({ url, opened: t('view.page.opened') }, t('view.page.button'));
  element('afterwards').hidden = !host.tools;
  element('again').hidden = true;
}

/**
 * @param {typeof page} opening
 * @param {string} label of the button
 */
function handOver(opening, label) {
  page = opening;
  const url = webUrl(page.url);
  element('open').textContent = label;
  element('open').hidden = !host.links || url === null;
  element('copying').hidden = host.links || url === null;
  /** @type {HTMLInputElement} */ (element('address')).value = url === null ? '' : page.url;
  element('destination').textContent =
    url === null ? t('view.link.none') : t('view.link.at', { host: url.host });
}

/**
 * Null unless it is an address of the web.
 * @param {string} address
 */
function webUrl(address) {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) ? url : null;
}

/** Asks the host to open the page; shows its address if the host does not. */
export async function openPage() {
  const { url, opened } = page;
  try {
    const answer = await request('ui/open-link', { url }, 30_000);
    if (answer['isError'] === true) throw new Error('not opened');
    element('destination').textContent = opened;
  } catch {
    element('copying').hidden = false;
    element('open').hidden = true;
    element('address').focus();
    announce(t('view.link.not_opened'));
  }
  watchStatus();
}

export function copyAddress() {
  /** @type {HTMLInputElement} */ (element('address')).select();
  // The clipboard's interface needs a permission that frames rarely have.
  const isCopied = document.execCommand('copy');
  element('copy').textContent = t(isCopied ? 'view.link.copied' : 'view.link.selected');
  announce(t(isCopied ? 'view.link.copied.announcement' : 'view.link.selected.announcement'));
  watchStatus();
}

/** @param {Booking} booking */
function receiveStatus(booking) {
  if (hold === null) return;
  const { status, label, date, time_slot, ends_at, artist, expires_at } = booking;
  const wasMoved = hold.label !== label;
  hold = { ...hold, label, date, time_slot, ends_at, artist, expires_at };
  if (status !== 'pending') {
    stopCountdown();
    showEnd(status);
    tellModel(booking);
  } else if (wasMoved || element('handover').hidden) {
    presentHold(hold);
  }
}

/**
 * @param {'confirmed' | 'cancelled' | 'expired'} status
 * @param {boolean} [isRead] false if only the clock says so: the person may have confirmed in time
 */
function showEnd(status, isRead = true) {
  if (hold === null) return;
  const ask = host.tools ? [] : [t('view.ended.ask')];
  const [title, ...sentences] = /** @type {const} */ ({
    confirmed: [t('view.confirmed.title'), t('view.confirmed.lead')],
    cancelled: [t('view.cancelled.title'), t('view.cancelled.lead'), ...ask],
    expired: [
      t('view.expired.title'),
      t(isRead ? 'view.expired.lead' : 'view.expired.lead.by_clock'),
      t(host.tools ? 'view.ended.press' : 'view.ended.ask'),
    ],
  })[status];
  const lead = sentences.join(' ');
  if (currentState() === status) {
    element('lead').textContent = lead;
    return;
  }
  showState(status, { title, slot: hold, timezone: hold.timezone, lead });
  lightMoon(document, status === 'confirmed' ? 1 : 0);
  element('afterwards').hidden = status === 'confirmed' || !host.tools;
  element('again').hidden = status !== 'expired';
  announce(t('view.ended.announcement', { title, lead }));
}

/**
 * Tells the model how the hold ended: nothing that get_booking_status would not tell.
 * @param {Pick<Hold | Booking, 'id' | 'label' | 'status' | 'expires_at'>} booking
 */
function tellModel({ id, label, status, expires_at }) {
  if (!host.modelContext) return;
  const text = {
    pending: `The person holds ${label} until ${expires_at} and has the link to confirm it. Call get_booking_status with booking_id ${id} to learn whether they have.`,
    confirmed: `The person has confirmed ${label}.`,
    cancelled: `The hold of ${label} is cancelled.`,
    expired: `The hold of ${label} has ended without being confirmed.`,
  }[status];
  request('ui/update-model-context', {
    content: [{ type: 'text', text }],
    structuredContent: { booking_id: id, label, status, expires_at },
  }).catch(() => undefined);
}
