import t from 'tap';
import type { TimeSlot } from '../../generated/schemas.js';
import { alternatives } from '../../src/schedule/alternatives.js';
import {
  type ArtistCalendar,
  type Calendar,
  type Closure,
  nextChangeAt,
  openSlots,
  openFor,
  type Taken,
} from '../../src/schedule/calendar.js';
import { dayOf, sessionEndsAt, type Slot, slotKey, timeSlots } from '../../src/schedule/slots.js';

const all = [...timeSlots];
const closedMondays = { 1: [], 2: all, 3: all, 4: all, 5: all, 6: all, 7: all };
const everyDay = { ...closedMondays, 1: all };
const nobody: Taken = new Map();
const minuteMs = 60_000;

function studio(changes: Partial<Calendar & ArtistCalendar> = {}): Calendar {
  const { sessions = closedMondays, closures = [], busySlots = new Set(), ...rules } = changes;
  return {
    timezone: 'America/Los_Angeles',
    openings: new Map(),
    artists: [
      {
        ...{ id: 1, isHidden: false, firstDay: null, lastDay: null },
        ...{ sessions, dated: [], hours: [], closures, busySlots },
      },
    ],
    minNoticeMinutes: 60,
    horizonDays: 180,
    ...rules,
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
  ['2026-11-21 9:00 AM', [{ artistId: 1, lapsesAt: null }]],
  ['2026-11-21 1:00 PM', [{ artistId: 1, lapsesAt }]],
]);
const mondayMorning = studio({ sessions: { ...everyDay, 1: ['9:00 AM'] } });
const holidays = studio({ sessions: everyDay, closures });
const busy = studio({ busySlots: new Set(['2026-12-23 1:00 PM']) });
const christmas = ['2026-12-21', '2026-12-24', '2026-12-27', '2027-05-24'];
const openings = new Map<string, TimeSlot[]>(christmas.map((date) => [date, ['1:00 PM']]));
const opened = studio({
  sessions: { ...closedMondays, 4: [], 7: ['9:00 AM'] },
  openings,
  closures: closures.slice(0, 1),
  busySlots: new Set(['2026-12-27 1:00 PM']),
});
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
  ['an opened day', opened, nobody, saturdayMorning, '2026-12-21', '1:00 PM', 'open'],
  ['a session beside', opened, nobody, saturdayMorning, '2026-12-21', '9:00 AM', 'no_session'],
  ['the day a week before', opened, nobody, saturdayMorning, '2026-12-14', '1:00 PM', 'no_session'],
  ['opened and closed', opened, nobody, saturdayMorning, '2026-12-24', '1:00 PM', 'closed'],
  ['opened and busy', opened, nobody, saturdayMorning, '2026-12-27', '1:00 PM', 'closed'],
  ['the week of that day', opened, nobody, saturdayMorning, '2026-12-27', '9:00 AM', 'open'],
  ['opened far ahead', opened, nobody, saturdayMorning, '2027-05-24', '1:00 PM', 'too_far'],
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
    t.equal(openFor({ calendar, taken }, slot(date, timeSlot), null, now), state, what);
  }
  const closed = studio({
    closures: [{ fromDate: '2026-11-21', toDate: '2026-11-21', timeSlot: null }],
  });
  t.equal(
    openFor({ calendar: closed, taken }, slot('2026-11-21'), null, saturdayMorning),
    'closed',
    'also if held',
  );
  for (const lapsesAt of [null, start + minuteMs]) {
    const booked: Taken = new Map([['2026-11-21 1:00 PM', [{ artistId: 1, lapsesAt }]]]);
    t.equal(
      nextChangeAt(studio(), booked, start),
      start + 1,
      `booked until ${lapsesAt}, and begun`,
    );
  }
  t.end();
});

