import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { timeZoneComponent } from '../../src/schedule/time-zone.js';
import { readCalendar } from '../support/ical.js';

const at = Date.parse('2026-11-26T12:00Z');
const dayMs = 86_400_000;

/** The starts of events at noon in the zone of a file, by the definition there alone. */
function noons(timezone: string, definition: string, dates: readonly string[]): number[] {
  const events = dates.map(
    (date, index) =>
      `BEGIN:VEVENT\r\nUID:${index}\r\nDTSTART;TZID=${timezone}:${date.replaceAll('-', '')}T120000\r\nEND:VEVENT`,
  );
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', definition, ...events, 'END:VCALENDAR', ''];
  return readCalendar(lines.join('\r\n')).events.map(({ event }) =>
    event.startDate.toJSDate().getTime(),
  );
}

function noonIn(timezone: string, date: string): number {
  return Temporal.PlainDateTime.from(`${date}T12:00`).toZonedDateTime(timezone).epochMilliseconds;
}

t.test('a zone that changes its clock by yearly rules has one observance of each kind', (t) => {
  for (const [timezone, rules] of Object.entries({
    'America/Los_Angeles': ['BYMONTH=11;BYDAY=1SU', 'BYMONTH=3;BYDAY=2SU'],
    'Europe/Berlin': ['BYMONTH=10;BYDAY=-1SU', 'BYMONTH=3;BYDAY=-1SU'],
    'Europe/Dublin': ['BYMONTH=10;BYDAY=-1SU', 'BYMONTH=3;BYDAY=-1SU'],
    'Australia/Lord_Howe': ['BYMONTH=10;BYDAY=1SU', 'BYMONTH=4;BYDAY=1SU'],
  })) {
    for (const to of [at, at + 700 * dayMs]) {
      const text = timeZoneComponent(timezone, [{ from: at, to }]);
      t.strictSame(text.match(/BEGIN:(STANDARD|DAYLIGHT)/g)?.length, 2, timezone);
      t.strictSame(
        text.match(/(?<=FREQ=YEARLY;).*/g)?.map((rule) => rule.trim()),
        rules,
        timezone,
      );
      const dates = ['2026-12-10', '2027-03-20', '2027-07-01', '2027-10-20', '2028-01-15'];
      t.strictSame(
        noons(timezone, text, dates),
        dates.map((date) => noonIn(timezone, date)),
        timezone,
      );
    }
  }
  t.end();
});

t.test('other zones list their transitions, and one without any has one observance', (t) => {
  // Around Ramadan, and on the Sunday after the first Saturday.
  for (const timezone of ['Africa/Casablanca', 'America/Santiago']) {
    const listed = timeZoneComponent(timezone, [{ from: at, to: at + 400 * dayMs }]);
    t.ok((listed.match(/TZOFFSETTO/g)?.length ?? 0) > 3, timezone);
    t.notMatch(listed, 'RRULE', timezone);
  }
  const fixed = timeZoneComponent('Asia/Kolkata', [{ from: at, to: at }]);
  t.equal(fixed.match(/TZOFFSETTO/g)?.length, 1);
  t.match(fixed, 'TZOFFSETTO:+0530');
  t.notMatch(fixed, 'DAYLIGHT');
  t.end();
});
