/** Random events of calendars elsewhere, as a person would describe them, around changes of clocks. */
import fc from 'fast-check';
import { addDays } from '../../src/schedule/dates.js';

type Drawn<Values> = Values extends fc.Arbitrary<infer Value> ? Value : never;

export type EventSpec = Drawn<ReturnType<typeof eventSpecs>>;
/** Where a time is written: in UTC, in no zone, as a date, or in a zone by either kind of name. */
export type TimeSpec = EventSpec['start'];
export type LengthSpec = Drawn<typeof length>;
export type RuleSpec = Drawn<ReturnType<typeof rules>>;
/** What becomes of an instance: the n-th from the window's start, which may be in the past. */
export type ChangeSpec = Drawn<typeof change>;

const eventZones = [
  'America/Los_Angeles',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
];

/** Those with a definition in calendar-text.ts. */
const customZones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe'];

const never = { weight: 3, arbitrary: fc.constant(null) };

/** `end`: written as DTEND, local minutes later, or days of an all-day event. */
const length = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end'),
      days: fc.constant(0),
      minutes: fc.constantFrom(0, 15, 60, 90, 240, 600, 1440, 2 * 1440 + 30, 5 * 1440),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('duration'),
      days: fc.constantFrom(0, 0, 1, 2, 7),
      minutes: fc.constantFrom(0, 30, 60, 23 * 60),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'none', days: 0, minutes: 0 }) },
);

const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 4 });

const ends = (from: string) =>
  fc.oneof(
    never,
    { weight: 1, arbitrary: fc.record({ count: fc.integer({ min: 1, max: 30 }) }) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: -4, max: 12 }).map((days) => ({ until: addDays(from, days) })),
    },
  );

/** Of the simple forms: rules.test.ts has the others. */
const rules = (from: string) =>
  fc
    .record({
      frequency: fc.constantFrom('DAILY', 'WEEKLY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
      interval: fc.constantFrom(1, 1, 1, 2, 3),
      /** ISO weekdays of a week; none: that of the start. */
      weekdays,
      weekStart: fc.constantFrom(1, 7),
      /** A number of instances, or the date of the last one. */
      end: ends(from),
    })
    .map((rule) => ({ ...rule, weekdays: rule.frequency === 'WEEKLY' ? rule.weekdays : [] }));

const change = fc.record({
  instance: fc.integer({ min: -6, max: 8 }),
  kind: fc.constantFrom('exclude', 'exclude date', 'cancel', 'make transparent', 'move', 'move'),
  minutes: fc.constantFrom(-2880, -1440, -180, -30, 60, 240, 1440, 3000, 20 * 1440),
  length,
  forFuture: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
  idInUtc: fc.boolean(),
});

/** `from` is the window's first date; times are also those that clocks skip or repeat. */
export function eventSpecs(from: string, zone: string) {
  const minutes = fc.oneof(
    fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
    fc.constantFrom(90, 105, 120, 135, 150, 180, 540, 780, 1020),
  );
  const daysAgo = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -12, max: 3 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 900 }) },
  );
  const start = fc
    .record({
      form: fc.constantFrom('utc', 'floating', 'date', 'iana', 'iana', 'custom'),
      iana: fc.constantFrom(zone, ...eventZones),
      custom: fc.constantFrom(...customZones),
      daysAgo,
      minutes,
    })
    .map(({ form, iana, custom, daysAgo, minutes }) => {
      const time = new Date(form === 'date' ? 0 : minutes * 60_000).toISOString().slice(11, 16);
      return {
        form,
        /** Of the forms 'iana' and 'custom'. */
        zone: form === 'custom' ? custom : iana,
        /** `YYYY-MM-DDTHH:MM`, of all-day events at 00:00. */
        local: `${addDays(from, -daysAgo)}T${time}`,
      };
    });
  return fc.record({
    uid: fc.uuid(),
    start,
    length,
    state: fc.constantFrom('busy', 'busy', 'busy', 'busy', 'transparent', 'cancelled', 'own'),
    rules: fc.oneof(
      { weight: 1, arbitrary: fc.constant<RuleSpec[]>([]) },
      { weight: 3, arbitrary: fc.array(rules(from), { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(rules(from), { minLength: 2, maxLength: 2 }) },
    ),
    /** Further instances: days after the start. */
    dates: fc.array(
      fc.record({
        days: fc.integer({ min: -3, max: 70 }),
        periodMinutes: fc.option(fc.constantFrom(30, 300, 3 * 1440), { freq: 3 }),
      }),
      { maxLength: 3 },
    ),
    changes: fc.array(change, { maxLength: 4 }),
    /** Whether only the instances that are described on their own are in the calendar. */
    isOrphan: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
  });
}
