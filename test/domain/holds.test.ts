import { sql } from 'kysely';
import t, { type Test } from 'tap';
import type { Caller } from '../../src/access/caller.js';
import type { Context } from '../../src/context.js';
import { placeHold, type PlacedHold } from '../../src/domain/booking/holds.js';
import { removeClosure } from '../../src/domain/studio/closures.js';
import { ServiceError } from '../../src/errors.js';
import {
  cancelBooking,
  confirmBooking,
  countOverdueHolds,
  expireDueHolds,
} from '../../src/repositories/booking-transitions.js';
import { listPendingHolds } from '../../src/repositories/bookings.js';
import { noProof } from '../../src/repositories/proof.js';
import { isSlotTaken, lockSlots } from '../../src/repositories/slot-taking.js';
import { bookingRow } from '../support/bookings.js';
import { confirmCheckout } from '../support/checkouts.js';
import { stopDatabaseClock } from '../support/clock.js';
import { untilLockWaits } from '../support/database.js';
import { close, hold } from '../support/holds.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const service = await startService(t);
const { context } = service;
const { database } = context;
const other = await startNeighbour(t, context);
t.beforeEach(() => startOver(context, other));

/** The outcome of a hold: `held`, or the code of the refusal. */
function outcome(hold: Promise<PlacedHold>): Promise<string> {
  return hold.then(
    () => 'held',
    (error: unknown) => {
      if (error instanceof ServiceError) return error.code;
      throw error;
    },
  );
}

/** How often each outcome occurs. */
function tally(outcomes: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of outcomes) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}

const numbers = (length: number) => Array.from({ length }, (_, index) => index);

/** Places holds of the next open slots, by turns in two processes with these limits. */
async function limitedTo(t: Test, limits: Partial<Context['config']>) {
  const limited = { ...context, config: { ...context.config, ...limits } };
  const processes = [await startNeighbour(t, limited), await startNeighbour(t, limited)];
  const slots = await someOpenSlots(context, 100);
  return (caller: Caller, person = {}) => {
    const slot = slots.pop()!;
    return outcome(
      placeHold(processes[slots.length % 2]!, caller, holdRequest(slot, person), null),
    );
  };
}

t.test('of parallel holds of one slot in four processes one is held', async (t) => {
  const more = [await startNeighbour(t, context), await startNeighbour(t, context)];
  const processes = [context, other, ...more];
  const [slot] = await someOpenSlots(context, 1);
  const holds = numbers(100).map((index) =>
    outcome(placeHold(processes[index % 4]!, callerNumber(index), holdRequest(slot), null)),
  );
  t.strictSame(tally(await Promise.all(holds)), { held: 1, slot_unavailable: 99 });
});

t.test('a closure closes its own dates, and no slot before or after them', async (t) => {
  const slots = await someOpenSlots(context, 30);
  const [before, closed, after] = [0, 12, 29].map((index) => slots[index]!);
  await close(context, closed!.date);
  for (const slot of [before!, after!]) {
    t.equal(await outcome(placeHold(context, callerNumber(1), holdRequest(slot), null)), 'held');
  }
  const ids = (await listPendingHolds(database, 10)).map(({ id }) => id);
  t.equal(ids.length, 2, 'their alarms are set again at a start');
});

t.test('a hold that loses its slot for a moment gets slot_unavailable', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  // Closed for the statement and open again when the board is read, which knew of neither.
  const state = await context.board.read();
  const { id } = await close(context, slot.date, slot.timeSlot);
  const board = {
    ...context.board,
    read: () => state,
    refresh: async () => void (await removeClosure(context, 'test', id)),
  };
  const held = placeHold({ ...context, board }, callerNumber(1), holdRequest(slot), null);
  t.equal(await outcome(held), 'slot_unavailable');
});

t.test(
  'a twin that another process holds between lookup and board is replayed, not refused',
  async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const request = holdRequest(slot);
    let first: PlacedHold | undefined;
    // A hold is charged after the lookup of its key, and before the board is read.
    const chargeTo = async (): Promise<void> => {
      first ??= await placeHold(other, callerNumber(1), request, 'twin');
      await context.board.refresh();
    };
    const caller = callerNumber(2);
    const meter = { ...caller.meter, chargeTo };
    const twin = await placeHold(context, { ...caller, meter }, request, 'twin');
    t.equal(twin.replayed, true);
    t.equal(twin.booking.id, first?.booking.id);
  },
);

t.test('the pending cap of the studio is not passed by parallel holds', async (t) => {
  const place = await limitedTo(t, { maxPendingHolds: 10 });
  const outcomes = await Promise.all(numbers(40).map((index) => place(callerNumber(index))));
  t.strictSame(tally(outcomes), { held: 10, too_many_pending_holds: 30 });
});

t.test('the last third of the places is not passed by parallel holds of a network', async (t) => {
  const place = await limitedTo(t, { maxPendingHolds: 12 });
  for (const caller of [1, 2, 3]) await place(callerNumber(caller));
  const known = numbers(40).map((index) => place(callerNumber(1 + (index % 3))));
  t.equal(tally(await Promise.all(known))['held'], 5);
  const newcomers = numbers(40).map((index) => place(callerNumber(10 + (index % 10))));
  const outcomes = await Promise.all(newcomers);
  const held = numbers(40).filter((index) => outcomes[index] === 'held');
  t.equal(held.length, 4);
  t.equal(new Set(held.map((index) => index % 10)).size, 4, 'one each');
});

