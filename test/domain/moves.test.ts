import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { slotOf, type Slot } from '../../src/calendar/slots.js';
import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/schema.js';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { closableSlot } from '../../src/domain/booked-slot.js';
import { addClosure } from '../../src/domain/closures.js';
import { placeHold } from '../../src/domain/holds.js';
import { moveLimits } from '../../src/domain/move-rules.js';
import { moveCheckout, type PersonMove } from '../../src/domain/moves.js';
import { moveForPerson, type MovedBooking } from '../../src/repositories/booking-moves.js';
import { noProof } from '../../src/repositories/proof.js';
import { bookingRow } from '../support/bookings.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

interface Booked {
  id: string;
  token: string;
  slot: Slot;
  /** Moves it as its person sees it now. */
  move(to: Slot): Promise<PersonMove>;
  row(): Promise<BookingRow>;
}

async function book(context: Context, slot: Slot, { confirm = false } = {}): Promise<Booked> {
  const placed = await placeHold(context, callerNumber(1), holdRequest(slot), null);
  const token = placed.checkoutToken;
  if (confirm) await confirmCheckout(context, token);
  const { id } = placed.booking;
  const row = () => bookingRow(context, id);
  return {
    id,
    token,
    slot,
    row,
    async move(to) {
      return moveCheckout(context, token, to, (await row()).sequence);
    },
  };
}

async function slotsOf(t: Test, environment?: Record<string, string>) {
  const { context } = await startTestService(t, environment);
  return { context, slots: await someOpenSlots(context, 12) };
}

/** Moves past the board, which refuses most moves before they reach the database. */
async function moveInDatabase(
  { database, connect, config }: Context,
  { id, row }: Booked,
  to: Slot,
): Promise<MovedBooking | null> {
  const { sequence, timezone } = await row();
  const move = { id, sequence, to: closableSlot(timezone, [], to), proof: noProof };
  return moveForPerson(database, connect, move, moveLimits(config));
}

async function eventsOf({ database }: Context, id: string) {
  return database
    .selectFrom('events')
    .select(['type', 'data'])
    .where('booking_id', '=', id)
    .orderBy('position')
    .execute();
}

t.test(
  'a move keeps id, link and end of the hold, counts the sequence and records both slots in one event',
  async (t) => {
    const { context, slots } = await slotsOf(t);
    const booked = await book(context, slots[0]!);
    const before = await booked.row();
    await booked.move(slots[1]!);
    const after = await booked.row();
    t.strictSame(slotOf(after), slots[1]);
    t.equal(after.status, 'pending');
    t.strictSame(after.expires_at, before.expires_at);
    t.equal(after.sequence, before.sequence + 1);
    t.equal(after.starts_at.getTime(), Date.parse(after.starts_at_text));
    const [, moved, ...more] = await eventsOf(context, booked.id);
    t.strictSame(more, []);
    t.match(moved, {
      type: 'booking.moved',
      data: {
        id: booked.id,
        date: slots[1]!.date,
        from: { date: slots[0]!.date, time_slot: slots[0]!.timeSlot },
        to: {
          date: slots[1]!.date,
          time_slot: slots[1]!.timeSlot,
          starts_at: after.starts_at_text,
        },
      },
    });
    const { taken } = await context.board.read();
    t.notOk(
      taken.has(`${slots[0]!.date} ${slots[0]!.timeSlot}`),
      'the board frees the former slot',
    );
    t.ok(taken.has(`${slots[1]!.date} ${slots[1]!.timeSlot}`), 'and fills the new one');
  },
);

