import fc from 'fast-check';
import { sql } from 'kysely';
import t from 'tap';
import { createClock } from '../../src/platform/clock.js';
import type { Context } from '../../src/context.js';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { addClosure, removeClosure } from '../../src/domain/closures.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { addDays } from '../../src/calendar/dates.js';
import { expireHolds } from '../../src/domain/expiry.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { moveByStudio } from '../../src/domain/studio-bookings.js';
import { fetchWatchedCalendar, listWatchedCalendars } from '../../src/domain/watched-calendars.js';
import { changeWeek } from '../../src/domain/week.js';
import { timeSlots, todayInZone } from '../../src/calendar/slots.js';
import { ServiceError } from '../../src/errors.js';
import { seed } from '../support/arbitraries.js';
import { cutListeners, hold, pictureOf, queriedState, watchListener } from '../support/board.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startNeighbour, startTestService } from '../support/service.js';
import { anyHost, busyAt, busyDuring, prepareReader, watch } from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';
const runs = 40;
/** Less than the interval at which a board reloads without a notification. */
const heardWithinMs = 5_000;
const minuteMs = 60_000;

const slot = fc.record({
  daysAhead: fc.integer({ min: 0, max: 4 }),
  timeSlot: fc.constantFrom(...timeSlots),
});
const who = fc.constantFrom('us', 'them');
const which = fc.nat({ max: 5 });

