import t from 'tap';
import { windowsZones } from '../../generated/windows-zones.js';
import { busyIntervals } from '../../src/icalendar/read/busy-intervals.js';
import { createZones } from '../../src/icalendar/read/named-zones.js';
import { collectNotes } from '../../src/icalendar/read/notes.js';
import {
  allSlots,
  atSix,
  between,
  busyTimes,
  type Case,
  dentistTime,
  fixed,
  hour,
  inZone,
  readText,
  zone,
} from './cases.js';
import { calendar, dentist, dentistBusy, event, slotStarts, utc } from './start-reader.js';

const series = event('UID:1', 'DTSTART:20261101T180000Z', hour, 'RRULE:FREQ=DAILY');
const instance = 'RECURRENCE-ID:20261201T180000Z';
const later = 'RECURRENCE-ID;RANGE=THISANDFUTURE:20261120T180000Z';
/** A change of the series. */
const changed = (...lines: string[]) => [event('UID:1', ...lines), series];
const until = (end: string) =>
  event('DTSTART:20261130T180000Z', hour, `RRULE:FREQ=DAILY;UNTIL=${end}`);
const allDay = (rule: string, ...lines: string[]) =>
  event('DTSTART;VALUE=DATE:20261130', `RRULE:FREQ=DAILY;${rule}`, ...lines);
/** An event without an instance near the slots, and one near them. */
const endless = (rule: string) => [
  event('DTSTART:19700101T000000Z', 'DURATION:PT1M', `RRULE:${rule}`),
  dentist,
];

