import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { busyIntervals } from '../../src/icalendar/read/busy-intervals.js';
import { slotsOverlapping } from '../../src/schedule/busy-times.js';
import { addDays } from '../../src/schedule/dates.js';
import { datesFrom, referenceStart, slotsOn } from '../schedule/calendar-reference.js';
import { holds } from '../schedule/calendar-scenarios.js';
import { changesOf, instancesUntil, markBusy } from './calendar-oracle.js';
import { calendarText, eventComponents, zoneComponents } from './calendar-text.js';
import { readText } from './cases.js';
import { eventSpecs } from './event-specs.js';

const hourMs = 3_600_000;
const windowDays = 12;

/** Both changes of clocks in four zones, and two ordinary times. */
const windows = [
  ['America/Los_Angeles', '2027-03-08'],
  ['America/Los_Angeles', '2026-10-27'],
  ['Europe/Berlin', '2027-03-21'],
  ['Europe/Berlin', '2026-10-19'],
  ['Australia/Lord_Howe', '2026-09-28'],
  ['Australia/Lord_Howe', '2027-03-29'],
  ['America/New_York', '2026-10-25'],
  ['America/New_York', '2028-02-24'],
  ['Asia/Kolkata', '2026-12-25'],
] as const;

const openingHours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
  weekday,
  opens: '09:00',
  closes: weekday < 5 ? '19:30' : '21:00',
}));

const scenarios = fc.constantFrom(...windows).chain(([studio, first]) =>
  fc.record({
    studio: fc.constant(studio),
    first: fc.constant(first),
    events: fc.array(eventSpecs(first, studio), { minLength: 1, maxLength: 2 }),
    /** Which slots are asked for, over and over. */
    asked: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
  }),
);

t.test(
  'events are busy in exactly the minutes, and close exactly the slots, of a brute force',
  (t) => {
    let closed = 0;
    let open = 0;
    const runs = Number(process.env['RUNS'] ?? 250);
    holds(
      t,
      runs,
      fc.property(scenarios, ({ studio, first, events, asked }) => {
        const dates = datesFrom(first, windowDays);
        const last = dates.at(-1) ?? first;
        const slots = slotsOn(dates)
          .filter((_, index) => index === 0 || asked[index % asked.length])
          .map((slot) => ({
            key: `${slot.date} ${slot.timeSlot}`,
            from: referenceStart(studio, slot).epochMilliseconds,
            to: endOfSession(studio, referenceStart(studio, slot)),
          }));

        const windowStart = Date.parse(first) - 48 * hourMs;
        const minutes = new Uint8Array((windowDays + 4) * 24 * 60);
        const components: string[] = [];
        for (const event of events) {
          const instances = instancesUntil(event, addDays(last, 30), studio);
          const changes = changesOf(event, instances, first);
          markBusy(minutes, windowStart, event, instances, changes, studio);
          components.push(...eventComponents(event, changes, studio));
        }
        const expected = slots.filter(({ from, to }) =>
          minutes.subarray((from - windowStart) / 60_000, (to - windowStart) / 60_000).includes(1),
        );

        const text = calendarText(zoneComponents(), components);
        const own = events.filter(({ state }) => state === 'own').map(({ uid }) => uid);
        const others = readText(text, studio).events.filter(
          ({ uid }) => !own.includes(uid?.toLowerCase() ?? ''),
        );
        const slotStarts = slots.map(({ from }) => from);
        const busy = busyIntervals(others, { slotStarts, occurrences: 100_000 });
        const overlapping = slotsOverlapping(busy, { timezone: studio, openingHours });
        const found = slots.filter(({ key }) => overlapping.has(key));
        assert.deepEqual(
          found.map(({ key }) => key),
          expected.map(({ key }) => key),
          text,
        );
        assert.ok(busy.length <= slots.length);
        busy.forEach(({ startsAt, endsAt }, index) => {
          assert.ok(startsAt < endsAt);
          assert.ok((busy[index - 1]?.endsAt ?? 0) < startsAt);
        });

        // With a slot at every quarter of an hour, each interval decides about one.
        const quarters = Array.from(
          { length: windowDays * 24 * 4 },
          (_, index) => windowStart + 48 * hourMs + index * 900_000,
        );
        const marked = new Uint8Array(minutes.length);
        for (const { startsAt, endsAt } of busyIntervals(others, {
          slotStarts: quarters,
          occurrences: 100_000,
        })) {
          marked.fill(1, (startsAt - windowStart) / 60_000, (endsAt - windowStart) / 60_000);
        }
        const within = [48 * 60, (2 + windowDays) * 24 * 60] as const;
        assert.deepEqual(marked.subarray(...within), minutes.subarray(...within), text);
        closed += expected.length;
        open += slots.length - expected.length;
      }),
    );
    t.ok(closed > runs && open > runs, `the events close some slots (${closed}) and not others`);
    t.end();
  },
);

function endOfSession(studio: string, start: Temporal.ZonedDateTime): number {
  const closes = openingHours[start.dayOfWeek - 1]?.closes ?? '';
  const closing = Temporal.PlainDateTime.from(`${start.toPlainDate().toString()}T${closes}`);
  return Math.min(
    start.epochMilliseconds + 4 * hourMs,
    closing.toZonedDateTime(studio).epochMilliseconds,
  );
}
