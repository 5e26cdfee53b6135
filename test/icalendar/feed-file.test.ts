import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { FeedClosureRow, FeedSessionRow } from '../../src/database/rows/results.js';
import { feedFile, feedWindow, type FeedFacts } from '../../src/icalendar/feed-file.js';
import { hoursInterval } from '../../src/schedule/busy-times.js';
import { addDays } from '../../src/schedule/dates.js';
import { sessionEndsAt, slotStartsAt, timeSlots } from '../../src/schedule/slots.js';
import { readCalendar } from '../support/ical.js';
import { mailSettings, mailStudio } from '../support/mails.js';

const confirmedAt = Date.parse('2026-11-22T18:30:00Z');
const hourMs = 3_600_000;

/** It ends by the opening hours. */
function session(changes: Partial<FeedSessionRow> = {}): FeedSessionRow {
  const nine = slotStartsAt(mailStudio.timezone, '2026-12-01', '9:00 AM').iso;
  const { startsAtText = nine, timezone = mailStudio.timezone } = changes;
  return {
    id: randomUUID(),
    date: '2026-12-01',
    ...{ startsAtText, timezone },
    endsAt: sessionEndsAt(Date.parse(startsAtText), timezone, mailSettings.openingHours),
    changedAt: confirmedAt,
    name: 'Ada Park',
    phone: '5555550142',
    ...{ sequence: 1, artistName: null },
    ...changes,
  };
}

function closure(fromDate: string, changes: Partial<FeedClosureRow> = {}): FeedClosureRow {
  return {
    id: randomUUID(),
    fromDate,
    toDate: fromDate,
    timeSlot: null,
    ...{ startsAt: null, endsAt: null },
    ...{ artistName: null, artistId: null },
    reason: 'Away',
    createdAt: confirmedAt,
    ...changes,
  };
}

function feed(changes: Partial<FeedFacts>, timezone = mailStudio.timezone): FeedFacts {
  return {
    hasDetails: false,
    sessions: [],
    closures: [],
    studio: { ...mailStudio, timezone },
    addresses: [{ ...mailStudio, from_date: '0001-01-01' }],
    openingHours: mailSettings.openingHours,
    artists: [{ id: 1, hours: changes.openingHours ?? mailSettings.openingHours }],
    window: feedWindow('2026-11-23', 180),
    ...changes,
  };
}

const read = (changes: Partial<FeedFacts>, timezone?: string) =>
  readCalendar(feedFile(feed(changes, timezone)));

/** Dates around both changes of daylight saving, or any for zones that have none. */
const changesOfClock: Record<string, string[]> = {
  'America/Los_Angeles': ['2026-11-01', '2027-03-14', '2027-11-07', '2028-03-12'],
  'Europe/Berlin': ['2026-10-25', '2027-03-28', '2027-10-31', '2028-03-26'],
  'Australia/Lord_Howe': ['2026-10-04', '2027-04-04', '2027-10-03', '2028-04-02'],
  'Asia/Kolkata': ['2027-02-02'],
  'Africa/Casablanca': ['2027-02-07', '2027-03-14'],
  UTC: ['2027-02-02'],
};

