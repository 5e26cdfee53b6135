import type { TimeSlot } from '../../generated/schemas.js';
import t from 'tap';
import { alternatives, nextChangeAt, openSlots, slotState } from '../../src/calendar/calendar.js';
import type { Calendar, Closure, Taken } from '../../src/calendar/calendar.js';
import { addDays } from '../../src/calendar/dates.js';
import { dayOf, slotKey, slotStartsAt, timeSlots, type Slot } from '../../src/calendar/slots.js';

const all = [...timeSlots];
const closedMondays = { 1: [], 2: all, 3: all, 4: all, 5: all, 6: all, 7: all };
const everyDay = { ...closedMondays, 1: all };
const noDay = { 1: [], 2: [], 3: [], 4: [], 5: [], 6: [], 7: [] };
const nobody: Taken = new Map();
const minuteMs = 60_000;

function studio(changes: Partial<Calendar> = {}): Calendar {
  return {
    timezone: 'America/Los_Angeles',
    sessions: closedMondays,
    closures: [],
    busySlots: new Set(),
    minNoticeMinutes: 60,
    horizonDays: 180,
    ...changes,
  };
}

const at = (instant: string) => Date.parse(instant);
const slot = (date: string, timeSlot: TimeSlot = '1:00 PM'): Slot => ({ date, timeSlot });
const saturdayMorning = at('2026-11-21T08:00:00-08:00');
const start = at('2026-11-21T13:00:00-08:00');
const lapsesAt = start - 29 * minuteMs;

/** The Sunday before Christmas and the days after it, and a slot on the 27th. */
const closures: Closure[] = [
  { fromDate: '2026-12-24', toDate: '2026-12-26', timeSlot: null },
  { fromDate: '2026-12-27', toDate: '2026-12-27', timeSlot: '1:00 PM' },
];
const taken: Taken = new Map([
  ['2026-11-21 9:00 AM', { lapsesAt: null }],
  ['2026-11-21 1:00 PM', { lapsesAt }],
]);
const mondayMorning = studio({ sessions: { ...everyDay, 1: ['9:00 AM'] } });
const holidays = studio({ sessions: everyDay, closures });
const busy = studio({ busySlots: new Set(['2026-12-23 1:00 PM']) });
/** Just before midnight in the studio, when it is long tomorrow in UTC. */
const beforeMidnight = at('2026-11-21T23:59:59.999-08:00');

const states: [
  what: string,
  Calendar,
  Taken,
  now: number,
  date: string,
  TimeSlot,
  state: string,
][] = [
  ['a closed weekday', studio(), nobody, saturdayMorning, '2026-11-30', '1:00 PM', 'no_session'],
  ['one session', mondayMorning, nobody, saturdayMorning, '2026-11-30', '9:00 AM', 'open'],
  ['its others', mondayMorning, nobody, saturdayMorning, '2026-11-30', '1:00 PM', 'no_session'],
  ['before a closure', holidays, nobody, saturdayMorning, '2026-12-23', '1:00 PM', 'open'],
  ['its first day', holidays, nobody, saturdayMorning, '2026-12-24', '1:00 PM', 'closed'],
  ['its last day', holidays, nobody, saturdayMorning, '2026-12-26', '1:00 PM', 'closed'],
  ['a closed slot', holidays, nobody, saturdayMorning, '2026-12-27', '1:00 PM', 'closed'],
  ['beside it', holidays, nobody, saturdayMorning, '2026-12-27', '9:00 AM', 'open'],
  ['after a closure', holidays, nobody, saturdayMorning, '2026-12-28', '1:00 PM', 'open'],
  ['a busy slot', busy, nobody, saturdayMorning, '2026-12-23', '1:00 PM', 'closed'],
  ['at its notice', studio(), nobody, start - 60 * minuteMs, '2026-11-21', '1:00 PM', 'open'],
  ['after it', studio(), nobody, start - 60 * minuteMs + 1, '2026-11-21', '1:00 PM', 'too_soon'],
  ['at its start', studio(), nobody, start, '2026-11-21', '1:00 PM', 'too_soon'],
  ['after it', studio(), nobody, start + 1, '2026-11-21', '1:00 PM', 'past'],
  ['a booking', studio(), taken, saturdayMorning, '2026-11-21', '9:00 AM', 'taken'],
  ['a hold', studio(), taken, saturdayMorning, '2026-11-21', '1:00 PM', 'held'],
  ['beside them', studio(), taken, saturdayMorning, '2026-11-21', '5:00 PM', 'open'],
  ['a hold after its notice', studio(), taken, lapsesAt - 1, '2026-11-21', '1:00 PM', 'held'],
  ['a lapsed hold', studio(), taken, lapsesAt, '2026-11-21', '1:00 PM', 'too_soon'],
  ['day 180', holidays, nobody, beforeMidnight, '2027-05-20', '5:00 PM', 'open'],
  ['day 181', holidays, nobody, beforeMidnight, '2027-05-21', '9:00 AM', 'too_far'],
  ['the next day', holidays, nobody, beforeMidnight + 1, '2027-05-21', '9:00 AM', 'open'],
  ['long ago', studio(), nobody, saturdayMorning, '0001-01-01', '1:00 PM', 'past'],
  ['far ahead', studio(), nobody, saturdayMorning, '9999-12-31', '1:00 PM', 'too_far'],
  ['no date', studio(), nobody, saturdayMorning, '2027-02-30', '1:00 PM', 'no_session'],
];

