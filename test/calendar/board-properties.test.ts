import fc from 'fast-check';
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
import { bookingRow } from '../support/bookings.js';
import { shiftDatabaseClock } from '../support/clock.js';
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
const who = fc.constantFrom('us', 'them');
const which = fc.nat({ max: 5 });

// Seconds, about a hold's lifetime, hours, and days.
const forwardMs = fc.oneof(
  fc.integer({ min: 1, max: 2 * minuteMs }),
  fc.integer({ min: 14 * minuteMs, max: 16 * minuteMs }),
  fc.integer({ min: 0, max: 600 * minuteMs }),
  fc.constant(1_440 * minuteMs),
);

/** What may happen, and how often. Only what we do ourselves must be on our board at once. */
const kinds: [weight: number, kind: Step['kind'], fields: Record<string, fc.Arbitrary<unknown>>][] =
  [
    [6, 'hold', { who, slot }],
    [4, 'confirm', { who, which }],
    [2, 'release', { who, which }],
    [2, 'give up', { who, which }],
    [4, 'move', { who, which, slot }],
    [1, 'studio cancels', { which }],
    [1, 'studio moves', { which, slot }],
    [2, 'expire', { who }],
    [2, 'close', { slot, wholeDay: fc.boolean() }],
    [1, 'reopen', { which }],
    [2, 'calendar', { busy: fc.array(slot, { maxLength: 3 }) }],
    [1, 'week', { weekday: fc.integer({ min: 1, max: 7 }) }],
    [5, 'time', { forwardMs }],
    [1, 'cut', { isAwaited: fc.boolean() }],
  ];
const step = fc.oneof(
  ...kinds.map(([weight, kind, fields]) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...fields }),
  })),
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
  const { context, expectLog } = await startService(t, {
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
      shiftMs = 0;
      await startOver(us, them);
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
    if (known === undefined && 'which' in event && event.kind !== 'reopen') return;
    const { id = '', token = '' } = known ?? {};
    switch (event.kind) {
      case 'hold': {
        const { date, timeSlot } = slotOf(event.slot);
        const held = await hold(actor, date, timeSlot).catch(refused);
        if (held !== null) holds.unshift({ id: held.booking.id, token: held.token });
        return;
      }
      case 'confirm':
        await confirmCheckout(actor, token);
        return;
      case 'release':
        await releaseCheckout(actor, token, 'pending');
        return;
      case 'give up':
        await releaseCheckout(actor, token, 'confirmed');
        return;
      case 'move':
        await moveCheckout(actor, token, slotOf(event.slot), (await bookingRow(us, id)).sequence);
        return;
      case 'studio moves':
        await moveByStudio(them, 'desk', id, slotOf(event.slot));
        return;
      case 'studio cancels':
        await cancelByStudio(them, 'desk', id);
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
        const closure = closures[event.which % closures.length];
        if (closure !== undefined) await removeClosure(them, 'desk', closure);
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
