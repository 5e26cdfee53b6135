import t from 'tap';
import { allSlots, atSix, busyTimes, type Case, dentistTime, hour, inZone, zone } from './cases.js';
import { calendar, dentist, event } from './start-reader.js';

/** What cannot be read closes what of it can be read, and is told by its line. */
const inPart: readonly Case[] = [
  [
    'a date that does not exist',
    [event('DTSTART:20260231T100000Z'), dentist],
    '18:00-19:00 4 date',
  ],
  ['a date with letters', [event('DTSTART:tomorrow'), dentist], '18:00-19:00 4 date'],
  ['a time that does not exist: its day', event('DTSTART:20261201T250000Z'), `${allSlots} 4 date`],
  ['a minute that does not exist', event('DTSTART:20261201T236000Z'), `${allSlots} 4 date`],
  [
    'only the end can be read: from the begin of its day',
    event('DTSTART:soon', 'DTEND;TZID=UTC:20261201T190000'),
    '17:00-19:00 4 date',
  ],
  [
    'only the start can be read: until the end of its day',
    event(atSix, 'DTEND:later'),
    '18:00-02 05:00 5 date',
  ],
  ['a duration that is none', event(atSix, 'DURATION:1H'), '18:00-02 05:00 5 duration'],
  ['a rule that is none', event(atSix, hour, 'RRULE:FREQ=SOMETIMES'), `${dentistTime} 6 rule`],
  ...['HOURLY;INTERVAL=3', 'MINUTELY;INTERVAL=90', 'SECONDLY;COUNT=9;INTERVAL=3600'].map(
    (frequency): Case => [
      'a rule that repeats within a day: its first instance',
      event(atSix, hour, `RRULE:FREQ=${frequency}`),
      `${dentistTime} 6 rule`,
    ],
  ),
  [
    'exceptions within a day: none of them',
    event(atSix, hour, 'RRULE:FREQ=DAILY', 'EXRULE:FREQ=HOURLY'),
    `${dentistTime} 7 rule`,
  ],
  [
    'a rule of exceptions: none of them',
    event(atSix, hour, 'RRULE:FREQ=DAILY', 'EXRULE:FREQ=SOMETIMES'),
    `${dentistTime} 7 rule`,
  ],
  [
    'the end of a rule',
    event(atSix, hour, 'RRULE:FREQ=DAILY;UNTIL=never'),
    `${dentistTime} 6 rule`,
  ],
  [
    'one of its excluded dates',
    event('DTSTART:20261130T180000Z', hour, 'RRULE:FREQ=DAILY', 'EXDATE:x,20261202T180000Z'),
    `${dentistTime} 7 date`,
  ],
  [
    'a period',
    event(atSix, hour, 'RDATE;VALUE=PERIOD:20261201T200000Z/x'),
    `${dentistTime} 6 date`,
  ],
  ['an end before the start', event(atSix, 'DTEND:20261201T170000Z'), ' 5 end_before_start'],
  ['a negative duration', event(atSix, 'DURATION:-PT1H'), ' 5 end_before_start'],
  ['an event without a time', [event('UID:1'), dentist], `${dentistTime} 3 no_start`],
  [
    'a zone without a usable definition: from the earliest to the latest that it can be',
    inZone('Nowhere', '2200'),
    '17:00-02 05:00 4 zone',
  ],
  [
    'with an end in it: no longer than that',
    event('DTSTART;TZID=Nowhere:20261201T060000', 'DTEND;TZID=Nowhere:20261201T070000'),
    '17:00-19:00 5 zone',
  ],
  [
    'one whose offset is none',
    [zone('x', ['STANDARD', '19700101T000000', '0', '1']), inZone('x', '1000')],
    '17:00-23:00 12 zone',
  ],
  [
    'one that changes its clock within a day',
    [
      zone('x', ['STANDARD', '19700101T000000', '+0100', '+0200', 'RRULE:FREQ=HOURLY;COUNT=2']),
      inZone('x', '2200'),
    ],
    '17:00-02 05:00 13 zone',
  ],
  ['an empty definition', [zone('Home'), inZone('Home', '2200')], '17:00-02 05:00 7 zone'],
];

const refused: Record<string, string | readonly string[]> = {
  'end of the text': calendar(dentist).slice(0, -20),
  'calendar without an end': 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n',
  'calendar behind one without an end': calendar(dentist, calendar(dentist)),
  'events behind the end': `${calendar(dentist)}${dentist}`,
  'component that is no calendar': 'BEGIN:VCARD\r\nEND:VCARD\r\n',
};

const cases: readonly Case[] = [
  ...inPart,
  ...Object.entries(refused).map(([what, ics]): Case => [what, ics, 'refused']),
];

t.test('an event that cannot be read loses nothing else', (t) => {
  for (const [what, ics, busy] of cases) t.equal(busyTimes(ics, 'America/Los_Angeles'), busy, what);
  t.end();
});
