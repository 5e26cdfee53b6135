/** Random events of calendars elsewhere, as a person would describe them, around changes of clocks. */
import fc from 'fast-check';
import { addDays } from '../../src/calendar/dates.js';

/** Where a time is written: in UTC, in no zone, as a date, or in a zone by either kind of name. */
export type TimeForm = 'utc' | 'floating' | 'date' | 'iana' | 'custom';

/** Local times are `YYYY-MM-DDTHH:MM`; those of all-day events at 00:00. */
export interface TimeSpec {
  readonly form: TimeForm;
  /** Of the forms 'iana' and 'custom'. */
  readonly zone: string;
  readonly local: string;
}

export type LengthSpec =
  /** Written as DTEND: local minutes later, or days of an all-day event. */
  | { readonly kind: 'end'; readonly minutes: number }
  | { readonly kind: 'duration'; readonly days: number; readonly minutes: number }
  | { readonly kind: 'none' };

export interface RuleSpec {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  /** ISO weekdays of a week; none: that of the start. */
  readonly weekdays: readonly number[];
  readonly weekStart: 1 | 7;
  /** A number of instances, or the date of the last one. */
  readonly end: { readonly count: number } | { readonly until: string } | null;
}

/** What becomes of an instance: the n-th from the window's start, which may be in the past. */
export interface ChangeSpec {
  readonly instance: number;
  readonly kind: 'exclude' | 'exclude date' | 'cancel' | 'make transparent' | 'move';
  /** Minutes that it moves. */
  readonly minutes: number;
  readonly length: LengthSpec;
  readonly forFuture: boolean;
  readonly idInUtc: boolean;
}

export interface EventSpec {
  readonly uid: string;
  readonly start: TimeSpec;
  readonly length: LengthSpec;
  readonly state: 'busy' | 'transparent' | 'cancelled' | 'own';
  readonly rules: readonly RuleSpec[];
  /** Further instances: days after the start. */
  readonly dates: readonly { readonly days: number; readonly periodMinutes: number | null }[];
  readonly changes: readonly ChangeSpec[];
  /** Whether only the instances that are described on their own are in the calendar. */
  readonly isOrphan: boolean;
}

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

const length: fc.Arbitrary<LengthSpec> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      minutes: fc.constantFrom(0, 15, 60, 90, 240, 600, 1440, 2 * 1440 + 30, 5 * 1440),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('duration' as const),
      days: fc.constantFrom(0, 0, 1, 2, 7),
      minutes: fc.constantFrom(0, 30, 60, 23 * 60),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'none' as const }) },
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
const rules = (from: string): fc.Arbitrary<RuleSpec> =>
  fc
    .record({
      frequency: fc.constantFrom('DAILY', 'WEEKLY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
      interval: fc.constantFrom(1, 1, 1, 2, 3),
      weekdays,
      weekStart: fc.constantFrom(1 as const, 7 as const),
      end: ends(from),
    })
    .map((rule) => ({ ...rule, weekdays: rule.frequency === 'WEEKLY' ? rule.weekdays : [] }));

const change: fc.Arbitrary<ChangeSpec> = fc.record({
  instance: fc.integer({ min: -6, max: 8 }),
  kind: fc.constantFrom('exclude', 'exclude date', 'cancel', 'make transparent', 'move', 'move'),
  minutes: fc.constantFrom(-2880, -1440, -180, -30, 60, 240, 1440, 3000, 20 * 1440),
  length,
  forFuture: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
  idInUtc: fc.boolean(),
});

/** `from` is the window's first date; times are also those that clocks skip or repeat. */
export function eventSpecs(from: string, zone: string): fc.Arbitrary<EventSpec> {
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
    .map(({ form, iana, custom, daysAgo, minutes }): TimeSpec => {
      const time = new Date(form === 'date' ? 0 : minutes * 60_000).toISOString().slice(11, 16);
      return {
        form: form as TimeForm,
        zone: form === 'custom' ? custom : iana,
        local: `${addDays(from, -daysAgo)}T${time}`,
      };
    });
  return fc.record({
    uid: fc.uuid(),
    start,
    length,
    state: fc.constantFrom('busy', 'busy', 'busy', 'busy', 'transparent', 'cancelled', 'own'),
    rules: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(rules(from), { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(rules(from), { minLength: 2, maxLength: 2 }) },
    ),
    dates: fc.array(
      fc.record({
        days: fc.integer({ min: -3, max: 70 }),
        periodMinutes: fc.option(fc.constantFrom(30, 300, 3 * 1440), { freq: 3 }),
      }),
      { maxLength: 3 },
    ),
    changes: fc.array(change, { maxLength: 4 }),
    isOrphan: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
  }) as fc.Arbitrary<EventSpec>;
}