const readable: readonly Case[] = [
  [
    'only intervals that decide about a slot are returned, merged',
    ['1000-1100', '1600-1730', '1730-1800', '1900-1930', '2030-2200'].map(between),
    '17:00-18:00 20:30-22:00',
  ],
  [
    'years, cut to the time of the slots',
    event('DTSTART:00010101T000000Z', 'DTEND:99991231T000000Z'),
    allSlots,
  ],

  ['a date begins in the evening of the slots', event('DTSTART;VALUE=DATE:20261202'), ''],
  ['in the studio', event('DTSTART;VALUE=DATE:20261202'), '02 00:00-02 05:00', 'UTC'],
  ['a date that does not say so', event('DTSTART:20261201'), allSlots],
  ['a date as if in UTC', event('DTSTART:20261201Z'), allSlots],
  [
    'a date that ends before it begins: one day at least',
    event('DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261130'),
    allSlots,
  ],

  ['no length', event(atSix), ''],
  ['an end at the start', event(atSix, 'DTEND:20261201T180000Z'), ''],
  ['a duration of all units', event(atSix, 'DURATION:PT1H30M30S'), '18:00-19:30'],
  [
    'a duration of days in hours',
    event('DTSTART:20261127T180000Z', 'DURATION:PT100H'),
    '17:00-22:00',
  ],
  ['of a date', event('DTSTART;VALUE=DATE:20261130', 'DURATION:PT48H'), allSlots],
  ['a duration of nothing', event(atSix, 'DURATION:PT0S'), ''],

  [
    'a start and an end in two zones',
    event(
      'DTSTART;TZID=America/New_York:20261201T130000',
      'DTEND;TZID=America/Los_Angeles:20261201T110000',
    ),
    dentistTime,
  ],
  [
    'the zone of that name, not the calendar’s own',
    [fixed('Europe/Berlin', '-0800'), inZone('Europe/Berlin', '1900')],
    dentistTime,
  ],
  ['the calendar’s own zone', [inZone('Home', '2030'), fixed('Home', '+0230')], dentistTime],
  ['and in other case', [fixed('Home', '+0230'), inZone(' home', '2030')], dentistTime],
  [
    'one that another calendar of the stream defines',
    `${calendar(fixed('Home', '+0230'))}${calendar(inZone('Home', '1000'))}`,
    '17:00-23:00 15 zone',
  ],
  [
    'a zone that lists its changes',
    [
      zone(
        'Home',
        ['STANDARD', '19990101T000000', '+0000', '+0000'],
        ['DAYLIGHT', '20200101T000000', '+0000', '+0200', 'RDATE:20210101T000000,20261201T000000'],
      ),
      inZone('Home', '2000'),
    ],
    dentistTime,
  ],
  [
    'hours after a change of its clock',
    [
      zone(
        'Home',
        ['STANDARD', '20200101T000000', '+1000', '+1000'],
        ['DAYLIGHT', '20261202T020000', '+1000', '+1100'],
      ),
      event('DTSTART;TZID=Home:20261202T050000', hour),
    ],
    dentistTime,
  ],
  [
    'a zone whose rules have ended',
    [
      zone(
        'Home',
        [
          ...['STANDARD', '20001001T000000', '+0200', '+0100'],
          'RRULE:FREQ=YEARLY;UNTIL=20051001T000000Z',
        ],
        ['DAYLIGHT', '20000401T000000', '+0100', '+0200', 'RRULE:FREQ=YEARLY;COUNT=5'],
      ),
      inZone('Home', '1900'),
    ],
    dentistTime,
  ],

  ['a to-do', ['BEGIN:VTODO', atSix, 'DUE:20261201T190000Z', 'END:VTODO'], ''],
  [
    'an event in a to-do, whose end may be missing',
    ['BEGIN:VTODO', dentist, 'END:VTODO'],
    dentistTime,
  ],
  ['a stream of calendars', `${calendar()}\r\n\r\n${calendar(dentist)}`, dentistTime],
  ['lines that end as on Unix', calendar(dentist).replaceAll('\r\n', '\n'), dentistTime],

  ['a cancelled instance without a start', changed(instance, 'STATUS:CANCELLED'), ''],
  [
    'one that is named by its date',
    changed('RECURRENCE-ID;VALUE=DATE:20261201', 'DTSTART:20261201T220000Z', hour),
    '22:00-23:00',
  ],
  ['all later ones cancelled', changed(later, 'STATUS:CANCELLED'), ''],
  [
    'later ones of a free series busy, and those after them cancelled',
    [
      event('UID:1', later, 'DTSTART:20261120T180000Z', hour),
      event('UID:1', later.replace('1120', '1210'), 'STATUS:CANCELLED'),
      event('UID:1', 'DTSTART:20261101T180000Z', 'TRANSP:TRANSPARENT', 'RRULE:FREQ=DAILY'),
    ],
    dentistTime,
  ],
  [
    'and adds it',
    event('DTSTART:20261101T180000Z', hour, 'RDATE;VALUE=DATE:20261201'),
    dentistTime,
  ],
  ['days', allDay('COUNT=2'), allSlots],
  ['a space within a rule', allDay('INTERVAL=1; COUNT=1'), ''],
  ['midnight excludes a day', allDay('COUNT=2', 'EXDATE:20261201T000000Z'), ''],

  ['the last instance by its instant', until('20261201T180000Z'), dentistTime],
  ['a second less', until('20261201T175959Z'), ''],
  ['by its time in the studio', until('20261201T180000'), dentistTime],
  ['by its date', until('20261201'), dentistTime],
  ['by the date before', until('20261130'), ''],
  ['the last day by its date', allDay('UNTIL=20261201'), allSlots],
  ['by its date in UTC', allDay('UNTIL=20261201T000000Z'), allSlots],
  ['by its instant', allDay('UNTIL=20261201T080000Z'), allSlots],
  ['by the date before in UTC', allDay('UNTIL=20261130T235959Z'), ''],

  ['a rule that no date matches', endless('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'), dentistTime],
  ['a month', endless('FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4;COUNT=9'), dentistTime],
  ['a year', endless('FREQ=YEARLY;BYMONTH=2;BYDAY=5MO;BYMONTHDAY=1'), dentistTime],
  ['an interval beyond all years', endless('FREQ=YEARLY;INTERVAL=999999'), dentistTime],
];

t.test('calendars are busy when they say so, in each form that calendars use', (t) => {
  for (const [what, ics, busy, studio = 'America/Los_Angeles'] of readable) {
    t.equal(busyTimes(ics, studio), busy, what);
  }
  t.end();
});