t.test('a slot is open, or closed, taken, past or out of reach, to the millisecond', (t) => {
  for (const [what, calendar, taken, now, date, timeSlot, state] of states) {
    t.equal(slotState(calendar, taken, slot(date, timeSlot), now), state, what);
  }
  const closed = studio({
    closures: [{ fromDate: '2026-11-21', toDate: '2026-11-21', timeSlot: null }],
  });
  t.equal(slotState(closed, taken, slot('2026-11-21'), saturdayMorning), 'closed', 'also if held');
  t.end();
});

t.test('open slots are grouped by date, with the weekday and the start in the studio', (t) => {
  const calendar = studio({ sessions: { ...closedMondays, 2: ['9:00 AM', '5:00 PM'] } });
  const range = { from: '2026-11-30', to: '2026-12-01' };
  const nine = { timeSlot: '9:00 AM', startsAt: '2026-12-01T09:00:00-08:00' };
  const five = { timeSlot: '5:00 PM', startsAt: '2026-12-01T17:00:00-08:00' };
  t.strictSame(openSlots(calendar, nobody, range, saturdayMorning), {
    days: [{ date: '2026-12-01', weekday: 'tuesday', slots: [nine, five] }],
    totalOpen: 2,
  });
  const atFive = { ...range, timeSlot: '5:00 PM' as const };
  t.match(openSlots(calendar, nobody, atFive, saturdayMorning), {
    days: [{ date: '2026-12-01', slots: [five] }],
    totalOpen: 1,
  });
  t.end();
});