t.test('the caps of live bookings are not passed by parallel holds in two processes', async (t) => {
  service.expectLog(/live bookings as one may place/);
  const place = await limitedTo(t, { maxLiveBookingsPerPerson: 3, maxLiveBookingsPerCaller: 12 });
  const onePerson = numbers(40).map((index) => place(callerNumber(index), personNumber(1)));
  t.strictSame(tally(await Promise.all(onePerson)), { held: 3, rate_limited: 37 });
  const oneCaller = numbers(40).map((index) =>
    place(callerNumber(1_000), personNumber(100 + index)),
  );
  t.strictSame(tally(await Promise.all(oneCaller)), { held: 12, rate_limited: 28 });
});

t.test('the cap of one caller counts by address and by API key', async (t) => {
  const place = await limitedTo(t, { maxPendingHoldsPerCaller: 3 });
  const by = (apiKeyId: string | null, address: string) =>
    place({ ...callerNumber(0), apiKeyId, address, network: address });
  const keys = numbers(5).map((index) => `0000000${index}-0000-4000-8000-000000000000`);
  const sameAddress = await Promise.all(keys.map((key) => by(key, '192.0.2.1')));
  t.equal(tally(sameAddress)['held'], 3, 'other keys from one address do not help');
  const sameKey = await Promise.all(keys.map((_, index) => by(keys[4]!, `192.0.2.${10 + index}`)));
  t.equal(tally(sameKey)['held'], 3 - Number(sameAddress[4] === 'held'));
  t.equal(await by(null, '192.0.2.99'), 'held', 'a stranger still gets a hold');
});

t.test(
  'a hold can be confirmed or given up until it lapses, a session until it begins',
  async (t) => {
    const [slot, another] = await someOpenSlots(context, 2);
    const other = await hold(context, another.date, another.timeSlot);
    await confirmBooking(database, other.booking.id, noProof);
    const { booking } = await hold(context, slot.date, slot.timeSlot);
    const { id } = booking;
    const lapsesAt = booking.expires_at.getTime();
    const beginsAt = booking.starts_at.getTime();
    const cancel = (from: 'pending' | 'confirmed', by: 'person' | 'studio') =>
      cancelBooking(database, id, from, by);
    await stopDatabaseClock(database, lapsesAt);
    t.equal(await confirmBooking(database, id, noProof), null);
    t.equal(await cancel('pending', 'person'), null);
    await stopDatabaseClock(database, lapsesAt - 1);
    t.equal(await confirmBooking(database, id, noProof, 1), null, 'it is not as it was seen');
    t.match(await confirmBooking(database, id, noProof, 0), { status: 'confirmed', sequence: 1 });
    t.equal(await cancel('pending', 'studio'), null, 'it is pending no more');
    await stopDatabaseClock(database, beginsAt);
    t.equal(await cancel('confirmed', 'person'), null);
    t.match(await cancel('confirmed', 'studio'), { status: 'cancelled' });

    const lastMoment = other.booking.starts_at.getTime() - 1;
    await stopDatabaseClock(database, lastMoment);
    const cancelled = await cancelBooking(database, other.booking.id, 'confirmed', 'person');
    t.match(cancelled, { status: 'cancelled', cancelled_at: new Date(lastMoment) });
  },
);

t.test(
  'a hold expires from the instant at which it lapses, and is overdue a minute later',
  async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const { booking } = await hold(context, slot.date, slot.timeSlot);
    const at = (laterMs: number) =>
      stopDatabaseClock(database, booking.expires_at.getTime() + laterMs);
    await at(-1);
    t.strictSame(await expireDueHolds(database), []);
    await at(60_000);
    t.equal(await countOverdueHolds(database), 0);
    await at(60_001);
    t.equal(await countOverdueHolds(database), 1);
    t.strictSame(await expireDueHolds(database), [60.001], 'the seconds that it is late');
    const expired = { status: 'expired', expired_at: booking.expires_at, sequence: 1 } as const;
    t.match(await bookingRow(context, booking.id), expired);
    t.equal(await countOverdueHolds(database), 0);

    await startOver(context);
    const lapsing = await hold(context, slot.date, slot.timeSlot);
    await stopDatabaseClock(database, lapsing.booking.expires_at.getTime());
    t.strictSame(await expireDueHolds(database), [0]);
  },
);

t.test('the database rejects a second live booking of a slot', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await placeHold(context, callerNumber(1), holdRequest(slot), null);
  await t.rejects(
    sql`
      insert into bookings (status, date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text,
        timezone, label,
        created_at, expires_at, confirmed_at, checkout_token_hash, checkout_token_sealed)
      select 'confirmed', date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text,
        timezone, label,
        created_at, expires_at, created_at, '\\x00', checkout_token_sealed
      from bookings where id = ${booking.id}`.execute(database),
    { code: '23505', constraint: 'bookings_one_live_per_slot' },
  );
  const constraint = 'bookings_one_live_per_slot';
  t.ok(isSlotTaken({ code: '23505', constraint }));
  t.notOk(isSlotTaken({ code: '23505', constraint: 'another' }));
});

t.test('a confirmation that is blocked until its hold has lapsed confirms nothing', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const placed = await placeHold(context, callerNumber(1), holdRequest(slot), null);
  const { id } = placed.booking;
  let confirming: Promise<unknown> | undefined;
  await database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    confirming = confirmCheckout(context, placed.checkoutToken);
    await untilLockWaits(database, 1, confirming);
    await sql`
      update bookings set created_at = created_at - interval '15 minutes',
        expires_at = booking_now()
      where id = ${id}`.execute(database);
  });
  await confirming;
  t.equal((await bookingRow(context, id)).status, 'pending');
});
