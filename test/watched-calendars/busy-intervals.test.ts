import t from 'tap';
import { busyIntervals } from '../../src/watched-calendars/busy-intervals.js';
import { readCalendarText } from '../../src/watched-calendars/calendar-text.js';
import { calendar, dentist, dentistBusy, event, slotStarts, utc } from './start-reader.js';

/** From when until when the text is busy, as `18:00-19:00` in UTC on 1 December 2026 or the day after. */
function busyTimes(text: string, starts = slotStarts, timezone = 'America/Los_Angeles'): string[] {
  const events = readCalendarText(text, timezone);
  const time = (at: number) => new Date(at).toISOString().slice(8, 16).replace('T', ' ');
  return busyIntervals(events, { slotStarts: starts, occurrences: 10_000 }).map(
    ({ startsAt, endsAt }) => `${time(startsAt)}-${time(endsAt)}`,
  );
}

const hour = 'DURATION:PT1H';
const dentistTime = ['01 18:00-01 19:00'];

t.test('of the busy intervals those are returned that decide about a slot', (t) => {
  const at = (from: string, to: string) =>
    event(`DTSTART:20261201T${from}00Z`, `DTEND:20261201T${to}00Z`);
  const text = calendar(
    at('1000', '1100'),
    at('1600', '1730'),
    at('1730', '1800'),
    at('1900', '1930'),
    at('2030', '2200'),
  );
  t.same(busyTimes(text), ['01 17:00-01 18:00', '01 20:30-01 22:00']);
  t.same(busyTimes(text, [utc(17)]), ['01 17:00-01 18:00']);
  t.same(busyTimes(text, [utc(18)]), ['01 19:00-01 19:30']);
  t.same(busyTimes(text, [utc(25)]), []);
  t.same(busyTimes(text, []), []);
  const years = event('DTSTART:00010101T000000Z', 'DTEND:99991231T000000Z');
  t.same(busyTimes(calendar(years)), ['01 17:00-02 05:00'], 'cut to the time of the slots');
  t.end();
});

t.test('dates are those of the studio’s time zone', (t) => {
  const text = calendar(event('DTSTART;VALUE=DATE:20261202'));
  t.same(busyTimes(text), [], 'the last slot ends on the evening before');
  t.same(busyTimes(text, slotStarts, 'UTC'), ['02 00:00-02 05:00']);
  t.same(busyTimes(calendar(event('DTSTART:20261201'))), ['01 17:00-02 05:00'], 'also untold');
  t.same(busyTimes(calendar(event('DTSTART:20261201Z'))), ['01 17:00-02 05:00'], 'or as if in UTC');
  const backwards = event('DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261130');
  t.same(busyTimes(calendar(backwards)), ['01 17:00-02 05:00'], 'one day at least');
  t.end();
});

t.test('an event without length closes nothing', (t) => {
  const lengths = [
    [],
    ['DTEND:20261201T180000Z'],
    ['DTEND:20261201T170000Z'],
    ['DURATION:PT0S'],
    ['DURATION:-PT1H'],
  ];
  for (const length of lengths) {
    t.same(busyTimes(calendar(event('DTSTART:20261201T180000Z', ...length))), []);
  }
  t.end();
});

t.test('the end of an event may be in another zone than its start', (t) => {
  const flight = event(
    'DTSTART;TZID=America/New_York:20261201T130000',
    'DTEND;TZID=America/Los_Angeles:20261201T110000',
  );
  t.same(busyTimes(calendar(flight)), dentistTime);
  t.end();
});

t.test('a zone is the one of its name, or the calendar’s own, or else the studio’s', (t) => {
  const define = (name: string, offset: string) => [
    `BEGIN:VTIMEZONE\r\nTZID:${name}\r\nBEGIN:STANDARD\r\nDTSTART:20000101T000000`,
    `TZOFFSETFROM:${offset}\r\nTZOFFSETTO:${offset}\r\nEND:STANDARD\r\nEND:VTIMEZONE`,
  ];
  const at = (zone: string, time: string) => event(`DTSTART;TZID=${zone}:20261201T${time}00`, hour);
  t.same(
    busyTimes(calendar(...define('Europe/Berlin', '-0800'), at('Europe/Berlin', '1900'))),
    dentistTime,
  );
  t.same(busyTimes(calendar(at('Home', '2030'), ...define('Home', '+0230'))), dentistTime);
  t.same(busyTimes(calendar(at('Home', '1000'))), dentistTime, 'no definition');
  t.same(busyTimes(calendar(...define('Home', '+0230'), at('home', '1000'))), dentistTime);
  t.same(
    busyTimes(`${calendar(...define('Home', '+0230'))}${calendar(at('Home', '1000'))}`),
    dentistTime,
    'of another calendar in the stream',
  );
  const empty = 'BEGIN:VTIMEZONE\r\nTZID:Home\r\nEND:VTIMEZONE';
  t.same(busyTimes(calendar(empty, at('Home', '1000'))), dentistTime, 'an empty definition');
  t.end();
});