t.test('a move to a slot that is taken or closed is refused, and keeps the old slot', async (t) => {
  const { context, slots } = await slotsOf(t);
  const [booked, other] = [await book(context, slots[0]!), await book(context, slots[1]!)];
  t.match(await booked.move(slots[1]!), { outcome: 'slot_unavailable' });
  const { date, timeSlot } = slots[2]!;
  const closure = { fromDate: date, toDate: date, timeSlot, reason: '' };
  await addClosure(context, 'test', closure, { cancelBookings: false });
  for (const slot of slots.slice(1, 3)) t.equal(await moveInDatabase(context, booked, slot), null);
  t.match(await booked.move(slots[2]!), { outcome: 'slot_unavailable' });
  t.strictSame(slotOf(await booked.row()), slots[0]);
  t.strictSame(slotOf(await other.row()), slots[1]);
  t.equal((await eventsOf(context, booked.id)).length, 1);
});

t.test(
  'a move to the slot of a lapsed hold expires that hold in the same transaction',
  async (t) => {
    const { context, slots } = await slotsOf(t);
    const [booked, lapsed] = [await book(context, slots[0]!), await book(context, slots[1]!)];
    await sql`
    update bookings set created_at = created_at - interval '1 hour',
      expires_at = expires_at - interval '1 hour'
    where id = ${lapsed.id}`.execute(context.database);
    await context.board.refresh();
    await booked.move(slots[1]!);
    t.equal((await lapsed.row()).status, 'expired');
    t.strictSame(slotOf(await booked.row()), slots[1]);
    const { rows } = await sql<{ type: string; transaction: string }>`
      select type, xmin::text as transaction from events
      where type in ('hold.expired', 'booking.moved') order by type`.execute(context.database);
    t.strictSame(
      rows.map(({ type }) => type),
      ['booking.moved', 'hold.expired'],
    );
    t.equal(rows[0]!.transaction, rows[1]!.transaction);
  },
);

t.test('a move sent twice, or for a booking that has changed, moves nothing', async (t) => {
  const { context, slots } = await slotsOf(t);
  const booked = await book(context, slots[0]!);
  const { sequence } = await booked.row();
  await Promise.all([1, 2, 3].map(() => moveCheckout(context, booked.token, slots[1]!, sequence)));
  t.equal((await booked.row()).moves_while_pending, 1);
  await moveCheckout(context, booked.token, slots[2]!, sequence);
  t.strictSame(slotOf(await booked.row()), slots[1]);
  await releaseCheckout(context, booked.token, 'pending');
  await booked.move(slots[2]!);
  t.equal((await booked.row()).status, 'cancelled');
  t.strictSame(slotOf(await booked.row()), slots[1]);
});

t.test('of a move sent twice, the second is not refused for the slot of the first', async (t) => {
  const { context, slots } = await slotsOf(t);
  const booked = await book(context, slots[0]!);
  const board = {
    ...context.board,
    // The first is committed between the second's reads of the row and of the board.
    async read() {
      await booked.move(slots[1]!);
      return context.board.read();
    },
  };
  await moveCheckout({ ...context, board }, booked.token, slots[1]!, 0);
  t.match(await booked.row(), { sequence: 1, moves_while_pending: 1 });
});

t.test('two bookings that want to swap slots both keep their own, each time', async (t) => {
  const { context, slots } = await slotsOf(t);
  const [one, other] = [await book(context, slots[0]!), await book(context, slots[1]!)];
  for (let round = 0; round < 20; round += 1) {
    const moved = await Promise.all([
      moveInDatabase(context, one, slots[1]!),
      moveInDatabase(context, other, slots[0]!),
    ]);
    t.strictSame(moved, [null, null]);
  }
  t.strictSame([slotOf(await one.row()), slotOf(await other.row())], [slots[0], slots[1]]);
});

t.test('a hold moves five times, a confirmed session MAX_MOVES times more', async (t) => {
  const { context, slots } = await slotsOf(t);
  const booked = await book(context, slots[0]!);
  for (const slot of slots.slice(1, 6)) await booked.move(slot);
  t.match(await booked.move(slots[6]!), { outcome: 'move_refused' });
  await confirmCheckout(context, booked.token);
  for (const slot of slots.slice(6, 8)) await booked.move(slot);
  t.match(await booked.move(slots[8]!), { outcome: 'move_refused' });
  t.match(await booked.row(), { moves_while_pending: 5, moves_once_confirmed: 2 });
});
