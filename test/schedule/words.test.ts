import t from 'tap';
import { initialsOf } from '../../src/icalendar/feed-file.js';
import {
  durationWords,
  holdSpanWords,
  sessionHours,
  sessionWords,
  bookingLabel,
  zoneName,
} from '../../src/schedule/words.js';

t.test("the end of a hold is a time on the studio's clock, with the date of another day", (t) => {
  for (const [placedAt, endsAt, words] of [
    ['2026-12-01T18:00:00Z', '2026-12-01T18:15:00Z', '10:15 AM'],
    ['2026-07-01T18:00:00Z', '2026-07-01T18:15:00Z', '11:15 AM'],
    ['2026-12-01T23:50:00Z', '2026-12-02T00:05:00Z', '4:05 PM'],
    ['2026-12-02T07:50:00Z', '2026-12-02T08:05:00Z', 'Wednesday, December 2 at 12:05 AM'],
    ['2027-01-01T07:50:00Z', '2027-01-01T08:05:00Z', 'Friday, January 1, 2027 at 12:05 AM'],
  ] as const) {
    const span = (city: string | null) =>
      holdSpanWords('America/Los_Angeles', Date.parse(placedAt), Date.parse(endsAt), city);
    t.equal(span('Portland'), `for 15 minutes, until ${words} in Portland`);
    t.equal(span(null), `until ${words}, the studio's time (America/Los_Angeles)`);
  }
  t.end();
});

t.test(
  'a session is said from its start to the end that is stored, else to that of its day',
  (t) => {
    const openingHours = [
      { weekday: 2, closes: '20:30' },
      { weekday: 3, closes: '24:00' },
      { weekday: 4, closes: null },
    ];
    for (const [date, timeSlot, endsAtText, hours] of [
      ['2026-12-01', '9:00 AM', null, '9:00 AM – 1:00 PM'],
      ['2026-12-01', '1:00 PM', null, '1:00 – 5:00 PM'],
      ['2026-12-01', '5:00 PM', null, '5:00 – 8:30 PM'],
      ['2026-12-01', '5:00 PM', '2026-12-01T19:00:00-08:00', '5:00 – 7:00 PM'],
      ['2026-12-02', '5:00 PM', null, '5:00 – 9:00 PM'],
      ['2026-12-03', '5:00 PM', null, '5:00 – 9:00 PM'],
      ['2026-12-01', '9:00 AM', '2026-12-01T11:30:00-08:00', '9:00 – 11:30 AM'],
      ['2026-12-01', '9:00 AM', '2026-12-01T12:00:00-08:00', '9:00 AM – 12:00 PM'],
    ] as const) {
      const said = sessionHours({ date, timeSlot, endsAtText }, openingHours);
      t.equal(said.replaceAll('\u00a0', ' '), hours);
      t.notMatch(said, / [–AP]/, 'breaks only after its dash');
    }
    const slot = { date: '2026-12-01', timeSlot: '1:00 PM' } as const;
    t.match(sessionWords(slot), /^Tuesday, December 1, 2026, 1:00/);
    t.match(sessionWords(slot, [], '2026-11-22'), /^Tuesday, December 1, 1:00/);
    t.match(sessionWords(slot, [], '2027-11-22'), /^Tuesday, December 1, 2026, 1:00/);
    t.end();
  },
);

t.test('a duration is neither rounded nor in the wrong number', (t) => {
  const words = ['15 minutes', '1 minute', '90 seconds', '1 second'];
  t.strictSame([900, 60, 90, 1].map(durationWords), words);
  t.end();
});

t.test('initials are whole characters of any script, and never a whole name', (t) => {
  const expected: Record<string, string | null> = {
    'Ada Park': 'A. P.',
    'ada maria  de la park': 'A. P.',
    Ada: 'A.',
    '“Ada” (Park)': 'A. P.',
    'E\u0301milie O’Brien': 'E\u0301. O.',
    '🦊 Ada Fox': 'A. F.',
    '🦊👩‍👩‍👧': null,
    'آدا پارک': 'آ. پ.',
    김민수: '김.',
    '\u202eAda\u202c Park': 'A. P.',
    '𝒜da 3rd': '𝒜. 3.',
    ßen: 'SS.',
    '- .': null,
    '': null,
  };
  for (const [name, initials] of Object.entries(expected)) {
    t.equal(initialsOf(name), initials, name);
  }
  t.match(initialsOf('क्षमा शर्मा'), /^क[^\s]*\. श[^\s]*\.$/);
  t.end();
});

t.test('a slot label does not depend on the time zone of the process', (t) => {
  const before = process.env['TZ'];
  t.teardown(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
  for (const zone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC']) {
    process.env['TZ'] = zone;
    const label = bookingLabel({ date: '2026-12-01', timeSlot: '9:00 AM' });
    t.equal(label, 'Tuesday, December 1, 2026 at 9:00 AM');
  }
  const leapDay = bookingLabel({ date: '2028-02-29', timeSlot: '5:00 PM' });
  t.equal(leapDay, 'Tuesday, February 29, 2028 at 5:00 PM');
  t.end();
});

t.test('every time zone that Node knows has a name, which is that of the season', (t) => {
  const winter = Date.parse('2026-12-01T17:00Z');
  const summer = Date.parse('2026-07-01T17:00Z');
  t.equal(zoneName('America/Los_Angeles', winter), 'Pacific Standard Time');
  t.equal(zoneName('America/Los_Angeles', summer), 'Pacific Daylight Time');
  t.equal(zoneName('Asia/Kathmandu', winter), 'Nepal Time');
  t.throws(() => zoneName('America/Atlantis', winter), RangeError);
  const zones = Intl.supportedValuesOf('timeZone');
  t.ok(zones.length > 400);
  const nameless = zones.filter((zone) => !/\S/.test(zoneName(zone, 0)));
  t.strictSame(nameless, []);
  t.end();
});
