import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import {
  addDays,
  daysBetween,
  isCalendarDate,
  weekdayName,
  weekdayOf,
} from '../../src/schedule/dates.js';
import { timeSlots, slotStartsAt, todayInZone } from '../../src/schedule/slots.js';
import { holds } from './calendar-scenarios.js';

const zones = Intl.supportedValuesOf('timeZone');
const hourOf = { '9:00 AM': '09', '1:00 PM': '13', '5:00 PM': '17' };
const timeSlot = fc.constantFrom(...timeSlots);
const hourMs = 3_600_000;

/** What a wall clock in the zone shows, by the engine's own Intl: `2026-12-01 09:00:00`. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function wallClock(timezone: string, epochMs: number): string {
  const formatter =
    formatters.get(timezone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
  formatters.set(timezone, formatter);
  return formatter.format(epochMs);
}

const dateIn = (firstYear: number, lastYear: number) =>
  fc
    .record({
      year: fc.integer({ min: firstYear, max: lastYear }),
      // The end of a year and of February come up as often as all the others together.
      dayOfYear: fc.oneof(fc.constantFrom(1, 59, 60, 61, 365), fc.integer({ min: 1, max: 365 })),
    })
    .map(({ year, dayOfYear }) =>
      Temporal.PlainDate.from({ year, month: 1, day: 1 })
        .add({ days: dayOfYear - 1 })
        .toString(),
    );

t.test(
  'in every zone that Node knows a slot starts when the wall clock first shows its time; starts_at is RFC 3339 with the offset',
  (t) => {
    t.ok(zones.length > 400);
    holds(
      t,
      600,
      fc.property(fc.constantFrom(...zones), dateIn(1973, 2045), timeSlot, (zone, date, slot) => {
        const { epochMs, iso } = slotStartsAt(zone, date, slot);
        const shown = `${date} ${hourOf[slot]}:00:00`;
        const nearby = Array.from(
          { length: 96 },
          (_, quarter) => epochMs + (quarter - 48) * 900_000,
        );
        const firstShown = nearby.find((instant) => wallClock(zone, instant) === shown);
        // If no clock ever shows it, the zone skipped that date, and the next one is used.
        if (firstShown === undefined)
          assert.equal(wallClock(zone, epochMs).slice(11, 13), hourOf[slot]);
        assert.equal(firstShown ?? epochMs, epochMs);
        assert.match(iso, /^\d{4}-\d\d-\d\dT\d\d:00:00[+-]\d\d:\d\d$/);
        assert.equal(Date.parse(iso), epochMs);
        assert.equal(iso.slice(0, 19).replace('T', ' '), wallClock(zone, epochMs));
      }),
    );
    t.end();
  },
);

t.test('today is the date on the wall clock of the zone, in any order of calls', (t) => {
  // Around each of them the date does not simply change at 24:00.
  const turns = [
    ['America/Sao_Paulo', Date.parse('2018-02-18T02:00Z')],
    ['America/Sao_Paulo', Date.parse('2018-11-04T03:00Z')],
    ['America/St_Johns', Date.parse('2009-11-01T02:31Z')],
    ['Pacific/Apia', Date.parse('2011-12-30T10:00Z')],
    ['Pacific/Kwajalein', Date.parse('1969-09-30T13:00Z')],
    ['Asia/Kathmandu', Date.parse('1985-12-31T18:30Z')],
    ['America/Los_Angeles', Date.parse('2026-11-01T09:00Z')],
    ['Africa/Casablanca', Date.parse('2026-02-15T02:00Z')],
  ] as const;
  const around = fc.array(
    fc.oneof(
      fc.integer({ min: -40 * hourMs, max: 40 * hourMs }),
      fc.integer({ min: -90, max: 90 }).map((minutes) => minutes * 60_000),
      fc.integer({ min: -1, max: 1 }),
    ),
    { minLength: 1, maxLength: 12 },
  );
  holds(
    t,
    400,
    fc.property(fc.constantFrom(...turns), around, ([zone, turn], offsets) => {
      for (const offset of offsets) {
        const now = turn + offset;
        assert.equal(todayInZone(zone, now), wallClock(zone, now).slice(0, 10), String(now));
      }
    }),
  );
  holds(
    t,
    600,
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.parse('1973-01-01'), max: Date.parse('2045-01-01') }),
      (zone, now) => {
        for (const instant of [now, now + 12 * hourMs, now + 24 * hourMs, now]) {
          assert.equal(todayInZone(zone, instant), wallClock(zone, instant).slice(0, 10));
        }
      },
    ),
  );
  t.equal(todayInZone('UTC', Date.parse('2026-11-22') - 0.5), '2026-11-21', 'half a millisecond');
  t.end();
});

t.test('a time zone or a date that does not exist is a RangeError, not another day', (t) => {
  t.throws(() => slotStartsAt('America/Atlantis', '2026-12-01', '9:00 AM'), RangeError);
  t.throws(() => todayInZone('America/Atlantis', 0), RangeError);
  for (const date of ['2026-02-30', '2026-13-01', '20261201', '2026-12-01T09:00', '', 'tomorrow']) {
    t.throws(() => slotStartsAt('UTC', date, '9:00 AM'), RangeError, date);
  }
  t.end();
});

t.test('a date is accepted exactly when the calendar has it', (t) => {
  const real = (text: string) => {
    if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
    try {
      const date = Temporal.PlainDate.from(text, { overflow: 'reject' });
      // There is no year between 1 BC and AD 1, nor in PostgreSQL.
      return date.toString() === text && date.year > 0;
    } catch {
      return false;
    }
  };
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  const nearlyDates = fc
    .tuple(fc.nat(9999), fc.nat(14), fc.nat(33))
    .map(([year, month, day]) => `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`);
  holds(
    t,
    1_500,
    fc.property(fc.oneof(nearlyDates, fc.string(), dateIn(0, 9999)), (text) => {
      assert.equal(isCalendarDate(text), real(text));
    }),
  );
  for (const date of ['0001-01-01', '9999-12-31', '2028-02-29', '2000-02-29']) {
    t.ok(isCalendarDate(date), date);
  }
  const noDates =
    '0000-01-01 0000-12-31 2026-02-29 2100-02-29 1900-02-29 2026-02-30 2026-04-31 2026-00-10 ' +
    '2026-10-00 2026-12-01T00:00 -000001-01-01 +002026-12-01 10000-01-01 २०२६-१२-०१ 2026-12-1 20261201';
  for (const text of [...noDates.split(' '), '2026-12-01\n', ' 2026-12-01', '']) {
    t.notOk(isCalendarDate(text), JSON.stringify(text));
  }
  t.end();
});

t.test('adding days, counting them and naming the weekday agree with Temporal', (t) => {
  holds(
    t,
    1_000,
    fc.property(dateIn(1, 9999), fc.integer({ min: -800, max: 800 }), (date, days) => {
      const plain = Temporal.PlainDate.from(date);
      assert.equal(weekdayOf(date), plain.dayOfWeek);
      const moved = plain.add({ days });
      if (moved.year < 1 || moved.year > 9999) return;
      assert.equal(addDays(date, days), moved.toString());
      assert.equal(daysBetween(date, moved.toString()), days);
    }),
  );
  t.equal(weekdayName(weekdayOf('2026-12-01')), 'Tuesday');
  t.equal(addDays('9999-12-20', 31), '9999-12-31', 'years have four digits');
  t.equal(addDays('0001-01-02', -31), '0001-01-01');
  t.equal(daysBetween('0001-01-01', '9999-12-31'), 3_652_058);
  t.end();
});