t.test('open slots are grouped by date, with the weekday and the start in the studio', (t) => {
  const calendar = studio({ sessions: { ...closedMondays, 2: ['9:00 AM', '5:00 PM'] } });
  const range = { from: '2026-11-30', to: '2026-12-01' };
  const nine = { timeSlot: '9:00 AM', startsAt: '2026-12-01T09:00:00-08:00' };
  const five = { timeSlot: '5:00 PM', startsAt: '2026-12-01T17:00:00-08:00' };
  t.strictSame(openSlots(calendar, nobody, range, saturdayMorning), [
    { date: '2026-12-01', weekday: 'tuesday', slots: [nine, five] },
  ]);
  const atFive = { ...range, timeSlot: '5:00 PM' as const };
  t.strictSame(openSlots(calendar, nobody, atFive, saturdayMorning), [
    { date: '2026-12-01', weekday: 'tuesday', slots: [five] },
  ]);
  t.end();
});

t.test('a date is converted to a time zone once', (t) => {
  t.equal(dayOf('Asia/Tokyo', '2026-12-01'), dayOf('Asia/Tokyo', '2026-12-01'));
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
    t.strictSame(open(from, to), [], `${from} ${to}`);
  }
  t.strictSame(open('0001-01-01', '9999-12-31'), open('2026-11-21', '2027-05-20'));
  t.end();
});

/** A wanted slot, the studio, and what is offered instead. */
const offers: [what: string, wanted: Slot, calendar: Calendar, offered: string][] = [
  [
    'the wanted time on the next day and the next weeks, and the other times of the day',
    slot('2026-12-03'),
    studio(),
    '2026-12-04 1:00 PM, 2026-12-10 1:00 PM, 2026-12-03 5:00 PM, 2026-12-03 9:00 AM, 2026-12-17 1:00 PM',
  ],
  [
    'mornings for a morning on a closed day, then what is nearest',
    slot('2026-11-30', '9:00 AM'),
    studio(),
    '2026-12-01 9:00 AM, 2026-11-29 9:00 AM, 2026-12-02 9:00 AM, 2026-11-29 5:00 PM, 2026-11-29 1:00 PM',
  ],
  [
    'of the same time beyond a week, the same weekday in the next weeks that are open',
    slot('2026-12-02'),
    studio({
      closures: [
        { fromDate: '2026-11-21', toDate: '2026-11-25', timeSlot: null },
        { fromDate: '2026-11-26', toDate: '2026-12-09', timeSlot: '1:00 PM' },
      ],
    }),
    '2026-12-02 5:00 PM, 2026-12-02 9:00 AM, 2026-12-03 9:00 AM, 2026-12-16 1:00 PM, 2026-12-23 1:00 PM',
  ],
];

t.test('alternatives are the nearest in the order of what a person would rather take', (t) => {
  for (const [what, wanted, calendar, offered] of offers) {
    const found = alternatives(calendar, nobody, wanted, saturdayMorning);
    t.strictSame(found.map(slotKey), offered.split(', '), what);
  }
  t.end();
});

t.test('a session lasts four hours, but not beyond the closing time after its start', (t) => {
  const startsAt = Date.parse('2026-12-01T17:00:00Z');
  const hoursUntil = (closes: string) =>
    (sessionEndsAt(startsAt, 'UTC', [{ weekday: 2, closes }]) - startsAt) / (60 * minuteMs);
  t.strictSame(['24:00', '22:00', '20:00', '17:00', '09:00'].map(hoursUntil), [4, 4, 3, 4, 4]);
  t.end();
});

t.test('a session ends when the next one begins, also where clocks go forward at noon', (t) => {
  const { slots } = dayOf('Africa/Khartoum', '2000-01-15');
  const ends = slots.map(({ epochMs }) => sessionEndsAt(epochMs, 'Africa/Khartoum', []));
  const [, ...next] = slots.map(({ epochMs }) => epochMs);
  t.strictSame(ends.slice(0, 2), next);
  t.end();
});
