import fc from 'fast-check';
import t from 'tap';
import type { Context } from '../../src/context.js';
import { expireHolds } from '../../src/domain/booking/new-hold.js';
import { moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { addClosure, removeClosure } from '../../src/domain/studio/closures.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import {
  fetchWatchedCalendar,
  listWatchedCalendars,
} from '../../src/domain/studio/watched-calendars.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { ServiceError } from '../../src/errors.js';
import { createClock } from '../../src/platform/clock.js';
import { addDays } from '../../src/schedule/dates.js';
import { timeSlots, todayInZone } from '../../src/schedule/slots.js';
import { seed } from '../support/arbitraries.js';
import { cutListeners, pictureOf, queriedState, watchListener } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { hold } from '../support/holds.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { anyHost, busyAt, busyDuring, prepareReader, watch } from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';
const runs = 30;
/** Less than the interval at which a board reloads without a notification. */
const heardWithinMs = 25_000;
const minuteMs = 60_000;

const slot = fc.record({
  daysAhead: fc.integer({ min: 0, max: 4 }),
  timeSlot: fc.constantFrom(...timeSlots),
});
type DrawnSlot = typeof slot extends fc.Arbitrary<infer Value> ? Value : never;

/** What a step may need. */
const details = {
  isOurs: fc.boolean(),
  which: fc.nat({ max: 5 }),
  slot,
  busy: fc.array(slot, { maxLength: 3 }),
  weekday: fc.constantFrom(1, 2, 3, 4, 5, 6, 7),
  isWhole: fc.boolean(),
  // Seconds, about a hold's lifetime, hours, and days.
  forwardMs: fc.oneof(
    fc.integer({ min: 1, max: 2 * minuteMs }),
    fc.integer({ min: 14 * minuteMs, max: 16 * minuteMs }),
    fc.integer({ min: 0, max: 600 * minuteMs }),
    fc.constant(1_440 * minuteMs),
  ),
};
const anyDetails = fc.record(details);
type Details = typeof anyDetails extends fc.Arbitrary<infer Value> ? Value : never;
type Happen = (by: Context, details: Details) => Promise<unknown>;