t.test('only the intervals that decide about one of the slots are returned', (t) => {
  const [what, ics] = readable[0]!;
  for (const [starts, busy] of [
    [[utc(17)], '17:00-18:00'],
    [[utc(18)], '19:00-19:30'],
    [[utc(25)], ''],
    [[], ''],
  ] as const) {
    t.equal(busyTimes(ics, 'UTC', [...starts]), busy, what);
  }
  t.end();
});

t.test('the limit of occurrences counts those of all events', (t) => {
  const counted = event('DTSTART:20200101T000000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=600');
  const { events } = readText(calendar(counted, counted, dentist), 'UTC');
  const limited = (occurrences: number) => busyIntervals(events, { slotStarts, occurrences });
  t.same(limited(2_410), dentistBusy);
  t.throws(() => limited(1_300), { name: 'TooManyOccurrencesError' });
  const yearly = event('DTSTART:20200101T180000Z', hour, 'RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR');
  const few = readText(calendar(yearly), 'UTC').events;
  t.same(busyIntervals(few, { slotStarts, occurrences: 20 }), dentistBusy, 'from the slots on');
  t.end();
});

const hourMs = 3_600_000;
const noon = Date.UTC(2026, 6, 1, 12);

/** The zone of a name, and its offsets in July: the greatest and the least that it may be. */
function found(name: string): [id: string, most: number, least: number, isTold: boolean] {
  const notes = collectNotes();
  const zones = createZones('America/Los_Angeles', [], { floating: null, notes });
  const { id, instantOf, latestOf = instantOf } = zones.named(name, 1);
  const offsets = [instantOf(noon), latestOf(noon)].map((instant) => (noon - instant) / hourMs);
  return [id, offsets[0]!, offsets[1]!, notes.unreadable().count > 0];
}

t.test('zones are found by the names that programs give them', (t) => {
  for (const [name, id, offset] of [
    ['america/new_york', 'America/New_York', -4],
    ['Eastern Daylight Time', 'America/New_York', -4],
    ['Pacific Standard Time 1', 'America/Los_Angeles', -7],
    ['Pacific Time (US & Canada)', 'America/Los_Angeles', -7],
    ['(GMT-08:00) Pacific Time (US & Canada); Tijuana', 'America/Los_Angeles', -7],
    ['(GMT+01.00) Amsterdam / Berlin / Bern', 'Europe/Amsterdam', 2],
    [String.raw`(UTC+05:30) Chennai\, Kolkata\, Mumbai`, 'Asia/Kolkata', 5.5],
    ['(UTC-07:00) Arizona', 'US/Arizona', -7],
    ['tzone://Microsoft/Utc', 'UTC', 0],
    ['/mozilla.org/20050126_1/America/Argentina/Ushuaia', 'America/Argentina/Ushuaia', -3],
    ['Argentina/Buenos_Aires', 'America/Buenos_Aires', -3],
    ['Mexico City', 'America/Mexico_City', -6],
    ['Eastern European Time', 'Europe/Athens', 3],
    ['ET', 'America/New_York', -4],
    ['HST', 'HST', -10],
    ['UTC-5', 'UTC-5', -5],
    ['-0330', '-0330', -3.5],
    ['(UTC\u221202:00)', '(UTC\u221202:00)', -2],
  ] as const) {
    t.strictSame(found(name), [id, offset, offset, false], name);
  }
  t.end();
});

t.test('what a name leaves open is closed, and told', (t) => {
  t.strictSame(found('(UTC+03:00) Atlantis'), ['(UTC+03:00) Atlantis', 4, 3, true]);
  for (const [name, id, most, least] of [
    ['PST', 'America/Los_Angeles or UTC-8', -7, -8],
    ['mst', 'America/Denver or UTC-7', -6, -7],
    ['AKDT', 'America/Anchorage or UTC-8', -8, -8],
  ] as const) {
    t.strictSame(found(name), [id, most, least, true], name);
  }
  for (const name of ['Customized Time Zone', 'XST', 'UTC+25', 'constructor', 'a'.repeat(10_000)]) {
    t.strictSame(found(name), ['unknown', 14, -12, true], name.slice(0, 30));
  }
  t.end();
});

t.test('this Node.js knows each zone of the Windows table', (t) => {
  t.ok(windowsZones.size > 130);
  for (const name of windowsZones.keys()) t.not(found(name)[0], 'unknown', name);
  t.end();
});
