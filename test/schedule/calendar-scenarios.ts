import fc from 'fast-check';
import type { Test } from 'tap';
/** Random calendars, bookings and instants around the dates at which calendars go wrong. */
import type { TimeSlot } from '../../generated/schemas.js';
import type { Calendar, Closure, Occupant, Taken } from '../../src/schedule/calendar.js';
import { addDays } from '../../src/schedule/dates.js';
import { timeSlots } from '../../src/schedule/slots.js';
import { seed } from '../support/arbitraries.js';
import { datesFrom, referenceStart } from './calendar-reference.js';

/** Says whether a property holds, with the smallest counterexample and its seed where it does not. */
export function holds<Values>(t: Test, numRuns: number, property: fc.IProperty<Values>): void {
  const outcome = fc.check(property, { seed, numRuns });
  if (outcome.failed)
    t.fail(`${fc.defaultReportMessage(outcome)} ${String(outcome.errorInstance)}`);
  else t.pass(`holds for ${outcome.numRuns} values from seed ${seed}`);
}

export interface Scenario {
  readonly calendar: Calendar;
  readonly taken: Taken;
  readonly now: number;
}

const difficultDates: readonly (readonly [string, string])[] = [
  ['America/Los_Angeles', '2026-03-08'], // clocks go forward
  ['America/Los_Angeles', '2026-11-01'], // and back
  ['America/Los_Angeles', '2026-12-31'],
  ['America/Los_Angeles', '2028-02-29'],
  ['America/Los_Angeles', '2100-02-28'], // no leap year
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Europe/Berlin', '2027-12-31'],
  ['Australia/Lord_Howe', '2026-04-05'], // by half an hour
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Sao_Paulo', '2018-02-18'], // 24:00 becomes 23:00 of the same date
  ['America/Sao_Paulo', '2018-11-04'], // the date begins at 01:00
  ['America/St_Johns', '2009-11-01'], // 00:01 becomes 23:01 of the date before
  ['Pacific/Apia', '2011-12-30'], // a date that does not exist
  ['Pacific/Kwajalein', '1969-09-30'], // a date that comes twice
  ['Asia/Kathmandu', '1985-12-31'], // +05:30 becomes +05:45
  ['Asia/Kathmandu', '2026-11-21'],
  ['Africa/Casablanca', '2026-02-15'], // Ramadan: clocks go back
  ['Africa/Casablanca', '2026-03-22'], // and forward again
];

const timeSlot = fc.constantFrom<TimeSlot>(...timeSlots);
const hourMs = 3_600_000;
/** From now: often at its very edges. */
const nearby = fc.oneof(
  fc.constantFrom(-1, 0, 1),
  fc.integer({ min: -2 * hourMs, max: 6 * hourMs }),
  fc.integer({ min: -2 * hourMs, max: 60 * hourMs }),
);

const offered = fc.oneof(
  { weight: 3, arbitrary: fc.constant([...timeSlots]) },
  { weight: 2, arbitrary: fc.subarray([...timeSlots]) },
);
const days = { 1: offered, 2: offered, 3: offered, 4: offered, 5: offered, 6: offered };
const sessions = fc.record({ ...days, 7: offered });

/** Of each artist; the first of them has what the studio of one artist has. */
const artists = fc.array(
  fc.record({
    ...{ sessions, isHidden: fc.boolean(), extra: fc.integer({ min: 0, max: 31 }) },
    days: fc.tuple(fc.option(fc.nat(9)), fc.option(fc.nat(9))),
  }),
  { maxLength: 3 },
);

