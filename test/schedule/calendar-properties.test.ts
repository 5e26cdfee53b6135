import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { alternatives } from '../../src/schedule/alternatives.js';
import { nextChangeAt, type OpenDay, openSlots, openFor } from '../../src/schedule/calendar.js';
import { addDays } from '../../src/schedule/dates.js';
import { slotKey, timeSlots } from '../../src/schedule/slots.js';
import {
  datesFrom,
  referenceAlternatives,
  referenceOpen,
  referencePicture,
  referenceStart,
  referenceState,
  referenceToday,
  slotsOn,
} from './calendar-reference.js';
import { holds, scenarios } from './calendar-scenarios.js';

const flat = (days: readonly OpenDay[]) =>
  days.flatMap(({ date, slots }) => slots.map((slot) => ({ date, ...slot })));

t.test(
  'every slot around the bookable dates has the state of the reference implementation',
  (t) => {
    const seen = new Set<string>();
    holds(
      t,
      200,
      fc.property(scenarios(9), ({ calendar, taken, now }) => {
        const first = addDays(referenceToday(calendar.timezone, now), -3);
        for (const slot of slotsOn(datesFrom(first, calendar.horizonDays + 7))) {
          const state = openFor({ calendar, taken }, slot, null, now);
          seen.add(state);
          assert.equal(state, referenceState(calendar, taken, slot, now), slotKey(slot));
        }
      }),
    );
    t.equal(seen.size, 8, 'the scenarios reach all eight states');
    t.end();
  },
);

t.test('the open slots of any range are those of the reference implementation, in order', (t) => {
  const offset = fc.integer({ min: -12, max: 60 });
  const timeSlot = fc.option(fc.constantFrom(...timeSlots), { nil: undefined });
  let found = 0;
  holds(
    t,
    120,
    fc.property(scenarios(40), offset, offset, timeSlot, (scenario, first, last, timeSlot) => {
      const { calendar, taken, now } = scenario;
      const today = referenceToday(calendar.timezone, now);
      const from = addDays(today, first);
      const to = addDays(today, last);
      const open = openSlots(calendar, taken, { from, to, timeSlot }, now);
      const expected = referenceOpen(calendar, taken, now).filter(
        (slot) =>
          from <= slot.date && slot.date <= to && (timeSlot ?? slot.timeSlot) === slot.timeSlot,
      );
      assert.deepEqual(flat(open), expected);
      found += expected.length;
    }),
  );
  t.ok(found > 400, 'the scenarios have open slots to find');
  t.end();
});

t.test('alternatives are those of the reference implementation, the best first', (t) => {
  holds(
    t,
    120,
    fc.property(
      scenarios(20),
      fc.integer({ min: -40, max: 60 }),
      fc.constantFrom(...timeSlots),
      fc.integer({ min: 0, max: 7 }),
      ({ calendar, taken, now }, days, timeSlot, limit) => {
        const date = addDays(referenceToday(calendar.timezone, now), days);
        const wanted = { date, timeSlot };
        assert.deepEqual(
          alternatives(calendar, taken, wanted, now, limit),
          referenceAlternatives(calendar, taken, wanted, now, limit),
        );
      },
    ),
  );
  t.end();
});

t.test('nothing changes before the next change, and something does at that instant', (t) => {
  holds(
    t,
    150,
    fc.property(
      scenarios(5),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 4 }),
      ({ calendar, taken, now }, fractions) => {
        const next = nextChangeAt(calendar, taken, now);
        if (!(next > now)) throw new Error(`the next change, ${next}, is not after now, ${now}`);
        const before = referencePicture(calendar, taken, now);
        const between = [
          next - 1,
          ...fractions.map((fraction) => now + Math.floor((next - now) * fraction)),
          ...plainInstants(),
        ].filter((instant) => now < instant && instant < next);
        for (const instant of between) {
          assert.equal(referencePicture(calendar, taken, instant), before, `at ${instant}`);
        }
        assert.notEqual(
          referencePicture(calendar, taken, next),
          before,
          `at ${next}, the next change`,
        );

        // Whenever anything could change: each hour, each hold's end, each start and notice.
        function* plainInstants(): Generator<number> {
          for (let hour = Math.ceil(now / 1_800_000); hour * 1_800_000 < next; hour += 1) {
            yield hour * 1_800_000;
          }
          for (const { lapsesAt } of [...taken.values()].flat()) {
            if (lapsesAt !== null) yield lapsesAt;
          }
          const dates = datesFrom(referenceToday(calendar.timezone, now), calendar.horizonDays + 1);
          for (const slot of slotsOn(dates)) {
            const start = referenceStart(calendar.timezone, slot).epochMilliseconds;
            yield start + 1;
            yield start - calendar.minNoticeMinutes * 60_000 + 1;
          }
        }
      },
    ),
  );
  t.end();
});
