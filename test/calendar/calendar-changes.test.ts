import t from 'tap';
import { alternatives, nextChangeAt } from '../../src/calendar/calendar.js';
import type { Taken } from '../../src/calendar/calendar.js';
import { slotKey, type Slot } from '../../src/calendar/slots.js';
import {
  at,
  everyDay,
  minuteMs,
  nobody,
  noDay,
  saturdayMorning,
  slot,
  studio,
} from './calendar-example.js';

const offered = (wanted: Slot, taken: Taken = nobody, limit?: number) =>
  alternatives(studio(), taken, wanted, saturdayMorning, limit).map(slotKey);

t.test(
  'alternatives have the wanted time on the nearest days, then the other times of the day',
  (t) => {
    const wanted = slot('2026-12-03');
    const taken = new Map([[slotKey(wanted), { lapsesAt: null }]]);
    t.strictSame(offered(wanted, taken), [
      '2026-12-04 1:00 PM',
      '2026-12-02 1:00 PM',
      '2026-12-05 1:00 PM',
      '2026-12-03 5:00 PM',
      '2026-12-03 9:00 AM',
    ]);
    t.strictSame(offered(wanted, taken, 1), ['2026-12-04 1:00 PM']);
    t.strictSame(offered(wanted, taken, 0), []);
    t.strictSame(alternatives(studio(), taken, wanted, saturdayMorning, 1), [
      { date: '2026-12-04', timeSlot: '1:00 PM', startsAt: '2026-12-04T13:00:00-08:00' },
    ]);
    t.end();
  },
);

t.test('a morning on a closed day is answered with mornings, then with what is nearest', (t) => {
  t.strictSame(offered(slot('2026-11-30', '9:00 AM')), [
    '2026-12-01 9:00 AM',
    '2026-11-29 9:00 AM',
    '2026-12-02 9:00 AM',
    '2026-11-29 5:00 PM',
    '2026-11-29 1:00 PM',
  ]);
  t.end();
});

t.test('a day keeps its distance when the clocks change', (t) => {
  const calendar = studio({ sessions: everyDay });
  const wanted = slot('2027-03-13');
  const taken = new Map([[slotKey(wanted), { lapsesAt: null }]]);
  t.strictSame(alternatives(calendar, taken, wanted, saturdayMorning, 2).map(slotKey), [
    '2027-03-14 1:00 PM',
    '2027-03-12 1:00 PM',
  ]);
  const later = slot('2027-03-14');
  const takenLater = new Map([[slotKey(later), { lapsesAt: null }]]);
  t.strictSame(alternatives(calendar, takenLater, later, saturdayMorning, 2).map(slotKey), [
    '2027-03-15 1:00 PM',
    '2027-03-13 1:00 PM',
  ]);
  t.end();
});

t.test('the same time more than a week away is no better than any other', (t) => {
  const wanted = slot('2026-12-02');
  const closures = [
    { fromDate: '2026-11-21', toDate: '2026-11-25', timeSlot: null },
    { fromDate: '2026-11-26', toDate: '2026-12-09', timeSlot: '1:00 PM' as const },
  ];
  t.strictSame(alternatives(studio({ closures }), nobody, wanted, saturdayMorning).map(slotKey), [
    '2026-12-02 5:00 PM',
    '2026-12-02 9:00 AM',
    '2026-12-03 9:00 AM',
    '2026-12-01 5:00 PM',
    '2026-12-03 5:00 PM',
  ]);
  t.end();
});

t.test(
  'alternatives to a date long past or far ahead are the first or the last bookable slots',
  (t) => {
    t.strictSame(offered(slot('0001-01-01'), nobody, 2), [
      '2026-11-21 9:00 AM',
      '2026-11-21 1:00 PM',
    ]);
    t.strictSame(offered(slot('2026-11-20'), nobody, 2), [
      '2026-11-21 1:00 PM',
      '2026-11-22 1:00 PM',
    ]);
    t.strictSame(offered(slot('9999-12-31'), nobody, 2), [
      '2027-05-20 5:00 PM',
      '2027-05-20 1:00 PM',
    ]);
    t.end();
  },
);

t.test(
  'a studio without an open slot has no alternatives, and its next change is midnight',
  (t) => {
    const calendar = studio({ sessions: noDay });
    t.strictSame(alternatives(calendar, nobody, slot('2026-12-01'), saturdayMorning), []);
    t.equal(nextChangeAt(calendar, nobody, saturdayMorning), at('2026-11-22T00:00:00-08:00'));
    t.end();
  },
);

t.test(
  'the next change is a notice that runs out, a hold that lapses, a start, or midnight',
  (t) => {
    const calendar = studio();
    const midnight = at('2026-11-22T00:00:00-08:00');
    const nine = at('2026-11-21T09:00:00-08:00');
    const next = (taken: Taken, now: number) => nextChangeAt(calendar, taken, now);
    t.equal(next(nobody, nine - 60 * minuteMs), nine - 60 * minuteMs + 1, 'the notice');
    t.equal(next(nobody, nine - 60 * minuteMs + 1), nine + 1, 'the start');
    const lapsesAt = saturdayMorning + 5 * minuteMs;
    const taken = new Map([[slotKey(slot('2027-02-02')), { lapsesAt }]]);
    t.equal(next(taken, saturdayMorning + 1), lapsesAt, 'the hold');
    t.equal(next(taken, lapsesAt), nine + 1, 'not the hold that has lapsed');
    t.equal(next(nobody, at('2026-11-21T18:00:00-08:00')), midnight, 'midnight');
    t.equal(next(nobody, midnight), at('2026-11-22T08:00:00.001-08:00'), 'strictly after now');
    t.end();
  },
);

t.test('midnight is the one that the studio sees, also on days of 23 and 25 hours', (t) => {
  const calendar = studio({ sessions: noDay });
  const hours = (midnight: string) => {
    const now = at(midnight);
    return (nextChangeAt(calendar, nobody, now) - now) / (60 * minuteMs);
  };
  t.equal(hours('2026-03-08T00:00:00-08:00'), 23);
  t.equal(hours('2026-11-01T00:00:00-07:00'), 25);
  t.equal(hours('2026-12-31T00:00:00-08:00'), 24);
  t.end();
});
