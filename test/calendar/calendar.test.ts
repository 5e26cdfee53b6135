import type { TimeSlot } from '../../generated/schemas.js';
import t from 'tap';
import { alternatives, nextChangeAt, openSlots, slotState } from '../../src/calendar/calendar.js';
import type { Calendar } from '../../src/calendar/calendar.js';
import { addDays, daysBetween } from '../../src/calendar/dates.js';
import { slotKey, slotStartsAt } from '../../src/calendar/slots.js';
import {
  at,
  closedMondays,
  everyDay,
  minuteMs,
  nobody,
  saturdayMorning,
  slot,
  studio,
} from './calendar-example.js';

t.test(
  'open slots are grouped by date, with the weekday and the start as the studio says it',
  (t) => {
    const calendar = studio({ sessions: { ...closedMondays, 2: ['9:00 AM', '5:00 PM'] } });
    const range = { from: '2026-11-30', to: '2026-12-01' };
    t.strictSame(openSlots(calendar, nobody, range, saturdayMorning), {
      days: [
        {
          date: '2026-12-01',
          weekday: 'tuesday',
          slots: [
            { timeSlot: '9:00 AM', startsAt: '2026-12-01T09:00:00-08:00' },
            { timeSlot: '5:00 PM', startsAt: '2026-12-01T17:00:00-08:00' },
          ],
        },
      ],
      totalOpen: 2,
    });
    t.end();
  },
);

t.test('a weekday without the session has no slot, whatever the hours say', (t) => {
  t.equal(slotState(studio(), nobody, slot('2026-11-30'), saturdayMorning), 'no_session');
  const calendar = studio({ sessions: { ...everyDay, 1: ['9:00 AM'] } });
  t.equal(slotState(calendar, nobody, slot('2026-11-30', '9:00 AM'), saturdayMorning), 'open');
  t.equal(slotState(calendar, nobody, slot('2026-11-30'), saturdayMorning), 'no_session');
  t.end();
});

t.test(
  'a closure closes both its first and its last date, and only its slot where it names one',
  (t) => {
    const calendar = studio({
      sessions: everyDay,
      closures: [
        { fromDate: '2026-12-24', toDate: '2026-12-26', timeSlot: null },
        { fromDate: '2026-12-27', toDate: '2026-12-27', timeSlot: '1:00 PM' },
      ],
    });
    const state = (date: string, timeSlot?: TimeSlot) =>
      slotState(calendar, nobody, slot(date, timeSlot), saturdayMorning);
    t.equal(state('2026-12-23'), 'open');
    t.equal(state('2026-12-24'), 'closed');
    t.equal(state('2026-12-26'), 'closed');
    t.equal(state('2026-12-27'), 'closed');
    t.equal(state('2026-12-27', '9:00 AM'), 'open');
    t.equal(state('2026-12-28'), 'open');
    t.end();
  },
);

t.test(
  'a slot that starts in exactly 60 minutes is open; a millisecond later it is too soon',
  (t) => {
    const start = at('2026-11-21T13:00:00-08:00');
    const state = (now: number) => slotState(studio(), nobody, slot('2026-11-21'), now);
    t.equal(state(start - 60 * minuteMs), 'open');
    t.equal(state(start - 60 * minuteMs + 1), 'too_soon');
    t.equal(state(start), 'too_soon');
    t.equal(state(start + 1), 'past');
    t.end();
  },
);

t.test(
  'the horizon counts the calendar dates of the studio: day 180 is open, day 181 is not',
  (t) => {
    const calendar = studio({ sessions: everyDay });
    const lastDate = '2027-05-20';
    t.equal(daysBetween('2026-11-21', lastDate), 180);
    // Just before midnight in the studio, when it is long tomorrow in UTC.
    const beforeMidnight = at('2026-11-21T23:59:59.999-08:00');
    t.equal(slotState(calendar, nobody, slot(lastDate, '5:00 PM'), beforeMidnight), 'open');
    t.equal(slotState(calendar, nobody, slot('2027-05-21', '9:00 AM'), beforeMidnight), 'too_far');
    t.equal(slotState(calendar, nobody, slot('2027-05-21', '9:00 AM'), beforeMidnight + 1), 'open');
    t.equal(nextChangeAt(calendar, nobody, beforeMidnight), beforeMidnight + 1);
    t.end();
  },
);

