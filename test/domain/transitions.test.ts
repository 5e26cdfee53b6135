import { sql } from 'kysely';
import t from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import type { PublicBookingRow, HeldBookingRow, BookingStatus } from '../../src/database/schema.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import {
  cancelBooking,
  confirmBooking,
  countOverdueHolds,
  expireDueHolds,
} from '../../src/repositories/booking-transitions.js';
import { insertHold, type NewHold } from '../../src/repositories/holds.js';
import { isSlotTaken, lockSlots } from '../../src/repositories/slot-taking.js';
import { noProof } from '../../src/repositories/proof.js';
import { sha256 } from '../../src/platform/keyring.js';
import { hold } from '../support/board.js';
import { bookingRow, eventTypesOf } from '../support/bookings.js';
import { stopDatabaseClock } from '../support/clock.js';
import { untilLockWaits } from '../support/lock-waits.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const rounds = 240;
const atOnce = 8;
const noCaps = {
  pendingOfStudio: 1_000_000,
  pendingInCommon: 1_000_000,
  pendingOfCaller: 1_000_000,
  liveOfPerson: 1_000_000,
  isCodeRequired: false,
  liveOfCaller: 1_000_000,
  platform: null,
  sessionHours: 4,
};

const { context } = await startService(t);
const { database } = context;
t.beforeEach(() => startOver(context));

/** A new hold of the booking's slot, past the polite refusals: straight to the database. */
async function holdAnew(booking: PublicBookingRow, token: string): Promise<HeldBookingRow | null> {
  const hold: NewHold = {
    date: booking.date,
    timeSlot: booking.time_slot,
    startsAt: new Date(booking.starts_at_text),
    endsAt: new Date(Date.parse(booking.starts_at_text) + 1),
    startsAtText: booking.starts_at_text,
    timezone: booking.timezone,
    label: booking.label,
    lifetimeSeconds: 900,
    channel: 'rest',
    platform: null,
    name: 'Grace',
    email: 'grace@example.com',
    phone: '5555550143',
    pronouns: null,
    idea: null,
    callerNetworkHashes: [sha256('another network')],
    apiKeyId: null,
    checkoutTokenHash: sha256(token),
    checkoutTokenSealed: Buffer.from('sealed'),
    idempotencyScope: null,
    idempotencyKey: null,
    requestHash: sha256('request'),
    replaced: null,
  };
  return (await insertHold(database, context.connect, hold, noCaps)).booking;
}

/** Lets the hold lapse, if it still lasts, and expires it, as the alarm clock and sweeper do. */
async function expireEverything(id: string): Promise<void> {
  await sql`
    update bookings set expires_at = booking_now() where id = ${id} and status = 'pending'`.execute(
    database,
  );
  // A concurrent run may have locked the row, and expires it then.
  do await expireDueHolds(database);
  while ((await bookingRow(context, id)).status === 'pending');
}

t.test(
  'confirm against expiry against release against a new hold of the same slot, many rounds at the edge of the hold: one outcome each, one event, never two live bookings of a slot',
  async (t) => {
    const slots = await someOpenSlots(context, atOnce);
    const outcomes = new Map<string, number>();
    // How long the four take to arrive, which outcomes correct: machines differ, and from hour to hour.
    let arrivalMs = 0;

    const playRound = async (lane: number, round: number): Promise<void> => {
      const slot = slots[lane]!;
      // The rounds before changed rows behind the board's back.
      await context.board.refresh();
      const { booking } = await placeHold(context, callerNumber(lane), holdRequest(slot), null);
      // The hold lapses about when the four arrive, a little before or a little after.
      const lapsesInMs = arrivalMs + (round % 9) - 4;
      await sql`
        update bookings set created_at = created_at - interval '15 minutes',
          expires_at = booking_now() + make_interval(secs => ${lapsesInMs / 1000})
        where id = ${booking.id}`.execute(database);

      const [confirmed, released, , again] = await Promise.all([
        confirmBooking(database, booking.id, noProof),
        cancelBooking(database, booking.id, 'pending', 'person'),
        expireDueHolds(database),
        holdAnew(booking, `${lane} ${round}`),
      ]);
      await expireEverything(booking.id);

      const { status } = await bookingRow(context, booking.id);
      t.equal(Number(confirmed !== null) + Number(released !== null), status === 'expired' ? 0 : 1);
      if (confirmed !== null) t.equal(again, null, 'a confirmed slot is not held again');
      const expected: Partial<Record<BookingStatus, string>> = {
        confirmed: 'booking.confirmed',
        cancelled: 'booking.cancelled',
        expired: 'hold.expired',
      };
      t.strictSame(await eventTypesOf(context, booking.id), ['hold.created', expected[status]]);
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
      arrivalMs += status === 'expired' ? 1 : -1;
      await sql`
        with gone as (
          delete from bookings where date = ${slot.date} and time_slot = ${slot.timeSlot} returning id
        )
        delete from events where booking_id in (select id from gone)`.execute(database);
    };

    await Promise.all(
      slots.map(async (_, lane) => {
        for (let round = lane; round < rounds; round += atOnce) await playRound(lane, round);
      }),
    );
    t.ok((outcomes.get('expired') ?? 0) > 0, `some expired: ${JSON.stringify([...outcomes])}`);
    t.ok((outcomes.get('confirmed') ?? 0) + (outcomes.get('cancelled') ?? 0) > 0, 'some did not');
  },
);

t.test(
  'a hold can be confirmed or given up until it lapses, a session until it begins',
  async (t) => {
    const [slot, another] = (await someOpenSlots(context, 2)) as [Slot, Slot];
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
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
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
  const { booking } = await placeHold(context, callerNumber(1), holdRequest(slot!), null);
  await t.rejects(
    sql`
      insert into bookings (status, date, time_slot, starts_at, starts_at_text, timezone, label,
        created_at, expires_at, confirmed_at, checkout_token_hash, checkout_token_sealed)
      select 'confirmed', date, time_slot, starts_at, starts_at_text, timezone, label,
        created_at, expires_at, created_at, '\\x00', checkout_token_sealed
      from bookings where id = ${booking.id}`.execute(database),
    { code: '23505', constraint: 'bookings_one_live_per_slot' },
  );
  const constraint = 'bookings_one_live_per_slot';
  t.ok(isSlotTaken({ code: '23505', constraint }));
  t.notOk(isSlotTaken({ code: '23505', constraint: 'another' }));
  t.notOk(isSlotTaken({ code: '23514', constraint }));
});

t.test('a confirmation that is blocked until its hold has lapsed confirms nothing', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const placed = await placeHold(context, callerNumber(1), holdRequest(slot!), null);
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
