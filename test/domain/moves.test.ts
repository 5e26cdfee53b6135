import { sql } from 'kysely';
import t, { type Test } from 'tap';
import type { BookingRow } from '../../src/database/rows/schema.js';
import { bookedSlot } from '../../src/domain/booking/booked-slot.js';
import {
  moveLimits,
  movePermission,
  movePermissionAfter,
} from '../../src/domain/booking/move-rules.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { moveForPerson } from '../../src/repositories/booking-moves.js';
import { insertConfirmed } from '../../src/repositories/bookings.js';
import { noProof } from '../../src/repositories/proof.js';
import { type Slot, slotKey, slotOf, timeSlots } from '../../src/schedule/slots.js';
import { bookingRow, timesIn } from '../support/bookings.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { stopDatabaseClock } from '../support/clock.js';
import { close, hold } from '../support/holds.js';
import { someOpenSlots, type Slots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const { context } = await startService(t);
const { database, connect } = context;
const limits = moveLimits(context.config);
// The clocks of many zones change on a Sunday.
const hours = { opens: '09:00', closes: '20:00' };
const everyDay = { weekdays: [1, 2, 3, 4, 5, 6, 7], hours, sessions: timeSlots };
await changeWeek(context, 'test', everyDay);
let slots: Slots<12>;
t.beforeEach(async () => {
  await startOver(context);
  slots = await someOpenSlots(context, 12);
});

/** A hold, and how its person moves it as they see it now. */
async function book(slot: Slot) {
  const { booking, token } = await hold(context, slot.date, slot.timeSlot);
  const row = () => bookingRow(context, booking.id);
  const move = async (to: Slot) => moveCheckout(context, token, to, (await row()).sequence);
  return { id: booking.id, token, row, move };
}

/** Moves past the board, which refuses most moves before they reach the database. */
async function moveInDatabase(
  { sequence, timezone, id }: BookingRow,
  to: Slot,
  under = limits,
): Promise<boolean> {
  const move = { id, sequence, to: bookedSlot(timesIn(timezone), to), proof: noProof };
  return (await moveForPerson(database, connect, move, under)) !== null;
}

async function eventsOf(id: string) {
  const events = database.selectFrom('events').select(['type', 'data']);
  return events.where('booking_id', '=', id).orderBy('position').execute();
}

t.test(
  'a move keeps id, link and end of the hold, counts the sequence and records both slots in one event',
  async (t) => {
    const [from, to] = slots;
    const booked = await book(from);
    const before = await booked.row();
    await booked.move(to);
    const after = await booked.row();
    t.strictSame(slotOf(after), to);
    const { status, expires_at, checkout_token_hash } = before;
    t.match(after, { status, expires_at, checkout_token_hash, sequence: before.sequence + 1 });
    t.equal(after.starts_at.getTime(), Date.parse(after.starts_at_text));
    t.equal(after.ends_at?.getTime(), Date.parse(after.ends_at_text!));
    t.not(after.ends_at_text, before.ends_at_text);
    const events = await eventsOf(booked.id);
    t.equal(events.length, 2);
    const data = {
      id: booked.id,
      date: to.date,
      ends_at_text: after.ends_at_text,
      from: { date: from.date, time_slot: from.timeSlot },
      to: { date: to.date, time_slot: to.timeSlot, starts_at: after.starts_at_text },
    };
    t.match(events[1], { type: 'booking.moved', data });
    const { taken } = await context.board.read();
    t.notOk(taken.has(slotKey(from)), 'the board frees the former slot');
    t.ok(taken.has(slotKey(to)), 'and fills the new one');
  },
);

t.test('a move to a slot that is taken or closed is refused, and keeps the old slot', async (t) => {
  const [own, taken, closed] = slots;
  const booked = await book(own);
  const before = await context.board.read();
  const other = await book(taken);
  // Taken a moment ago: the board does not know it yet.
  const board = { ...context.board, read: async () => before, refresh: async () => undefined };
  const late = await moveCheckout({ ...context, board }, booked.token, taken, 0);
  t.match(late, { outcome: 'slot_unavailable', slotState: 'taken' });
  t.match(await booked.move(taken), { outcome: 'slot_unavailable' });
  await close(context, closed.date, closed.timeSlot);
  for (const to of [taken, closed]) t.notOk(await moveInDatabase(await booked.row(), to));
  t.match(await booked.move(closed), { outcome: 'slot_unavailable' });
  t.strictSame(slotOf(await booked.row()), own);
  t.strictSame(slotOf(await other.row()), taken);
  t.equal((await eventsOf(booked.id)).length, 1);
});

t.test(
  'a move to the slot of a lapsed hold expires that hold in the same transaction',
  async (t) => {
    const [booked, lapsed] = [await book(slots[0]), await book(slots[1])];
    await sql`
      update bookings set created_at = created_at - interval '1 hour',
        expires_at = expires_at - interval '1 hour'
      where id = ${lapsed.id}`.execute(database);
    await context.board.refresh();
    await booked.move(slots[1]);
    t.equal((await lapsed.row()).status, 'expired');
    t.strictSame(slotOf(await booked.row()), slots[1]);
    const { rows } = await sql<{ type: string; transaction: string }>`
      select type, xmin::text as transaction from events
      where type in ('hold.expired', 'booking.moved') order by type`.execute(database);
    t.match(rows, [{ type: 'booking.moved' }, { type: 'hold.expired' }]);
    t.equal(rows[0]?.transaction, rows[1]?.transaction);
  },
);

t.test('a move sent twice, or for a booking that has changed, moves nothing', async (t) => {
  const booked = await book(slots[0]);
  const { sequence } = await booked.row();
  await Promise.all([1, 2, 3].map(() => moveCheckout(context, booked.token, slots[1], sequence)));
  t.equal((await booked.row()).moves_while_pending, 1);
  await moveCheckout(context, booked.token, slots[2], sequence);
  t.strictSame(slotOf(await booked.row()), slots[1]);
  await releaseCheckout(context, booked.token, 'pending');
  await booked.move(slots[2]);
  t.equal((await booked.row()).status, 'cancelled');
  t.strictSame(slotOf(await booked.row()), slots[1]);
});

t.test('of a move sent twice, the second is not refused for the slot of the first', async (t) => {
  const booked = await book(slots[0]);
  const board = {
    ...context.board,
    // The first is committed between the second's reads of the row and of the board.
    async read() {
      await booked.move(slots[1]);
      return context.board.read();
    },
  };
  const second = await moveCheckout({ ...context, board }, booked.token, slots[1], 0);
  t.match(second, { outcome: 'done' });
  t.match(await booked.row(), { sequence: 1, moves_while_pending: 1 });
});

t.test(
  'a board that has not heard of a move does not keep the next one from being made',
  async (t) => {
    const booked = await book(slots[0]);
    let state = await context.board.read();
    await booked.move(slots[1]);
    const board = {
      ...context.board,
      read: () => state,
      refresh: async () => void (state = await context.board.read()),
    };
    const back = await moveCheckout({ ...context, board }, booked.token, slots[0], 1);
    t.match(back, { outcome: 'done' });
    t.strictSame(slotOf(await booked.row()), slots[0]);
  },
);

t.test('a hold moves five times, a confirmed session MAX_MOVES times more', async (t) => {
  const booked = await book(slots[0]);
  for (const slot of slots.slice(1, 6)) await booked.move(slot);
  t.match(await booked.move(slots[6]), { outcome: 'move_refused' });
  await confirmCheckout(context, booked.token);
  for (const slot of slots.slice(6, 8)) await booked.move(slot);
  t.match(await booked.move(slots[8]), { outcome: 'move_refused' });
  t.match(await booked.row(), { moves_while_pending: 5, moves_once_confirmed: 2 });
});

const somewhereElse: Slot = { date: '2028-01-04', timeSlot: '1:00 PM' };
const instant = (text: string, laterMs = 0) => new Date(Date.parse(text) + laterMs).toISOString();

/** A confirmed session in a studio of that time zone. */
async function confirmedSession(timezone: string, slot: Slot): Promise<BookingRow> {
  const booking = await database.transaction().execute((transaction) =>
    insertConfirmed(transaction, {
      ...bookedSlot(timesIn(timezone), slot),
      ...{ name: 'Ada Park', email: null, phone: null, pronouns: null, idea: null },
      checkoutTokenHash: Buffer.alloc(1),
      checkoutTokenSealed: Buffer.alloc(1),
      lifetimeSeconds: 900,
    }),
  );
  if (booking === null) throw new Error('the slot is taken');
  return booking;
}

/**
 * What the rule in memory and the statement of the database say of a move at that instant: `moved`, or
 * why it is refused. They must agree.
 */
async function moveAt(t: Test, now: string, id: string, to: Slot, changes = {}): Promise<string> {
  const under = { ...limits, ...changes };
  await stopDatabaseClock(database, Date.parse(now));
  const booking = await bookingRow(context, id);
  const permission = movePermission(booking, under, Date.parse(now));
  t.equal(await moveInDatabase(booking, to, under), permission.allowed, `both agree at ${now}`);
  return permission.allowed ? 'moved' : permission.reason;
}

t.test(
  'a session moves until 24 elapsed hours before it, across hours that are skipped or repeated',
  async (t) => {
    for (const [timezone, date, timeSlot, until] of [
      ['America/Los_Angeles', '2027-03-14', '1:00 PM', '2027-03-13T12:00:00-08:00'],
      ['America/Los_Angeles', '2027-11-07', '9:00 AM', '2027-11-06T10:00:00-07:00'],
      ['Australia/Sydney', '2027-04-04', '9:00 AM', '2027-04-03T10:00:00+11:00'],
      ['Australia/Sydney', '2027-10-03', '5:00 PM', '2027-10-02T16:00:00+10:00'],
    ] as const) {
      await startOver(context);
      await stopDatabaseClock(database, Date.parse(until) - 86_400_000);
      const booking = await confirmedSession(timezone, { date, timeSlot });
      t.match(movePermission(booking, limits, Date.parse(until)), { until: Date.parse(until) });
      t.equal(await moveAt(t, instant(until, 1), booking.id, somewhereElse), 'notice');
      t.equal(await moveAt(t, instant(until), booking.id, somewhereElse), 'moved');
      // From now on, the notice is that of the new start.
      t.equal(await moveAt(t, instant(until, 1), booking.id, { date, timeSlot }), 'moved');
      t.equal((await bookingRow(context, booking.id)).moves_once_confirmed, 2);
    }
  },
);

t.test('without notice, a session moves until it starts, and not at its start', async (t) => {
  const startsAt = '2027-06-01T09:00:00-07:00';
  await stopDatabaseClock(database, Date.parse(startsAt) - 1);
  const slot: Slot = { date: '2027-06-01', timeSlot: '9:00 AM' };
  const { id } = await confirmedSession('America/Los_Angeles', slot);
  const without = { noticeHours: 0 };
  t.equal(await moveAt(t, instant(startsAt), id, somewhereElse, without), 'begun');
  t.equal(await moveAt(t, instant(startsAt, -1), id, somewhereElse, without), 'moved');
});

t.test('MAX_MOVES counts moves of the confirmed session: none with 0, one with 1', async (t) => {
  const now = '2027-06-02T09:00:00-07:00';
  const first: Slot = { date: '2027-07-01', timeSlot: '9:00 AM' };
  const next: Slot = { date: '2027-07-02', timeSlot: '9:00 AM' };
  await stopDatabaseClock(database, Date.parse(now));
  const { id } = await confirmedSession('America/Los_Angeles', first);
  const late = '2027-07-01T08:00:00-07:00';
  t.equal(await moveAt(t, now, id, next, { onceConfirmed: 0 }), 'number');
  t.equal(await moveAt(t, late, id, next, { onceConfirmed: 0 }), 'number', 'also in the notice');
  const seen = await bookingRow(context, id);
  const after = movePermissionAfter(seen, seen.starts_at, limits, Date.parse(now));
  t.match(after, { movesLeft: limits.onceConfirmed - 1 }, 'once more, after a move');
  t.equal(await moveAt(t, now, id, next, { onceConfirmed: 1 }), 'moved');
  t.equal(await moveAt(t, now, id, first, { onceConfirmed: 1 }), 'number');
});

t.test('a hold moves until the instant at which it lapses, whatever MAX_MOVES says', async (t) => {
  const { id, row } = await book(slots[0]);
  const lapsesAt = (await row()).expires_at.toISOString();
  const under = { onceConfirmed: 0 };
  const [held, until] = [await row(), Date.parse(lapsesAt)];
  const before = movePermission(held, { ...limits, ...under }, until - 1);
  t.match(before, { movesLeft: 5, until });
  t.match(movePermissionAfter(held, held.starts_at, limits, until - 1), { movesLeft: 4 });
  t.equal(await moveAt(t, instant(lapsesAt, -1), id, slots[1], under), 'moved');
  t.equal(await moveAt(t, lapsesAt, id, slots[2], under), 'not_live');
});