t.test('a defined zone may list its changes, and end its rules', (t) => {
  const observance = (kind: string, start: string, from: string, to: string, ...more: string[]) =>
    [
      `BEGIN:${kind}\r\nDTSTART:${start}\r\nTZOFFSETFROM:${from}\r\nTZOFFSETTO:${to}`,
      ...more,
      `END:${kind}`,
    ].join('\r\n');
  const zone = (...observances: string[]) =>
    ['BEGIN:VTIMEZONE', 'TZID:Home', ...observances, 'END:VTIMEZONE'].join('\r\n');
  const at = (time: string) => event(`DTSTART;TZID=Home:20261201T${time}00`, hour);
  const listed = zone(
    observance('STANDARD', '19990101T000000', '+0000', '+0000'),
    observance(
      'DAYLIGHT',
      '20200101T000000',
      '+0000',
      '+0200',
      'RDATE:20210101T000000,20261201T000000',
    ),
  );
  t.same(busyTimes(calendar(listed, at('2000'))), dentistTime);
  const ended = zone(
    observance(
      'STANDARD',
      '20001001T000000',
      '+0200',
      '+0100',
      'RRULE:FREQ=YEARLY;UNTIL=20051001T000000Z',
    ),
    observance('DAYLIGHT', '20000401T000000', '+0100', '+0200', 'RRULE:FREQ=YEARLY;COUNT=5'),
  );
  t.same(busyTimes(calendar(ended, at('1900'))), dentistTime);
  t.end();
});

t.test('what says nothing of time, or is no event, closes nothing', (t) => {
  const todo = 'BEGIN:VTODO\r\nDTSTART:20261201T180000Z\r\nDUE:20261201T190000Z\r\nEND:VTODO';
  const nested = `BEGIN:VTODO\r\n${dentist}\r\nEND:VTODO`;
  t.same(busyTimes(calendar(event('UID:1'), todo, nested, 'X-WR-CALNAME:Me')), []);
  t.same(busyTimes(`${calendar(todo)}\r\n\r\n${calendar(dentist)}`), dentistTime, 'a stream');
  t.same(busyTimes(calendar(dentist).replaceAll('\r\n', '\n')), dentistTime);
  t.end();
});

t.test('a repeated event is distinguished from instances that are described on their own', (t) => {
  const series = ['UID:1', 'DTSTART:20261101T180000Z', hour, 'RRULE:FREQ=DAILY'];
  const id = 'RECURRENCE-ID:20261201T180000Z';
  const of = (...lines: string[]) =>
    busyTimes(calendar(event('UID:1', ...lines), event(...series)));
  t.same(of(id, 'STATUS:CANCELLED'), [], 'cancelled, without a start of its own');
  t.same(of(id, 'DTSTART:20261201T180000Z', hour, 'TRANSP:TRANSPARENT'), []);
  t.same(of(id, 'DTSTART:20261201T220000Z', hour), ['01 22:00-01 23:00']);
  t.same(of('RECURRENCE-ID;VALUE=DATE:20261201', 'DTSTART:20261201T220000Z', hour), [
    '01 22:00-01 23:00',
  ]);
  t.same(
    of('RECURRENCE-ID;RANGE=THISANDFUTURE:20261120T180000Z', 'DTSTART:20261120T220000Z', hour),
    ['01 22:00-01 23:00'],
  );
  t.same(of('RECURRENCE-ID;RANGE=THISANDFUTURE:20261120T180000Z', 'STATUS:CANCELLED'), []);
  const elsewhere = event('UID:2', id, 'DTSTART:20261201T220000Z', hour);
  t.same(busyTimes(calendar(event(...series), elsewhere)), [
    '01 18:00-01 19:00',
    '01 22:00-01 23:00',
  ]);
  t.end();
});

t.test('dates without a time exclude and add at the event’s time of day, and the reverse', (t) => {
  const daily = ['DTSTART:20261130T180000Z', hour, 'RRULE:FREQ=DAILY'];
  t.same(busyTimes(calendar(event(...daily, 'EXDATE;VALUE=DATE:20261201'))), []);
  t.same(
    busyTimes(calendar(event('DTSTART:20261101T180000Z', hour, 'RDATE;VALUE=DATE:20261201'))),
    dentistTime,
  );
  const allDay = ['DTSTART;VALUE=DATE:20261130', 'RRULE:FREQ=DAILY;COUNT=2'];
  t.same(busyTimes(calendar(event(...allDay))), ['01 17:00-02 05:00']);
  t.same(busyTimes(calendar(event(...allDay, 'EXDATE:20261201T000000Z'))), []);
  t.end();
});

t.test('the last date of a rule includes its instance, however it is written', (t) => {
  const timed = (until: string) =>
    busyTimes(calendar(event('DTSTART:20261130T180000Z', hour, `RRULE:FREQ=DAILY;UNTIL=${until}`)));
  t.same(timed('20261201T180000Z'), dentistTime);
  t.same(timed('20261201T175959Z'), []);
  t.same(timed('20261201T180000'), dentistTime);
  t.same(timed('20261201'), dentistTime);
  t.same(timed('20261130'), []);
  const allDay = (until: string) =>
    busyTimes(calendar(event('DTSTART;VALUE=DATE:20261130', `RRULE:FREQ=DAILY;UNTIL=${until}`)));
  t.same(allDay('20261201'), ['01 17:00-02 05:00']);
  t.same(allDay('20261201T000000Z'), ['01 17:00-02 05:00'], 'its date');
  t.same(allDay('20261201T080000Z'), ['01 17:00-02 05:00'], 'its instant');
  t.same(allDay('20261130T235959Z'), []);
  t.end();
});

t.test('the limit of occurrences counts those of all events', (t) => {
  const counted = event('DTSTART:20200101T000000Z', hour, 'RRULE:FREQ=DAILY;COUNT=600');
  const events = readCalendarText(calendar(counted, counted, dentist), 'UTC');
  const limited = (occurrences: number) => busyIntervals(events, { slotStarts, occurrences });
  t.same(limited(2_410), dentistBusy);
  t.throws(() => limited(1_300), { name: 'TooManyOccurrencesError' });
  t.end();
});
