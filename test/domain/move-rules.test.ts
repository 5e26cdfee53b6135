import t, { type Test } from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import type { BookingRow } from '../../src/database/schema.js';
import { bookedSlot, closableSlot } from '../../src/domain/booked-slot.js';
import { movePermission } from '../../src/domain/move-rules.js';
import { insertConfirmed } from '../../src/repositories/added-bookings.js';
import { moveForPerson, type MoveLimits } from '../../src/repositories/booking-moves.js';
import { noProof } from '../../src/repositories/proof.js';
import { hold } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { stopDatabaseClock } from '../support/clock.js';
import { someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

const limits: MoveLimits = { whilePending: 5, onceConfirmed: 2, noticeHours: 24 };
const somewhereElse: Slot = { date: '2028-01-04', timeSlot: '1:00 PM' };
const instant = (text: string, laterMs = 0) => new Date(Date.parse(text) + laterMs).toISOString();

const { context } = await startTestService(t);
const { database, connect } = context;
let bookings = 0;

/** A confirmed session in a studio of that time zone. */
async function confirmedSession(timezone: string, slot: Slot): Promise<BookingRow> {
  bookings += 1;
  const booking = await database.transaction().execute((transaction) =>
    insertConfirmed(transaction, {
      ...bookedSlot(timezone, slot),
      ...{ name: 'Ada Park', email: null, phone: null, pronouns: null, idea: null },
      checkoutTokenHash: Buffer.from([bookings]),
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
async function moveAt(
  t: Test,
  now: string,
  { id }: Pick<BookingRow, 'id'>,
  to: Slot,
  { under = limits } = {},
): Promise<string> {
  await stopDatabaseClock(database, Date.parse(now));
  const booking = await bookingRow(context, id);
  const permission = movePermission(booking, under, Date.parse(now));
  const { sequence, timezone } = booking;
  const move = { id, sequence, to: closableSlot(timezone, [], to), proof: noProof };
  const moved = await moveForPerson(database, connect, move, under);
  t.equal(moved !== null, permission.allowed, `both agree at ${now}`);
  return permission.allowed ? 'moved' : permission.reason;
}

const changesOfTime: { what: string; timezone: string; slot: Slot; until: string }[] = [
  {
    what: 'the hour that is skipped in March',
    timezone: 'America/Los_Angeles',
    slot: { date: '2027-03-14', timeSlot: '1:00 PM' },
    until: '2027-03-13T12:00:00-08:00',
  },
  {
    what: 'the hour that is repeated in November',
    timezone: 'America/Los_Angeles',
    slot: { date: '2027-11-07', timeSlot: '9:00 AM' },
    until: '2027-11-06T10:00:00-07:00',
  },
  {
    what: 'the hour that is repeated in April',
    timezone: 'Australia/Sydney',
    slot: { date: '2027-04-04', timeSlot: '9:00 AM' },
    until: '2027-04-03T10:00:00+11:00',
  },
  {
    what: 'the hour that is skipped in October',
    timezone: 'Australia/Sydney',
    slot: { date: '2027-10-03', timeSlot: '5:00 PM' },
    until: '2027-10-02T16:00:00+10:00',
  },
];

for (const { what, timezone, slot, until } of changesOfTime) {
  t.test(`a session moves until 24 elapsed hours before it, across ${what}`, async (t) => {
    await stopDatabaseClock(database, Date.parse(until) - 86_400_000);
    const booking = await confirmedSession(timezone, slot);
    t.match(movePermission(booking, limits, Date.parse(until)), { until: Date.parse(until) });
    t.equal(await moveAt(t, instant(until, 1), booking, somewhereElse), 'notice');
    t.equal(await moveAt(t, instant(until), booking, somewhereElse), 'moved');
    // From now on, the notice is that of the new start.
    t.equal(await moveAt(t, instant(until, 1), booking, slot), 'moved');
    t.equal((await bookingRow(context, booking.id)).moves_once_confirmed, 2);
  });
}

t.test('without notice, a session moves until it starts, and not at its start', async (t) => {
  const startsAt = '2027-06-01T09:00:00-07:00';
  await stopDatabaseClock(database, Date.parse(startsAt) - 1);
  const booking = await confirmedSession('America/Los_Angeles', {
    date: '2027-06-01',
    timeSlot: '9:00 AM',
  });
  const options = { under: { ...limits, noticeHours: 0 } };
  t.equal(await moveAt(t, instant(startsAt), booking, somewhereElse, options), 'begun');
  t.equal(await moveAt(t, instant(startsAt, -1), booking, somewhereElse, options), 'moved');
});

t.test('MAX_MOVES counts moves of the confirmed session: none with 0, one with 1', async (t) => {
  const now = '2027-06-02T09:00:00-07:00';
  const [first, next]: Slot[] = [
    { date: '2027-07-01', timeSlot: '9:00 AM' },
    { date: '2027-07-02', timeSlot: '9:00 AM' },
  ];
  await stopDatabaseClock(database, Date.parse(now));
  const booking = await confirmedSession('America/Los_Angeles', first!);
  const atMost = (onceConfirmed: number) => ({ under: { ...limits, onceConfirmed } });
  t.equal(await moveAt(t, now, booking, next!, atMost(0)), 'number');
  const late = '2027-07-01T08:00:00-07:00';
  t.equal(await moveAt(t, late, booking, next!, atMost(0)), 'number', 'also within the notice');
  t.equal(await moveAt(t, now, booking, next!, atMost(1)), 'moved');
  t.equal(await moveAt(t, now, booking, first!, atMost(1)), 'number');
});

t.test('a hold moves until the instant at which it lapses, whatever MAX_MOVES says', async (t) => {
  const [slot, other, another] = await someOpenSlots(context, 3);
  const { booking } = await hold(context, slot!.date, slot!.timeSlot);
  const options = { under: { ...limits, onceConfirmed: 0 } };
  const lapsesAt = booking.expires_at.toISOString();
  t.match(movePermission(booking, options.under, Date.parse(lapsesAt) - 1), {
    movesLeft: 5,
    until: Date.parse(lapsesAt),
  });
  t.equal(await moveAt(t, instant(lapsesAt, -1), booking, other!, options), 'moved');
  t.equal(await moveAt(t, lapsesAt, booking, another!, options), 'not_live');
});
