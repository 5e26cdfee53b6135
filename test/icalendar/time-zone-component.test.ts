import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { timeZoneComponent } from '../../src/icalendar/time-zone-component.js';
import { readCalendar } from '../support/ical.js';

const at = Date.parse('2026-11-26T12:00Z');
const dayMs = 86_400_000;

/** The starts of events at local times in the zone of a file, by the definition there alone. */
function read(timezone: string, definition: string, locals: readonly string[]): number[] {
  const events = locals.map(
    (local, index) =>
      `BEGIN:VEVENT\r\nUID:${index}\r\nDTSTART;TZID=${timezone}:${local.slice(0, 19).replaceAll(/[-:]/g, '')}\r\nEND:VEVENT`,
  );
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', definition, ...events, 'END:VCALENDAR', ''];
  return readCalendar(lines.join('\r\n')).events.map(({ event }) =>
    event.startDate.toJSDate().getTime(),
  );
}

function localTime(timezone: string, atMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
}

function instants(moments: readonly Temporal.ZonedDateTime[]): number[] {
  return moments.map(({ epochMilliseconds }) => epochMilliseconds);
}

/** Two hours before and after each transition, where local times are unambiguous. */
function aroundChanges(
  timezone: string,
  { from, to }: { from: number; to: number },
): Temporal.ZonedDateTime[] {
  const moments: Temporal.ZonedDateTime[] = [];
  let change = localTime(timezone, from).getTimeZoneTransition('next');
  while (change !== null && change.epochMilliseconds < to) {
    moments.push(change.subtract({ hours: 2 }), change.add({ hours: 2 }));
    change = change.getTimeZoneTransition('next');
  }
  return moments;
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
      const moments = ['2026-12-10', '2027-03-20', '2027-07-01', '2027-10-20', '2028-01-15'].map(
        (date) => Temporal.PlainDateTime.from(`${date}T12:00`).toZonedDateTime(timezone),
      );
      t.strictSame(read(timezone, text, moments.map(String)), instants(moments), timezone);
    }
  }
  t.end();
});

t.test('for several years, the hours around each change of the clock are right', (t) => {
  for (const timezone of [
    'America/New_York',
    'Europe/London',
    'Europe/Dublin',
    'Australia/Sydney',
  ]) {
    const [from, to] = [at, at + 5 * 366 * dayMs];
    const text = timeZoneComponent(timezone, [{ from, to }]);
    t.equal(text.match(/BEGIN:STANDARD/g)?.length, 1, timezone);
    t.equal(text.match(/BEGIN:DAYLIGHT/g)?.length, 1, timezone);
    t.equal(text.match(/RRULE/g)?.length, 2, timezone);
    const moments = aroundChanges(timezone, { from, to });
    t.equal(moments.length, 20, timezone);
    t.strictSame(read(timezone, text, moments.map(String)), instants(moments), timezone);
  }
  t.end();
});

t.test('a country that ceases to change its clock has no rule that would go on', (t) => {
  for (const [timezone, fromDate, toDate] of [
    ['America/Mexico_City', '2022-05-01', '2023-09-01'],
    ['America/Sao_Paulo', '2018-06-01', '2020-02-01'],
    ['Asia/Amman', '2021-12-01', '2024-06-01'],
  ] as const) {
    const [from, to] = [Date.parse(fromDate), Date.parse(toDate)];
    const text = timeZoneComponent(timezone, [{ from, to }]);
    t.notMatch(text, 'RRULE', timezone);
    const moments = Array.from({ length: (to - from) / (9 * dayMs) }, (_, index) =>
      localTime(timezone, from + index * 9 * dayMs),
    );
    t.strictSame(read(timezone, text, moments.map(String)), instants(moments), timezone);
  }
  t.end();
});

t.test('a rule that holds for a range is not taken for a longer one, in which it changes', (t) => {
  const from = Date.parse('2000-02-01');
  for (const [toDate, rules] of [
    ['2002-02-01', 2],
    ['2008-02-01', 0],
  ] as const) {
    const to = Date.parse(toDate);
    const text = timeZoneComponent('America/Los_Angeles', [{ from, to }]);
    t.equal(text.match(/RRULE/g)?.length ?? 0, rules);
    const moments = aroundChanges('America/Los_Angeles', { from, to });
    t.strictSame(read('America/Los_Angeles', text, moments.map(String)), instants(moments));
  }
  t.end();
});

t.test('other zones list their transitions, and one without any has one observance', (t) => {
  // Around Ramadan, and on the Sunday after the first Saturday. What is past changes in no later data.
  const from = Date.parse('2021-01-01');
  for (const timezone of ['Africa/Casablanca', 'America/Santiago']) {
    const listed = timeZoneComponent(timezone, [{ from, to: from + 400 * dayMs }]);
    t.ok((listed.match(/TZOFFSETTO/g)?.length ?? 0) > 3, timezone);
    t.notMatch(listed, 'RRULE', timezone);
  }
  // Abidjan had local mean time until 1912; Singapore's last change was forward.
  for (const [timezone, offset] of [
    ['Asia/Kolkata', '+0530'],
    ['Africa/Abidjan', '+0000'],
    ['Asia/Singapore', '+0800'],
  ] as const) {
    const fixed = timeZoneComponent(timezone, [{ from: at, to: at }]);
    t.equal(fixed.match(/TZOFFSETTO/g)?.length, 1, timezone);
    t.match(fixed, `TZOFFSETTO:${offset}`);
    t.notMatch(fixed, 'DAYLIGHT', timezone);
  }
  t.end();
});