t.test('a session keeps its wall-clock hour across both changes of the clock', (t) => {
  for (const [timezone, date, startsAt] of [
    ['America/Los_Angeles', '2026-03-07', '2026-03-07T09:00:00-08:00'],
    ['America/Los_Angeles', '2026-03-08', '2026-03-08T09:00:00-07:00'],
    ['America/Los_Angeles', '2026-10-31', '2026-10-31T09:00:00-07:00'],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01T09:00:00-08:00'],
    ['Europe/Berlin', '2026-03-29', '2026-03-29T09:00:00+02:00'],
    ['Australia/Lord_Howe', '2026-10-03', '2026-10-03T09:00:00+10:30'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-04T09:00:00+11:00'],
    ['Asia/Kathmandu', '2026-12-01', '2026-12-01T09:00:00+05:45'],
    ['Africa/Casablanca', '2026-03-01', '2026-03-01T09:00:00+00:00'],
  ] as const) {
    const { epochMs, iso } = slotStartsAt(timezone, date, '9:00 AM');
    t.strictSame([iso, epochMs], [startsAt, at(startsAt)]);
  }
  t.end();
});

t.test('a date is converted to a time zone once', (t) => {
  t.equal(dayOf('Asia/Tokyo', '2026-12-01'), dayOf('Asia/Tokyo', '2026-12-01'));
  t.end();
});

t.test('a date that the zone skips has no slots', (t) => {
  const calendar = studio({ timezone: 'Pacific/Apia', sessions: everyDay });
  const now = at('2011-12-28T12:00:00-10:00');
  const { days } = openSlots(calendar, nobody, { from: '2011-12-29', to: '2011-12-31' }, now);
  t.match(days, [
    { date: '2011-12-29', slots: [{ startsAt: '2011-12-29T09:00:00-10:00' }, {}, {}] },
    { date: '2011-12-31', slots: [{ startsAt: '2011-12-31T09:00:00+14:00' }, {}, {}] },
  ]);
  t.equal(days.length, 2);
  const skipped = slot('2011-12-30');
  t.equal(slotState(calendar, nobody, skipped, now), 'no_session');
  const offered = alternatives(calendar, nobody, skipped, now).map(({ date }) => date);
  t.notOk(offered.includes(skipped.date));
  // The evening of the 29th is followed by the morning of the 31st.
  const evening = at('2011-12-29T20:00:00-10:00');
  t.equal(nextChangeAt(calendar, nobody, evening), at('2011-12-31T00:00:00+14:00'));
  t.end();
});

t.test('a range of 31 days shows 32 dates across the clock change, new year and leap day', (t) => {
  const calendar = studio({ sessions: everyDay, horizonDays: 900 });
  for (const from of ['2027-02-20', '2026-12-15', '2028-02-10', '2027-10-10']) {
    const to = addDays(from, 31);
    const { days, totalOpen } = openSlots(calendar, nobody, { from, to }, saturdayMorning);
    t.strictSame([days.length, totalOpen, days[0]?.date, days[31]?.date], [32, 96, from, to]);
  }
  const leap = { from: '2028-02-28', to: '2028-03-01' };
  t.match(openSlots(calendar, nobody, leap, saturdayMorning).days, [
    { date: '2028-02-28', weekday: 'monday' },
    { date: '2028-02-29', weekday: 'tuesday' },
    { date: '2028-03-01', weekday: 'wednesday' },
  ]);
  t.end();
});

t.test('ranges in the past, beyond the horizon, reversed or unbounded are valid', (t) => {
  const open = (from: string, to: string) =>
    openSlots(studio(), nobody, { from, to }, saturdayMorning);
  for (const [from, to] of [
    ['2026-10-01', '2026-11-01'],
    ['2028-10-01', '2028-11-01'],
    ['2026-12-05', '2026-12-01'],
    ['0001-01-01', '0001-01-31'],
    ['9999-12-01', '9999-12-31'],
  ] as const) {
    t.strictSame(open(from, to), { days: [], totalOpen: 0 }, `${from} ${to}`);
  }
  t.strictSame(open('0001-01-01', '9999-12-31'), open('2026-11-21', '2027-05-20'));
  t.end();
});

/** A wanted slot, which is taken, the studio, and what is offered instead. */
const offers: [what: string, wanted: Slot, calendar: Calendar, offered: string][] = [
  [
    'the wanted time on the nearest days, then the other times of the day',
    slot('2026-12-03'),
    studio(),
    '2026-12-04 1:00 PM, 2026-12-02 1:00 PM, 2026-12-05 1:00 PM, 2026-12-03 5:00 PM, 2026-12-03 9:00 AM',
  ],
  [
    'mornings for a morning on a closed day, then what is nearest',
    slot('2026-11-30', '9:00 AM'),
    studio(),
    '2026-12-01 9:00 AM, 2026-11-29 9:00 AM, 2026-12-02 9:00 AM, 2026-11-29 5:00 PM, 2026-11-29 1:00 PM',
  ],
  [
    'no more of the same time, where that is more than a week away',
    slot('2026-12-02'),
    studio({
      closures: [
        { fromDate: '2026-11-21', toDate: '2026-11-25', timeSlot: null },
        { fromDate: '2026-11-26', toDate: '2026-12-09', timeSlot: '1:00 PM' },
      ],
    }),
    '2026-12-02 5:00 PM, 2026-12-02 9:00 AM, 2026-12-03 9:00 AM, 2026-12-01 5:00 PM, 2026-12-03 5:00 PM',
  ],
  ['the first slots', slot('0001-01-01'), studio(), '2026-11-21 9:00 AM, 2026-11-21 1:00 PM'],
  ['today’s', slot('2026-11-20'), studio(), '2026-11-21 1:00 PM, 2026-11-22 1:00 PM'],
  ['the last ones', slot('9999-12-31'), studio(), '2027-05-20 5:00 PM, 2027-05-20 1:00 PM'],
  [
    'the same distance in days of 23 hours',
    slot('2027-03-13'),
    studio({ sessions: everyDay }),
    '2027-03-14 1:00 PM, 2027-03-12 1:00 PM',
  ],
  [
    'and before them',
    slot('2027-03-14'),
    studio({ sessions: everyDay }),
    '2027-03-15 1:00 PM, 2027-03-13 1:00 PM',
  ],
  ['nothing, where nothing is open', slot('2026-12-01'), studio({ sessions: noDay }), ''],
];

t.test('alternatives are the nearest in the order of what a person would rather take', (t) => {
  for (const [what, wanted, calendar, offered] of offers) {
    const taken = new Map([[slotKey(wanted), { lapsesAt: null }]]);
    const expected = offered === '' ? [] : offered.split(', ');
    const limit = expected.length < 5 ? Math.max(1, expected.length) : undefined;
    const found = alternatives(calendar, taken, wanted, saturdayMorning, limit);
    t.strictSame(found.map(slotKey), expected, what);
  }
  const [wanted] = offers[0]!.slice(1) as [Slot];
  t.strictSame(alternatives(studio(), nobody, wanted, saturdayMorning, 0), []);
  t.strictSame(alternatives(studio(), nobody, wanted, saturdayMorning, 1), [
    { ...slot('2026-12-04'), startsAt: '2026-12-04T13:00:00-08:00' },
  ]);
  t.end();
});

t.test(
  'the next change is a notice that runs out, a hold that lapses, a start or midnight',
  (t) => {
    const midnight = at('2026-11-22T00:00:00-08:00');
    const nine = at('2026-11-21T09:00:00-08:00');
    const lapses = saturdayMorning + 5 * minuteMs;
    const held: Taken = new Map([['2027-02-02 1:00 PM', { lapsesAt: lapses }]]);
    const empty = studio({ sessions: noDay });
    for (const [what, calendar, taken, now, next] of [
      ['notice', studio(), nobody, nine - 60 * minuteMs, nine - 60 * minuteMs + 1],
      ['start', studio(), nobody, nine - 60 * minuteMs + 1, nine + 1],
      ['hold', studio(), held, saturdayMorning + 1, lapses],
      ['not a lapsed hold', studio(), held, lapses, nine + 1],
      ['midnight', studio(), nobody, at('2026-11-21T18:00:00-08:00'), midnight],
      ['after now', studio(), nobody, midnight, at('2026-11-22T08:00:00.001-08:00')],
      ['no slot', empty, nobody, saturdayMorning, midnight],
      ['23 hours', empty, nobody, at('2026-03-08T00:00-08:00'), at('2026-03-09T00:00-07:00')],
      ['25 hours', empty, nobody, at('2026-11-01T00:00-07:00'), at('2026-11-02T00:00-08:00')],
      ['new year', empty, nobody, at('2026-12-31T00:00-08:00'), at('2027-01-01T00:00-08:00')],
      ['horizon', holidays, nobody, beforeMidnight, beforeMidnight + 1],
    ] as const) {
      t.equal(nextChangeAt(calendar, taken, now), next, what);
    }
    t.end();
  },
);
