import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { sql } from 'kysely';
import t from 'tap';
import { bookedSlot } from '../../src/domain/booking/booked-slot.js';
import { addClosure, readClosures } from '../../src/domain/studio/closures.js';
import { addOpening, removeOpening } from '../../src/domain/studio/openings.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { ServiceError } from '../../src/errors.js';
import { bookedArtists, isClosed } from '../../src/repositories/slot-taking.js';
import { hoursInterval } from '../../src/schedule/busy-times.js';
import { scheduleState } from '../../src/schedule/calendar.js';
import { addDays } from '../../src/schedule/dates.js';
import { type Slot, slotKey, timeSlots, todayInZone } from '../../src/schedule/slots.js';
import { seed } from '../support/arbitraries.js';
import { bookingRow } from '../support/bookings.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { hold } from '../support/holds.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@front-desk';
const sequences = Number(process.env['ZONE_SEQUENCES'] ?? 25);
const zones = [
  'America/Los_Angeles',
  'America/Chicago',
  'America/St_Johns',
  'Asia/Tokyo',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const days = 4;
/** The session that the week does not have. */
const onlyOpened = '5:00 PM';

const { context } = await startService(t);
const { board, clock, database } = context;

const day = fc.integer({ min: 2, max: 1 + days });
const slot = fc.record({
  day,
  timeSlot: fc.constantFrom(...timeSlots),
});
const which = fc.nat({ max: 30 });
const refreshes = fc.boolean();
/** Without `refreshes`, the next steps may come before the board has seen the change. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('zone' as const),
    timezone: fc.constantFrom(...zones),
    refreshes,
  }),
  fc.record({ kind: fc.constant('hold' as const), slot }),
  fc.record({ kind: fc.constant('hold' as const), slot }),
  fc.record({ kind: fc.constant('move' as const), slot, which }),
  fc.record({ kind: fc.constantFrom('confirm' as const, 'release' as const), which }),
  fc.record({ kind: fc.constant('close' as const), slot }),
  fc.record({ kind: fc.constant('block' as const), slot, from: fc.integer({ min: 6, max: 20 }) }),
  fc.record({ kind: fc.constant('open' as const), day, refreshes }),
  fc.record({ kind: fc.constant('open' as const), day, refreshes }),
  fc.record({ kind: fc.constant('shut' as const), day, refreshes }),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

async function take(each: Step, held: { id: string; token: string }[]): Promise<void> {
  const slotOf = async ({ day, timeSlot }: { day: number; timeSlot: Slot['timeSlot'] }) => {
    const { calendar } = await board.read();
    return { date: addDays(todayInZone(calendar.timezone, clock.now()), day), timeSlot };
  };
  const chosen = 'which' in each ? held[each.which % Math.max(held.length, 1)] : undefined;
  switch (each.kind) {
    case 'zone':
      await changeStudio(context, actor, { timezone: each.timezone });
      if (each.refreshes) await board.refresh();
      return;
    case 'hold': {
      const { date, timeSlot } = await slotOf(each.slot);
      const { booking, token } = await hold(context, date, timeSlot);
      held.push({ id: booking.id, token });
      return;
    }
    case 'move': {
      if (chosen === undefined) return;
      const { sequence } = await bookingRow(context, chosen.id);
      await moveCheckout(context, chosen.token, await slotOf(each.slot), sequence);
      return;
    }
    case 'confirm':
      if (chosen !== undefined) await confirmCheckout(context, chosen.token);
      return;
    case 'release':
      if (chosen !== undefined) await releaseCheckout(context, chosen.token, 'pending');
      return;
    case 'close': {
      const { date, timeSlot } = await slotOf(each.slot);
      const closure = { fromDate: date, toDate: date, timeSlot, reason: '' };
      await addClosure(context, actor, closure);
      return;
    }
    case 'block': {
      const { date } = await slotOf(each.slot);
      const hour = (number: number) => String(number).padStart(2, '0');
      const hours = { from: `${hour(each.from)}:30`, to: `${hour(each.from + 3)}:15` };
      const closure = { fromDate: date, toDate: date, timeSlot: null, hours, reason: '' };
      await addClosure(context, actor, closure);
      return;
    }
    case 'open':
    case 'shut': {
      const { date, timeSlot } = await slotOf({ day: each.day, timeSlot: onlyOpened });
      const change = each.kind === 'open' ? addOpening : removeOpening;
      await change(context, actor, { date, sessions: [timeSlot] });
      if (each.refreshes) await board.refresh();
    }
  }
}

/** Pairs of live sessions that overlap. */
async function overlaps(): Promise<unknown[]> {
  const { rows } = await sql`
    select one.label, other.label as other from bookings one join bookings other on one.id < other.id
    where one.status in ('pending', 'confirmed') and other.status in ('pending', 'confirmed')
      and one.starts_at < other.ends_at and other.starts_at < one.ends_at`.execute(database);
  return rows;
}

t.test(
  'in no sequence of time zones, holds, moves, closures and openings do two sessions overlap, and the board knows which slots they close',
  async (t) => {
    const everyDay = [1, 2, 3, 4, 5, 6, 7];
    const hours = { opens: '09:00', closes: '17:00' };
    const sessions = timeSlots.filter((each) => each !== onlyOpened);
    await changeWeek(context, actor, { weekdays: everyDay, hours, sessions });
    const seen = { overlapped: 0, free: 0, opened: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        await startOver(context);
        const held: { id: string; token: string }[] = [];
        for (const each of steps) {
          await take(each, held).catch((error: unknown) => {
            if (!(error instanceof ServiceError && error.code === 'slot_unavailable')) throw error;
          });
          assert.deepEqual(await overlaps(), [], JSON.stringify(steps));
        }
        const inOpened = database
          .selectFrom('bookings')
          .select('label')
          .where('time_slot', '=', onlyOpened);
        seen.opened += (await inOpened.execute()).length;
        await board.refresh();
        const state = await board.read();
        for (const block of await readClosures(context, { past: true })) {
          const { from_date, from_time: from, to_time: to } = block;
          if (from === null || to === null) continue;
          const wanted = hoursInterval(state.calendar.timezone, from_date, { from, to });
          assert.equal(block.starts_at?.getTime(), wanted.startsAt, JSON.stringify(steps));
        }
        const ownKeys = new Set([...state.bookings.values()].map((each) => each.slotKey));
        const from = todayInZone(state.calendar.timezone, clock.now());
        const slots = Array.from({ length: days }, (_, day) => addDays(from, day + 2))
          .flatMap((date) => timeSlots.map((timeSlot) => ({ date, timeSlot })))
          .filter((each) => !ownKeys.has(slotKey(each)));
        const conditions = slots.map((each) => {
          const booked = bookedArtists(bookedSlot(state, each), null);
          return sql`exists (select from (${booked}) as booked where is_around)`;
        });
        const closings = slots.map(
          (each) => sql`(select bool_and(${isClosed(bookedSlot(state, each))}) from artists)`,
        );
        const { rows } = await sql<{ overlapped: boolean[]; closed: boolean[] }>`
          with moment as (select booking_now() as now)
          select array[${sql.join(conditions)}]::boolean[] as overlapped,
            array[${sql.join(closings)}]::boolean[] as closed`.execute(database);
        for (const [index, closed] of rows[0]!.closed.entries()) {
          const isOpen = scheduleState(state.calendar, slots[index]!) === 'open';
          assert.equal(closed, !isOpen, `${slotKey(slots[index]!)}: ${JSON.stringify(steps)}`);
        }
        for (const [index, overlapped] of rows[0]!.overlapped.entries()) {
          const key = slotKey(slots[index]!);
          assert.equal(overlapped, state.taken.has(key), `${key}: ${JSON.stringify(steps)}`);
          seen[overlapped ? 'overlapped' : 'free'] += 1;
        }
      }),
      { seed, numRuns: sequences, endOnFailure: true },
    );
    const { overlapped, free, opened } = seen;
    const isEnough = free >= sequences && overlapped >= sequences / 2 && opened >= sequences / 5;
    t.ok(isEnough, JSON.stringify(seen));
  },
);