/** A studio of one to four artists, its bookings, and a now that is often a slot's start or the end of its notice. */
export function scenarios(maxHorizonDays: number): fc.Arbitrary<Scenario> {
  const dayIndex = fc.integer({ min: 0, max: maxHorizonDays + 6 });
  return fc
    .record({
      difficult: fc.constantFrom(...difficultDates),
      sessions,
      minNoticeMinutes: fc.constantFrom(0, 1, 60, 60, 90, 24 * 60, 50 * 60),
      horizonDays: fc.integer({ min: 0, max: maxHorizonDays }),
      closures: fc.array(
        fc.record({
          first: dayIndex,
          length: fc.integer({ min: -1, max: 3 }),
          timeSlot: fc.option(timeSlot),
        }),
        { maxLength: 3 },
      ),
      dated: fc.array(
        fc.record({
          ...{ first: dayIndex, offered, weekday: fc.integer({ min: 1, max: 7 }) },
          length: fc.integer({ min: 0, max: 20 }),
        }),
        { maxLength: 5 },
      ),
      openings: fc.array(fc.record({ day: dayIndex, offered }), { maxLength: 5 }),
      busy: fc.array(fc.record({ day: dayIndex, timeSlot }), { maxLength: 5 }),
      others: artists,
      bookings: fc.array(
        fc.record({
          day: dayIndex,
          timeSlot,
          lapses: fc.option(nearby),
          artist: fc.integer({ min: 0, max: 3 }),
        }),
        { maxLength: 6 * maxHorizonDays },
      ),
      edge: fc.record({
        day: fc.integer({ min: 0, max: 6 }),
        timeSlot,
        kind: fc.constantFrom('start', 'notice', 'any'),
        by: nearby,
      }),
    })
    .map(({ difficult: [timezone, date], ...random }) => {
      const dates = datesFrom(addDays(date, -3), maxHorizonDays + 12);
      const dateAt = (index: number) => dates[index] as string;
      const start = referenceStart(timezone, {
        date: dateAt(random.edge.day),
        timeSlot: random.edge.timeSlot,
      }).epochMilliseconds;
      const noticeMs = random.edge.kind === 'notice' ? random.minNoticeMinutes * 60_000 : 0;
      const spread = random.edge.kind === 'any' ? 5 : 1;
      const now = start - noticeMs + random.edge.by * spread;
      const closures = random.closures.map((each): Closure => ({
        fromDate: dateAt(each.first),
        toDate: dateAt(Math.max(0, each.first + each.length)),
        timeSlot: each.timeSlot,
      }));
      const taken = new Map<string, Occupant[]>();
      for (const { day, timeSlot, lapses, artist } of random.bookings) {
        const key = `${dateAt(day)} ${timeSlot}`;
        const artistId = 1 + (artist % (1 + random.others.length));
        const others = (taken.get(key) ?? []).filter((each) => each.artistId !== artistId);
        taken.set(key, [...others, { artistId, lapsesAt: lapses === null ? null : now + lapses }]);
      }
      const busySlots = new Set(random.busy.map((each) => `${dateAt(each.day)} ${each.timeSlot}`));
      const openings = new Map(random.openings.map((each) => [dateAt(each.day), each.offered]));
      const { minNoticeMinutes, horizonDays } = random;
      const dated = random.dated.map(({ first, length, weekday, offered: sessions }) => ({
        ...{ weekday, sessions, from_date: dateAt(first) },
        to_date: dates[first + length] ?? dates.at(-1)!,
      }));
      const first = {
        ...{ id: 1, isHidden: false, firstDay: null, lastDay: null, sessions: random.sessions },
        ...{ dated, hours: [], closures, busySlots },
      };
      // Each bit of `extra` says whether a closure or a busy slot of the first is also theirs.
      const others = random.others.map(
        ({ isHidden, sessions, extra, days: [from, until] }, index) => ({
          id: index + 2,
          isHidden,
          firstDay: from === null ? null : dateAt(from),
          lastDay: until === null ? null : dateAt(until),
          sessions,
          dated: dated.filter((_, bit) => (extra >> bit) & 1),
          hours: [],
          closures: closures.filter((_, bit) => (extra >> bit) & 1),
          busySlots: new Set([...busySlots].filter((_, bit) => (extra >> bit) & 1)),
        }),
      );
      const rules = { timezone, minNoticeMinutes, horizonDays };
      return { calendar: { ...rules, openings, artists: [first, ...others] }, taken, now };
    });
}
