import { sql } from 'kysely';
import pg from 'pg';
import t, { type Test } from 'tap';
import { migrateTo, migrateToLatest } from '../../src/database/migrate.js';
import { readBooking } from '../../src/domain/bookings.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { findCheckout } from '../../src/domain/checkout.js';
import { correctByStudio } from '../../src/domain/correction.js';
import { expireHolds } from '../../src/domain/new-hold.js';
import { createRetention } from '../../src/domain/retention.js';
import { slotOf, slotStartsAt, timeSlots } from '../../src/schedule/slots.js';
import { createKeyring, sha256 } from '../../src/secrets/keyring.js';
import { openCheckoutToken } from '../../src/secrets/links.js';
import { bookingView } from '../../src/views/booking.js';
import { bookingRow, eventTypesOf } from '../support/bookings.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { addPerson } from '../support/console.js';
import { createEmptyDatabase, waitingSessions } from '../support/database.js';
import { hold } from '../support/holds.js';
import { connectPreviousVersion, scopeOf } from '../support/previous-version.js';
import { startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { secretKey, startService } from '../support/service.js';
import { startWebhookService } from '../support/webhooks.js';

async function start(t: Test) {
  const service = await startWebhookService(t);
  const { context, shiftClock } = service;
  const { connectionString } = context.connection;
  const previous = await connectPreviousVersion(t, connectionString!, context.keyring);
  const slots = await someOpenSlots(context, 12);
  const held = (index: number) => hold(context, slots[index]!.date, slots[index]!.timeSlot);
  const lapse = () => shiftClock(context.config.holdLifetimeSeconds * 1_000);
  return { service, context, previous, slots, held, lapse };
}

t.test(
  'a connection of 2.1.1 continues over the migration, which lets requests pass',
  async (t) => {
    process.env['TEST_TRUE_TIMEOUTS'] = '1';
    t.teardown(() => delete process.env['TEST_TRUE_TIMEOUTS']);
    const { connectionString } = await createEmptyDatabase(t);
    await migrateTo({ connectionString }, '0006-live-bookings');
    const previous = await connectPreviousVersion(t, connectionString, createKeyring(secretKey));
    const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const [first, ...slots] = timeSlots.map((timeSlot) => ({ date, timeSlot }));
    const before = await previous.hold(first!);
    t.ok(await previous.confirm(before!.id));

    const reader = new pg.Client({ connectionString });
    await reader.connect();
    t.teardown(() => reader.end());
    const closing = 'insert into closures (from_date, to_date, time_slot) values ($1, $1, $2)';
    await reader.query(closing, [date, first!.timeSlot]);
    await reader.query('begin; select from bookings');
    const migrating = migrateToLatest({ connectionString });
    const meanwhile = [];
    for (const slot of slots) {
      while ((await waitingSessions(reader)).length === 0);
      // The lock timeout of a request ends the wait for a migration that does not give way.
      meanwhile.push(await previous.hold(slot));
    }
    t.notOk(meanwhile.includes(null), 'a long transaction delays the migration only');
    await reader.query('commit');
    t.ok((await migrating).includes('0007-changing-bookings'));
    t.ok(await previous.confirm(meanwhile[0]!.id));
    t.equal(await previous.hold(first!), null, 'what was held before is held');

    const { context } = await startService(t, { DATABASE_URL: connectionString });
    const checkout = await findCheckout(context, before!.token);
    t.match(checkout, { status: 'confirmed', booking: { channel: null, confirmed_via: null } });
    t.equal(checkout?.booking.closed_day_choice, 'kept', 'nobody could be asked about it');
    const path = await eventTypesOf(context, meanwhile[0]!.id);
    t.strictSame(path, ['hold.created', 'booking.confirmed']);
  },
);

t.test('2.1.1 confirms, cancels, expires and reads what this version has moved', async (t) => {
  const { context, previous, slots, held, lapse } = await start(t);
  const moved = [];
  for (const index of [0, 1, 2]) {
    const { booking, token } = await held(index);
    await moveCheckout(context, token, slots[index + 3]!, 0);
    moved.push({ id: booking.id, to: slots[index + 3]! });
  }
  const [confirmed, cancelled, lapsing] = moved;
  const path = ['hold.created', 'booking.moved'];

  t.match(await previous.confirm(confirmed!.id), { status: 'confirmed', sequence: 2 });
  t.strictSame(await eventTypesOf(context, confirmed!.id), [...path, 'booking.confirmed']);
  t.ok(await previous.cancel(cancelled!.id, 'pending'));
  t.strictSame(await eventTypesOf(context, cancelled!.id), [...path, 'booking.cancelled']);
  const [shown] = await previous.run('read', [[lapsing!.id]]);
  t.match(shown, { status: 'pending', time_slot: lapsing!.to.timeSlot });
  const [loaded] = await previous.run('board');
  const { liveBookings } = loaded!['calendar'] as { liveBookings: { id: string }[] };
  const ids = liveBookings.map(({ id }) => id);
  t.same(new Set(ids), new Set([confirmed!.id, lapsing!.id]));
  const { date, timeSlot: time_slot } = lapsing!.to;
  t.match(liveBookings[ids.indexOf(lapsing!.id)], { date, time_slot, sequence: 1 });

  t.equal(await previous.hold(confirmed!.to), null, 'the new slot is taken');
  t.ok(await previous.hold(slots[0]!), 'and the former one free');
  await lapse();
  await previous.run('expire');
  t.strictSame(await eventTypesOf(context, lapsing!.id), [...path, 'hold.expired']);
  t.match(await bookingRow(context, lapsing!.id), { status: 'expired', sequence: 2 });
  t.ok(await previous.cancel(confirmed!.id, 'confirmed'));
  t.equal((await readBooking(context, confirmed!.id)).status, 'cancelled');
});

t.test('this version moves, confirms, cancels, expires and erases what 2.1.1 leaves', async (t) => {
  const { service, context, previous, slots, held, lapse } = await start(t);
  const viewOf = async (id: string) =>
    bookingView(await readBooking(context, id), context.clock.now());
  const [moved, cancelled, lapsing] = [
    await previous.hold(slots[0]!, 'key'),
    await previous.hold(slots[1]!),
    await previous.hold(slots[2]!),
  ];
  await context.board.refresh();
  t.notOk('ends_at' in (await viewOf(moved!.id)), 'none is told where none was');
  await moveCheckout(context, moved!.token, slots[4]!, 0);
  t.match(await viewOf(moved!.id), { ends_at: String });
  await confirmCheckout(context, moved!.token);
  await releaseCheckout(context, cancelled!.token, 'pending');
  await lapse();
  await expireHolds(context);
  const row = await bookingRow(context, moved!.id);
  t.match(row, { status: 'confirmed', sequence: 2, channel: null, confirmed_via: 'link' });
  t.strictSame(slotOf(row), slots[4]);
  const startsAt = slotStartsAt(row.timezone, slots[7]!.date, slots[7]!.timeSlot);
  await sql`update bookings set starts_at = ${startsAt.iso}::timestamptz where id = ${row.id}`.execute(
    context.database,
  );
  const stays = { ends_at: null, ends_at_text: null };
  t.match(
    await bookingRow(context, row.id),
    stays,
    'as 2.8 moves it: the end was of another session',
  );
  t.equal((await bookingRow(context, cancelled!.id)).status, 'cancelled');
  t.equal((await bookingRow(context, lapsing!.id)).status, 'expired');
  const [replayed] = await previous.run('replay', [scopeOf('key'), 'key']);
  t.equal(replayed?.['id'], moved!.id, 'and 2.1.1 still finds it by its key');
  const corrected = await correctByStudio(context, 'test', moved!.id, { email: 'b@example.com' });
  const [again] = await previous.run('replay', [scopeOf('key'), 'key']);
  const sealed = again?.['checkout_token_sealed'] as Buffer;
  t.equal(openCheckoutToken(context.keyring, sealed), moved!.token, 'with the bytes of before');
  t.strictSame(await previous.run('checkout', [sha256(moved!.token)]), [], 'which open nothing');
  const { checkoutToken } = (corrected as { newLink: { checkoutToken: string } }).newLink;
  t.match(await previous.run('checkout', [sha256(checkoutToken)]), [{ id: moved!.id }]);

  // The erasure of 2.1.1 leaves the reasons.
  const { booking } = await held(5);
  const ids = [booking.id, (await addPerson(service, slots[6]!)).id];
  for (const id of ids) {
    await cancelByStudio(context, 'test', id, { reason: 'The artist is ill.' });
  }
  await service.shiftClock((context.config.retentionUnconfirmedDays + 1) * 86_400_000);
  await previous.inTransaction(() => previous.run('erase due', [30, 365]));
  t.match(await bookingRow(context, booking.id), { name: null, email: null });
  await createRetention(context).apply();
  for (const id of ids) {
    t.match(await bookingRow(context, id), { name: null, cancellation_reason: null });
  }
});

t.test('whichever version dispatches, each event has one delivery, and a move none', async (t) => {
  const { service, context, previous, slots, held } = await start(t);
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const subscriber = await service.subscribe(receiver);
  const { booking, token } = await held(0);
  await moveCheckout(context, token, slots[1]!, 0);
  await previous.confirm(booking.id);
  t.equal((await previous.dispatch()).length, 2, 'of three events, the move has no webhook');
  const events = context.database.selectFrom('events').select('type');
  t.strictSame(await events.where('dispatched_at', 'is', null).execute(), []);

  const [next] = await someOpenSlots(context, 1);
  await moveCheckout(context, token, next!, 2);
  await service.startBackground();
  await held(5);
  await service.untilDelivery(
    subscriber,
    ({ type, status }) => type === 'hold.created' && status === 'delivered',
  );
  const { rows } = await sql<{ type: string }>`
    select type from webhook_deliveries join events on events.id = event_id
    order by events.position`.execute(context.database);
  const types = ['hold.created', 'booking.confirmed', 'hold.created'];
  t.strictSame(
    rows,
    types.map((type) => ({ type })),
  );
});
