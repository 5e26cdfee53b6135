/**
 * Says beside a time on the studio's clock what this device's clock shows then, where that is another
 * time: `1:00 – 5:00 PM PST (4:00 – 8:00 PM on your clock)`. Without this script the page names the zone
 * only.
 */

/**
 * Does so once for each time in `root`.
 * @param {ParentNode} root
 */
export function showOwnClock(root) {
  for (const time of root.querySelectorAll('time[data-zone]')) {
    if (time instanceof HTMLTimeElement && time.querySelector('.own-clock') === null)
      addOwnClock(time);
  }
}

/** @type {Intl.DateTimeFormatOptions} */
const timeOfDay = { hour: 'numeric', minute: '2-digit' };
/** @type {Intl.DateTimeFormatOptions} */
const day = { weekday: 'short', month: 'short', day: 'numeric' };

/** @param {HTMLTimeElement} time */
function addOwnClock(time) {
  const { zone, ends = time.dateTime } = time.dataset;
  const [start, end] = [Date.parse(time.dateTime), Date.parse(ends)];
  const isOtherDay = !readsAlike(start, zone, { dateStyle: 'short' });
  if (!isOtherDay && readsAlike(start, zone, { timeStyle: 'short' })) return;
  const { lang } = document.documentElement;
  const locale = lang === 'en' ? 'en-US' : lang;
  const hours = new Intl.DateTimeFormat(locale, timeOfDay);
  const first = isOtherDay ? new Intl.DateTimeFormat(locale, { ...day, ...timeOfDay }) : hours;
  // Of a range over midnight, the format would say both dates.
  const words =
    new Date(start).toDateString() === new Date(end).toDateString()
      ? first.formatRange(start, end)
      : `${first.format(start)} – ${hours.format(end)}`;
  const own = document.createElement('span');
  own.className = 'own-clock';
  own.textContent = ` ${document.body.dataset['ownClock']?.replace('{time}', words)}`;
  (time.querySelector('.zone') ?? time).append(own);
}

/**
 * Whether clocks in a zone and on this device read alike.
 * @param {number} atMs
 * @param {string | undefined} timeZone
 * @param {Intl.DateTimeFormatOptions} options
 */
function readsAlike(atMs, timeZone, options) {
  const [there, here] = [{ ...options, timeZone }, options].map((each) =>
    new Intl.DateTimeFormat('en-US', each).format(atMs),
  );
  return there === here;
}