t.test(
  'every session reads back at its instant, with the zones of the file alone, wherever it was written',
  (t) => {
    const sessions = Object.entries(changesOfClock).flatMap(([timezone, dates]) =>
      dates
        .flatMap((date) => [addDays(date, -1), date, addDays(date, 1)])
        .flatMap((date) => timeSlots.map((slot) => slotStartsAt(timezone, date, slot).iso))
        .map((startsAtText) => session({ startsAtText, timezone })),
    );
    const zoneBefore = process.env['TZ'];
    t.teardown(() => {
      if (zoneBefore === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zoneBefore;
    });
    const files = ['UTC', 'America/New_York', 'Australia/Lord_Howe'].map((zone) => {
      process.env['TZ'] = zone;
      return feedFile(feed({ sessions }));
    });
    t.equal(new Set(files).size, 1, 'the zone of the process means nothing');
    const { events, root } = readCalendar(files[0]!);
    t.equal(events.length, sessions.length);
    t.equal(root.getAllSubcomponents('vtimezone').length, 5, 'a zone each, but for UTC');
    for (const [index, { startsAtText, timezone, id }] of sessions.entries()) {
      const event = events[index]!;
      const startsAt = Date.parse(startsAtText);
      const clock = new Date(startsAt).toISOString();
      t.equal(event.uid, id);
      const lengthMs = event.occurrences[0]!.endsAt - startsAt;
      t.equal(event.occurrences[0]!.startsAt, startsAt, `${timezone} ${clock}`);
      t.ok(lengthMs === 4 * hourMs || lengthMs === 3 * hourMs, `${timezone} ${clock} ends in time`);
    }
    t.end();
  },
);

t.test('a closed slot is closed at its time on each date, over a change of the clock', (t) => {
  for (const [timezone, [, date = '2027-02-02']] of Object.entries(changesOfClock)) {
    const fromDate = addDays(date, -3);
    for (const [timeSlot, hours] of [
      ['9:00 AM', 4],
      ['5:00 PM', 3],
    ] as const) {
      const closures = [closure(fromDate, { toDate: addDays(date, 3), timeSlot })];
      const { events } = read({ closures, window: feedWindow(date, 180) }, timezone);
      const expected = Array.from({ length: 7 }, (_, days) => {
        const startsAt = slotStartsAt(timezone, addDays(fromDate, days), timeSlot).epochMs;
        return { startsAt, endsAt: startsAt + hours * hourMs };
      });
      t.strictSame(events[0]!.occurrences, expected, `${timezone} ${date} ${timeSlot}`);
    }
  }
  t.end();
});

t.test('a closed slot is as long as the longest of its sessions, up to four hours', (t) => {
  // 2026-12-04 is a Friday.
  const openingHours = mailSettings.openingHours.map((day) => ({
    ...day,
    closes: { 5: '18:00', 6: '19:30' }[day.weekday] ?? null,
  }));
  const lengthOf = (toDate: string): number => {
    const closures = [closure('2026-12-04', { toDate, timeSlot: '5:00 PM' })];
    const [first] = read({ closures, openingHours }).events[0]!.occurrences;
    return (first!.endsAt - first!.startsAt) / hourMs;
  };
  t.equal(lengthOf('2026-12-04'), 1);
  t.equal(lengthOf('2026-12-05'), 2.5);
  t.equal(lengthOf('2026-12-25'), 4, 'on closed days, the time until the next session would begin');
  const closing = (id: number, closes: string) => ({ id, hours: [{ weekday: 5, closes }] });
  const artists = [closing(1, '18:00'), closing(2, '20:30'), closing(3, '19:00')];
  const lengths = [1, 2, 3, null].map((artistId) => {
    const closures = [closure('2026-12-04', { timeSlot: '5:00 PM', artistId })];
    const [first] = read({ closures, artists }).events[0]!.occurrences;
    return (first!.endsAt - first!.startsAt) / hourMs;
  });
  t.strictSame(lengths, [1, 3.5, 2, 3.5], 'by the hours of those who are closed');
  t.end();
});

t.test('a block is as long as it is, on the clock of the studio', (t) => {
  const { timezone } = mailStudio;
  // The clocks go forward at two o'clock.
  for (const [from, to, lasts, end] of [
    ['13:00', '15:15', 2.25, '20270314T151500'],
    ['01:00', '03:00', 1, '20270314T030000'],
    ['00:30', '24:00', 22.5, '20270315T000000'],
    ['02:10', '02:40', 0.5, '20270314T034000'],
    ['02:10', '03:10', 0, '20270314T031000'],
  ] as const) {
    const interval = hoursInterval(timezone, '2027-03-14', { from, to });
    t.equal((interval.endsAt - interval.startsAt) / hourMs, lasts);
    const text = feedFile(feed({ closures: [closure('2027-03-14', interval)] }));
    t.match(text, `DTEND;TZID=${timezone}:${end}`);
    t.match(text, 'SUMMARY:Closed');
  }
  t.end();
});

t.test('whole days are all-day events, whose end is exclusive', (t) => {
  const closures = [closure('2026-12-24'), closure('2026-12-31', { toDate: '2027-01-02' })];
  const { events, root } = read({ closures }, 'Australia/Lord_Howe');
  t.ok(events.every(({ isAllDay }) => isAllDay));
  const dates = events.map(({ occurrences }) =>
    occurrences.flatMap(({ startsAt, endsAt }) =>
      [startsAt, endsAt].map((at) => new Date(at).toISOString().slice(0, 10)),
    ),
  );
  t.strictSame(dates, [
    ['2026-12-24', '2026-12-25'],
    ['2026-12-31', '2027-01-03'],
  ]);
  t.equal(root.getAllSubcomponents('vtimezone').length, 0);
  const empty = read({}).root.getAllSubcomponents('vtimezone');
  t.equal(empty.length, 1, 'a valid calendar has a component');
  t.end();
});

t.test('a closure that goes beyond the window is clipped to it, and changes with the date', (t) => {
  const long = { fromDate: '0001-01-01', toDate: '9999-12-31' };
  const closures = [closure('', long), closure('', { ...long, timeSlot: '1:00 PM' })];
  const [days, slots] = read({ closures }).events;
  t.strictSame(days!.occurrences, [
    { startsAt: Date.UTC(2026, 9, 23), endsAt: Date.UTC(2027, 4, 23) },
  ]);
  const dates = Array.from({ length: 31 + 1 + 180 }, (_, days) => addDays('2026-10-23', days));
  t.strictSame(
    slots!.occurrences.map(({ startsAt }) => startsAt),
    dates.map((date) => slotStartsAt(mailStudio.timezone, date, '1:00 PM').epochMs),
    'over both changes of the clock',
  );
  const stampOf = (window: FeedFacts['window'], given = closures) => {
    const [event] = read({ closures: given, window }).events;
    return String(event!.component.getFirstPropertyValue('last-modified'));
  };
  t.equal(stampOf(feedWindow('2026-11-24', 180)), '2026-11-24T00:00:00Z');
  t.equal(stampOf(feedWindow('2026-11-24', 180), [closure('2026-12-24')]), '2026-11-22T18:30:00Z');
  t.end();
});

t.test('a session in a thousand years costs no transition of the years until then', (t) => {
  const at = (date: string) => slotStartsAt('Europe/Berlin', date, '9:00 AM');
  const starts = [at('2026-12-01'), at('2999-12-01')];
  const sessions = starts.map(({ iso }) =>
    session({ startsAtText: iso, timezone: 'Europe/Berlin' }),
  );
  const file = feedFile(feed({ sessions }));
  t.equal(file.match(/TZOFFSETTO/g)?.length, 4);
  const found = readCalendar(file).events.map(({ occurrences }) => occurrences[0]!.startsAt);
  t.strictSame(
    found,
    starts.map(({ epochMs }) => epochMs),
  );
  t.end();
});

t.test('where this process has other data of a zone than a session, it is written in UTC', (t) => {
  const stored = session({
    startsAtText: '2026-12-05T09:00:00-07:00',
    endsAt: Date.parse('2026-12-05T20:00Z'),
  });
  const { events, root } = read({ sessions: [stored, session()] });
  const starts = events.map(({ component }) => component.getFirstProperty('dtstart'));
  t.equal(starts[0]?.toICALString(), 'DTSTART:20261205T160000Z');
  t.match(starts[1]?.toICALString(), /^DTSTART;TZID=America\/Los_Angeles:20261201T090000$/);
  t.equal(root.getAllSubcomponents('vtimezone').length, 1);
  t.end();
});

t.test('a session has the identity, the state and the stamps of its booking', (t) => {
  const given = session({ sequence: 7 });
  const { events, root } = read({ sessions: [given] });
  const valuesIn = (component: typeof root, ...names: string[]) =>
    names.map((name) => String(component.getFirstPropertyValue(name)));
  const stamp = '2026-11-22T18:30:00Z';
  t.strictSame(
    valuesIn(
      events[0]!.component,
      'uid',
      'sequence',
      'status',
      'class',
      'dtstamp',
      'last-modified',
    ),
    [given.id, '7', 'CONFIRMED', 'PRIVATE', stamp, stamp],
  );
  // With a method, it would be an invitation.
  t.strictSame(valuesIn(root, 'x-wr-calname', 'refresh-interval', 'method'), [
    'Night Heron Tattoo',
    'PT15M',
    'null',
  ]);
  t.end();
});

t.test('without details there are initials only, with them the name, phone and reason', (t) => {
  const rows = { sessions: [session()], closures: [closure('2026-12-24')] };
  const plain = feedFile(feed(rows));
  for (const personal of ['Ada', 'Park', '5555550142', '555-0142', 'Away']) {
    t.notMatch(plain, personal);
  }
  const shown = (hasDetails: boolean) =>
    read({ ...rows, hasDetails }).events.map(({ summary, description }) => [summary, description]);
  t.strictSame(shown(false), [
    ['A. P.', null],
    ['Closed', null],
  ]);
  t.strictSame(shown(true), [
    ['Ada Park', 'Phone: (555) 555-0142'],
    ['Closed: Away', null],
  ]);
  rows.sessions = [{ phone: null }, { name: null }, { name: '🦊' }].map(session);
  rows.closures = [closure('2026-12-24', { reason: '' })];
  const summaries = (hasDetails: boolean) => shown(hasDetails).map(([summary]) => summary);
  t.strictSame(summaries(false), ['A. P.', 'Session', 'Session', 'Closed']);
  t.strictSame(summaries(true), ['Ada Park', 'Session', '🦊', 'Closed']);
  t.equal(shown(true)[0]![1], null);
  t.end();
});

t.test('hostile words stay within their own value', (t) => {
  const hostile = `a,b;c\\n\\d"e:f\r\nEND:VEVENT\nBEGIN:VEVENT\u0000\u0007\u0085\u2028é${'漢🖋'.repeat(40)}\tz`;
  const words = `a,b;c\\n\\d"e:f END:VEVENT BEGIN:VEVENT    é${'漢🖋'.repeat(40)} z`;
  const facts = feed({
    hasDetails: true,
    sessions: [session({ name: hostile })],
    closures: [closure('2026-12-24', { reason: hostile, artistName: hostile })],
  });
  const file = feedFile({ ...facts, studio: { ...facts.studio, name: hostile } });
  const { root, events } = readCalendar(file);
  const summaries = events.map(({ summary }) => summary);
  t.strictSame(summaries, [words, `Closed for ${words}: ${words}`]);
  // ical.js does not know these two as text, and leaves the escapes.
  const escaped = words.replaceAll(/[\\;,]/g, String.raw`\$&`);
  for (const name of ['x-wr-calname', 'name']) t.equal(root.getFirstPropertyValue(name), escaped);
  t.notMatch(file, /[^\r]\n|\r[^\n]|[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028]/);
  t.ok(file.split('\r\n').every((line) => Buffer.byteLength(line) <= 75));
  t.ok(file.endsWith('END:VCALENDAR\r\n'));
  t.end();
});