t.test('a confirmed booking occupies its slot permanently, a pending one until it expires', (t) => {
  const lapsesAt = saturdayMorning + 15 * minuteMs;
  const taken = new Map([
    [slotKey(slot('2026-12-01', '9:00 AM')), { lapsesAt: null }],
    [slotKey(slot('2026-12-01', '1:00 PM')), { lapsesAt }],
  ]);
  const state = (timeSlot: TimeSlot, now: number) =>
    slotState(studio(), taken, slot('2026-12-01', timeSlot), now);
  t.equal(state('9:00 AM', saturdayMorning), 'taken');
  t.equal(state('9:00 AM', at('2026-12-01T07:59:00-08:00')), 'taken');
  t.equal(state('1:00 PM', saturdayMorning), 'held');
  t.equal(state('1:00 PM', lapsesAt - 1), 'held');
  t.equal(state('1:00 PM', lapsesAt), 'open');
  t.equal(state('5:00 PM', saturdayMorning), 'open');
  t.end();
});

t.test(
  'a held slot is reported as held even when its notice has run out, and as closed when closed',
  (t) => {
    const now = at('2026-11-21T12:30:00-08:00');
    const taken = new Map([[slotKey(slot('2026-11-21')), { lapsesAt: now + minuteMs }]]);
    t.equal(slotState(studio(), taken, slot('2026-11-21'), now), 'held');
    t.equal(slotState(studio(), taken, slot('2026-11-21'), now + minuteMs), 'too_soon');
    const closures = [{ fromDate: '2026-11-21', toDate: '2026-11-21', timeSlot: null }];
    t.equal(slotState(studio({ closures }), taken, slot('2026-11-21'), now), 'closed');
    t.end();
  },
);

t.test('a session keeps its wall-clock hour across both changes of the clock', (t) => {
  const starts = (timezone: string, date: string) => slotStartsAt(timezone, date, '9:00 AM').iso;
  t.equal(starts('America/Los_Angeles', '2026-03-07'), '2026-03-07T09:00:00-08:00');
  t.equal(starts('America/Los_Angeles', '2026-03-08'), '2026-03-08T09:00:00-07:00');
  t.equal(starts('America/Los_Angeles', '2026-10-31'), '2026-10-31T09:00:00-07:00');
  t.equal(starts('America/Los_Angeles', '2026-11-01'), '2026-11-01T09:00:00-08:00');
  t.equal(starts('Europe/Berlin', '2026-03-29'), '2026-03-29T09:00:00+02:00');
  t.equal(starts('Australia/Lord_Howe', '2026-10-03'), '2026-10-03T09:00:00+10:30');
  t.equal(starts('Australia/Lord_Howe', '2026-10-04'), '2026-10-04T09:00:00+11:00');
  t.equal(starts('Asia/Kathmandu', '2026-12-01'), '2026-12-01T09:00:00+05:45');
  t.equal(starts('Africa/Casablanca', '2026-03-01'), '2026-03-01T09:00:00+00:00');
  t.strictSame(slotStartsAt('America/Los_Angeles', '2026-12-01', '5:00 PM'), {
    epochMs: at('2026-12-02T01:00:00Z'),
    iso: '2026-12-01T17:00:00-08:00',
  });
  t.end();
});