/** What may happen. Only what we do ourselves must be on our board at once. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('hold'), who, slot }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('confirm'), who, which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release'), who, which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('give up'), who, which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move'), who, which, slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('studio cancels'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('studio moves'), which, slot }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('expire'), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close'), slot, wholeDay: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('calendar'),
      busy: fc.array(slot, { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('week'), weekday: fc.integer({ min: 1, max: 7 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('time'),
      // Seconds, about a hold's lifetime, hours, and days.
      forwardMs: fc.oneof(
        fc.integer({ min: 1, max: 2 * minuteMs }),
        fc.integer({ min: 14 * minuteMs, max: 16 * minuteMs }),
        fc.integer({ min: 0, max: 600 * minuteMs }),
        fc.constant(1_440 * minuteMs),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut'), isAwaited: fc.boolean() }) },
) as fc.Arbitrary<Step>;

type Slot = { daysAhead: number; timeSlot: (typeof timeSlots)[number] };
type Who = 'us' | 'them';
type Step =
  | { kind: 'hold'; who: Who; slot: Slot }
  | { kind: 'confirm' | 'release' | 'give up'; who: Who; which: number }
  | { kind: 'move'; who: Who; which: number; slot: Slot }
  | { kind: 'studio moves'; which: number; slot: Slot }
  | { kind: 'studio cancels' | 'reopen'; which: number }
  | { kind: 'expire'; who: Who }
  | { kind: 'calendar'; busy: Slot[] }
  | { kind: 'close'; slot: Slot; wholeDay: boolean }
  | { kind: 'week'; weekday: number }
  | { kind: 'time'; forwardMs: number }
  | { kind: 'cut'; isAwaited: boolean };

void t.test('after every step of a random history the board equals the database', async (t) => {
  t.comment(`seed ${seed}`);
  let shiftMs = 0;
  const clock = () => createClock(() => Date.now() + shiftMs);
  const { context, expectLog } = await startTestService(t, {
    ...generous,
    ...anyHost,
    BOOKING_HORIZON_DAYS: '10',
  });
  expectLog(lostDatabase);
  const us = await startNeighbour(t, context, { clock: clock() });
  const reader = prepareReader();
  const them = await startNeighbour(t, context, { clock: clock(), calendarReader: reader });
  let stepsSeen = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (history) => {
      await startOver();
      const holds: { id: string; token: string }[] = [];
      const closures: string[] = [];
      for (const event of history) {
        await happen(event, holds, closures);
        stepsSeen += 1;
        if ('who' in event && event.who === 'us') await showsAtOnce(us);
        await showsSoon(us);
      }
    }),
    { seed, numRuns: runs },
  );
  t.ok(stepsSeen > runs, `${stepsSeen} steps`);

  async function happen(
    event: Step,
    holds: { id: string; token: string }[],
    closures: string[],
  ): Promise<void> {
    const actor = 'who' in event && event.who === 'us' ? us : them;
    const known = 'which' in event ? holds[event.which % holds.length] : undefined;
    switch (event.kind) {
      case 'hold': {
        const { date, timeSlot } = slotOf(event.slot);
        const held = await hold(actor, date, timeSlot).catch(refused);
        if (held !== null) holds.unshift({ id: held.booking.id, token: held.token });
        return;
      }
      case 'confirm':
        if (known !== undefined) await confirmCheckout(actor, known.token);
        return;
      case 'release':
        if (known !== undefined) await releaseCheckout(actor, known.token, 'pending');
        return;
      case 'give up':
        if (known !== undefined) await releaseCheckout(actor, known.token, 'confirmed');
        return;
      case 'move':
        if (known !== undefined) {
          const { sequence } = await rowOf(known.id);
          await moveCheckout(actor, known.token, slotOf(event.slot), sequence);
        }
        return;
      case 'studio moves':
        if (known !== undefined) await moveByStudio(them, 'desk', known.id, slotOf(event.slot));
        return;
      case 'studio cancels':
        if (known !== undefined) await cancelByStudio(them, 'desk', known.id);
        return;
      case 'expire':
        await expireHolds(actor);
        return;
      case 'close': {
        const { date, timeSlot } = slotOf(event.slot);
        const closure = {
          fromDate: date,
          toDate: date,
          timeSlot: event.wholeDay ? null : timeSlot,
          reason: '',
        };
        const added = await addClosure(them, 'desk', closure, { cancelBookings: event.wholeDay });
        if ('closure' in added) closures.push(added.closure.id);
        return;
      }
      case 'reopen': {
        const id = closures[event.which % closures.length];
        if (id !== undefined) await removeClosure(them, 'desk', id);
        return;
      }
      case 'calendar': {
        const slots = [...new Map(event.busy.map((each) => [JSON.stringify(each), slotOf(each)]))];
        const intervals = slots.map(([, each]) => busyDuring(timezone, each));
        reader.find(busyAt(intervals.sort((one, other) => one.startsAt - other.startsAt)));
        // Found by the first fetch, too: a step that closed slots and opened them again would end with
        // a board that equals the database before it has followed.
        const [first] = await listWatchedCalendars(them);
        const calendar = first ?? (await watch(them));
        await fetchWatchedCalendar(them, calendar.id);
        return;
      }
      case 'week':
        await changeWeek(them, 'desk', {
          weekdays: [event.weekday],
          sessions: timeSlots.slice(0, event.weekday % 3),
        });
        return;
      case 'time':
        await moveTime(shiftMs + event.forwardMs);
        return;
      case 'cut': {
        const watch = await watchListener(us);
        await cutListeners(us);
        if (event.isAwaited) await watch.restored;
      }
    }
  }

  async function rowOf(id: string): Promise<{ sequence: number }> {
    return us.database
      .selectFrom('bookings')
      .select('sequence')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  }

  function slotOf({ daysAhead, timeSlot }: Slot) {
    return {
      date: addDays(todayInZone(timezone, us.clock.now()), daysAhead),
      timeSlot,
    };
  }

  async function moveTime(milliseconds: number): Promise<void> {
    await shiftDatabaseClock(us.database, milliseconds);
    shiftMs = milliseconds;
  }

  async function startOver(): Promise<void> {
    await moveTime(0);
    await us.database.transaction().execute(async (transaction) => {
      await sql`delete from events`.execute(transaction);
      await sql`delete from bookings`.execute(transaction);
      await sql`delete from closures`.execute(transaction);
      await sql`delete from watched_calendars`.execute(transaction);
    });
    await Promise.all([us.board.refresh(), them.board.refresh()]);
  }
});

/** Fails unless a change by this process is on its board at once. */
async function showsAtOnce(context: Context): Promise<void> {
  const shown = await context.board.read();
  const queried = await queriedState(context);
  const now = context.clock.now();
  // Our clock and the database's may differ by a moment, in which a hold lapses.
  const isLapsing = [...shown.taken.values()].some(
    ({ lapsesAt }) => lapsesAt !== null && Math.abs(lapsesAt - now) < 10,
  );
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