void t.test('after every step of a random history the board equals the database', async (t) => {
  t.comment(`seed ${seed}`);
  let shiftMs = 0;
  const clock = () => createClock(() => Date.now() + shiftMs);
  const settings = { ...generous, ...anyHost, BOOKING_HORIZON_DAYS: '10' };
  const { context, expectLog } = await startService(t, settings);
  expectLog(lostDatabase);
  const us = await startNeighbour(t, context, { clock: clock() });
  const reader = prepareReader();
  const them = await startNeighbour(t, context, { clock: clock(), calendarReader: reader });
  let holds: { id: string; token: string }[] = [];
  let closures: string[] = [];
  let stepsSeen = 0;

  const slotOf = ({ daysAhead, timeSlot }: DrawnSlot) => ({
    date: addDays(todayInZone(timezone, us.clock.now()), daysAhead),
    timeSlot,
  });
  const ofHold =
    (
      work: (by: Context, hold: (typeof holds)[number], to: DrawnSlot) => Promise<unknown>,
    ): Happen =>
    async (by, { which, slot }) => {
      const held = holds[which % holds.length];
      if (held !== undefined) await work(by, held, slot);
    };

  /** How often each happens. What we do ourselves of these must be on our board at once. */
  const byEither: Record<string, [weight: number, Happen]> = {
    hold: [
      6,
      async (by, { slot }) => {
        const { date, timeSlot } = slotOf(slot);
        const held = await hold(by, date, timeSlot).catch(refused);
        if (held !== null) holds.unshift({ id: held.booking.id, token: held.token });
      },
    ],
    confirm: [4, ofHold((by, { token }) => confirmCheckout(by, token))],
    release: [2, ofHold((by, { token }) => releaseCheckout(by, token, 'pending'))],
    'give up': [2, ofHold((by, { token }) => releaseCheckout(by, token, 'confirmed'))],
    move: [
      4,
      ofHold(async (by, { id, token }, to) =>
        moveCheckout(by, token, slotOf(to), (await bookingRow(us, id)).sequence),
      ),
    ],
    expire: [2, expireHolds],
  };
  const byThem: typeof byEither = {
    'studio cancels': [1, ofHold((by, { id }) => cancelByStudio(by, 'desk', id))],
    'studio moves': [1, ofHold((by, { id }, to) => moveByStudio(by, 'desk', id, slotOf(to)))],
    close: [
      2,
      async (by, { slot, isWhole }) => {
        const { date, timeSlot } = slotOf(slot);
        const days = { fromDate: date, toDate: date, timeSlot: isWhole ? null : timeSlot };
        const closure = { ...days, reason: '' };
        const added = await addClosure(by, 'desk', closure, isWhole ? { others: 'cancel' } : {});
        if ('closure' in added) closures.push(added.closure.id);
      },
    ],
    block: [
      2,
      async (by, { slot, weekday, which }) => {
        const { date } = slotOf(slot);
        const hour = (number: number) => `${String(number).padStart(2, '0')}:00`;
        const hours = {
          from: hour(7 + 2 * which),
          to: hour(Math.min(7 + 2 * which + weekday, 24)),
        };
        const block = { fromDate: date, toDate: date, timeSlot: null, hours, reason: '' };
        const added = await addClosure(by, 'desk', block);
        if ('closure' in added) closures.push(added.closure.id);
      },
    ],
    reopen: [
      1,
      async (by, { which }) => {
        const closure = closures[which % closures.length];
        if (closure !== undefined) await removeClosure(by, 'desk', closure);
      },
    ],
    calendar: [
      2,
      async (by, { busy }) => {
        const slots = [
          ...new Map(busy.map((each) => [JSON.stringify(each), slotOf(each)])).values(),
        ];
        const intervals = slots.map((each) => busyDuring(each));
        reader.find(busyAt(intervals.sort((one, other) => one.startsAt - other.startsAt)));
        // Found by the first fetch, too: a step that closed slots and opened them again would end with
        // a board that equals the database before it has followed.
        const [first] = await listWatchedCalendars(by);
        await fetchWatchedCalendar(by, (first ?? (await watch(by))).id);
      },
    ],
    week: [
      1,
      (by, { weekday }) => {
        const sessions = timeSlots.slice(0, weekday % 3);
        return changeWeek(by, 'desk', { weekdays: [weekday], sessions });
      },
    ],
    studio: [1, (by, { weekday }) => changeStudio(by, 'desk', { name: `Heron ${weekday}` })],
    time: [
      5,
      async (_, { forwardMs }) => {
        await shiftDatabaseClock(us.database, shiftMs + forwardMs);
        shiftMs += forwardMs;
      },
    ],
    cut: [
      1,
      async (_, { isWhole: isAwaited }) => {
        const watch = await watchListener(us);
        await cutListeners(us);
        if (isAwaited) await watch.restored;
      },
    ],
  };
  const steps = { ...byEither, ...byThem };
  const kind = fc.oneof(
    ...Object.entries(steps).map(([name, [weight]]) => ({ weight, arbitrary: fc.constant(name) })),
  );
  const step = fc.record({ ...details, kind });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (history) => {
      shiftMs = 0;
      holds = [];
      closures = [];
      await startOver(us, them);
      for (const event of history) {
        const isOurs = event.isOurs && event.kind in byEither;
        await steps[event.kind]![1](isOurs ? us : them, event);
        stepsSeen += 1;
        if (isOurs) await showsAtOnce(us);
        await showsSoon(us);
      }
    }),
    { seed, numRuns: runs },
  );
  t.ok(stepsSeen > runs, `${stepsSeen} steps`);
});

/** Fails unless a change by this process is on its board at once. */
async function showsAtOnce(context: Context): Promise<void> {
  const shown = await context.board.read();
  const queried = await queriedState(context);
  const now = context.clock.now();
  // Our clock and the database's may differ by a moment, in which a hold lapses.
  const isLapsing = [...shown.taken.values()]
    .flat()
    .some(({ lapsesAt }) => lapsesAt !== null && Math.abs(lapsesAt - now) < 10);
  if (isLapsing || now >= shown.validUntil) return;
  assertSame(pictureOf(shown, now), pictureOf(queried, now), 'our own change');
}

/** Fails unless the board equals the database once it is notified. */
async function showsSoon(context: Context): Promise<void> {
  const giveUpAt = performance.now() + heardWithinMs;
  for (;;) {
    const queried = await queriedState(context);
    const shown = await context.board.read();
    const now = context.clock.now();
    const [picture, wanted] = [pictureOf(shown, now), pictureOf(queried, now)];
    if (picture === wanted) return;
    if (performance.now() > giveUpAt) assertSame(picture, wanted, `after ${heardWithinMs} ms`);
  }
}

function assertSame(shown: string, queried: string, when: string): void {
  if (shown !== queried) throw new Error(`${when}:\nshown   ${shown}\nqueried ${queried}`);
}

/** Null for a hold that was refused. */
function refused(error: unknown): null {
  if (error instanceof ServiceError) return null;
  throw error;
}