t.test('a date that the zone skips has no slots', (t) => {
  const calendar = studio({ timezone: 'Pacific/Apia', sessions: everyDay });
  const now = at('2011-12-28T12:00:00-10:00');
  const { days } = openSlots(calendar, nobody, { from: '2011-12-29', to: '2011-12-31' }, now);
  t.strictSame(
    days.map(({ date, slots }) => [date, slots[0]?.startsAt]),
    [
      ['2011-12-29', '2011-12-29T09:00:00-10:00'],
      ['2011-12-31', '2011-12-31T09:00:00+14:00'],
    ],
  );
  t.equal(slotState(calendar, nobody, slot('2011-12-30'), now), 'no_session');
  t.equal(
    alternatives(calendar, nobody, slot('2011-12-30'), now).some(
      (each) => each.date === '2011-12-30',
    ),
    false,
  );
  // The evening of the 29th is followed by the morning of the 31st.
  const evening = at('2011-12-29T20:00:00-10:00');
  t.equal(nextChangeAt(calendar, nobody, evening), at('2011-12-31T00:00:00+14:00'));
  t.end();
});

t.test(
  'a range of 31 days shows 32 dates across the clock change, the new year and 29 February',
  (t) => {
    const calendar = studio({ sessions: everyDay, horizonDays: 900 });
    for (const from of ['2027-02-20', '2026-12-15', '2028-02-10', '2027-10-10']) {
      const to = addDays(from, 31);
      const { days, totalOpen } = openSlots(calendar, nobody, { from, to }, saturdayMorning);
      t.equal(days.length, 32);
      t.equal(totalOpen, 96);
      t.equal(days[0]?.date, from);
      t.equal(days[31]?.date, to);
    }
    const leap = openSlots(
      calendar,
      nobody,
      { from: '2028-02-28', to: '2028-03-01' },
      saturdayMorning,
    );
    t.strictSame(
      leap.days.map((day) => [day.date, day.weekday]),
      [
        ['2028-02-28', 'monday'],
        ['2028-02-29', 'tuesday'],
        ['2028-03-01', 'wednesday'],
      ],
    );
    t.end();
  },
);

t.test('ranges in the past, beyond the horizon, reversed or unbounded are valid', (t) => {
  const open = (from: string, to: string) =>
    openSlots(studio(), nobody, { from, to }, saturdayMorning);
  const nothing = { days: [], totalOpen: 0 };
  t.strictSame(open('2026-10-01', '2026-11-01'), nothing);
  t.strictSame(open('2028-10-01', '2028-11-01'), nothing);
  t.strictSame(open('2026-12-05', '2026-12-01'), nothing);
  t.strictSame(open('0001-01-01', '0001-01-31'), nothing);
  t.strictSame(open('9999-12-01', '9999-12-31'), nothing);
  t.strictSame(open('0001-01-01', '9999-12-31'), open('2026-11-21', '2027-05-20'));
  t.equal(slotState(studio(), nobody, slot('0001-01-01'), saturdayMorning), 'past');
  t.equal(slotState(studio(), nobody, slot('9999-12-31'), saturdayMorning), 'too_far');
  t.equal(slotState(studio(), nobody, slot('2027-02-30'), saturdayMorning), 'no_session');
  t.end();
});

t.test('availability can be limited to one session time', (t) => {
  const range = { from: '2026-12-01', to: '2026-12-02', timeSlot: '5:00 PM' as const };
  const { days, totalOpen } = openSlots(studio(), nobody, range, saturdayMorning);
  t.equal(totalOpen, 2);
  t.strictSame(
    days.flatMap((day) => day.slots.map((each) => each.timeSlot)),
    ['5:00 PM', '5:00 PM'],
  );
  t.end();
});

t.test('a second read of half a year of slots takes less than a quarter of the time', (t) => {
  const fastest = (calendars: Calendar[]) =>
    Math.min(
      ...calendars.map((calendar) => {
        const begun = performance.now();
        openSlots(calendar, nobody, { from: '2026-11-21', to: '2027-05-20' }, saturdayMorning);
        return performance.now() - begun;
      }),
    );
  const inZones = (...zones: string[]) => zones.map((timezone) => studio({ timezone }));
  const first = fastest(inZones('Asia/Tokyo', 'Asia/Seoul', 'Europe/Oslo', 'Europe/Rome'));
  const again = fastest(Array.from({ length: 50 }, () => studio({ timezone: 'Europe/Rome' })));
  t.ok(again * 4 < first, `first ${first.toFixed(3)} ms, again ${again.toFixed(3)} ms`);
  t.end();
});
