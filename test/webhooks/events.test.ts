import t, { type Test } from 'tap';
import { expireHolds } from '../../src/domain/expiry.js';
import { placeHold } from '../../src/domain/holds.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { eventOf, startWebhookService, verify, type WebhookService } from '../support/webhooks.js';

async function receiverOf(t: Test): Promise<Receiver> {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  return receiver;
}

async function eventTypes({ context }: WebhookService): Promise<string[]> {
  const { rows } = await context.pool.query('select type from events order by position');
  return rows.map(({ type }) => type);
}

t.test('a hold over REST and its confirmation on the page are delivered', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  const [slot] = await someOpenSlots(service.context, 1);
  const held = await service.app.inject({
    method: 'POST',
    url: '/api/public/holds',
    payload: holdRequest(slot!),
  });
  const { data } = held.json();
  t.match(verify(subscriber, await receiver.request(1)), {
    type: 'hold.created',
    timestamp: data.created_at,
    data: { id: data.id, status: 'pending' },
  });
  const confirmed = await service.app.inject({
    method: 'POST',
    url: new URL(data.checkout_url).pathname,
    headers: {
      origin: service.context.config.publicBaseUrl,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'action=confirm',
  });
  t.equal(confirmed.statusCode, 303);
  const event = verify(subscriber, await receiver.request(2));
  t.match(event, { type: 'booking.confirmed', data: { id: data.id, status: 'confirmed' } });
  t.equal(event.timestamp, event.data.confirmed_at);
});

t.test('the expiry of a hold by its job is delivered once', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t, { HOLD_LIFETIME_SECONDS: '1' });
  const background = await service.startBackground();
  const subscriber = await service.subscribe(receiver, ['hold.expired']);
  const { id } = await service.hold();
  t.match(verify(subscriber, await receiver.request(1)), {
    type: 'hold.expired',
    data: { id, status: 'expired', expired_at: /Z$/ },
  });
  await background.sweeper.sweep();
  t.strictSame(await eventTypes(service), ['hold.created', 'hold.expired']);
  t.equal((await service.read(subscriber)).recent_deliveries.length, 1);
});

t.test('the expiry of a hold by the sweeper is delivered once', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  await service.subscribe(receiver, ['hold.expired']);
  const { id } = await service.hold();
  await service.shiftClock(16 * 60_000);
  const background = await service.startBackground();
  t.match(eventOf(await receiver.request(1)), { type: 'hold.expired', data: { id } });
  await background.sweeper.sweep();
  t.strictSame(await eventTypes(service), ['hold.created', 'hold.expired']);
});

t.test('hold.expired is delivered once when a new hold replaces a lapsed one', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  const { context } = service;
  await service.subscribe(receiver, ['hold.expired']);
  const [slot] = await someOpenSlots(context, 1);
  const place = () => placeHold(context, callerNumber(1), holdRequest(slot!), null);
  const { booking } = await place();
  await service.shiftClock(16 * 60_000);
  await place();
  const background = await service.startBackground();
  t.match(eventOf(await receiver.request(1)), {
    type: 'hold.expired',
    data: { id: booking.id },
  });
  await background.sweeper.sweep();
  const types = (await eventTypes(service)).sort();
  t.strictSame(types, ['hold.created', 'hold.created', 'hold.expired']);
});

t.test(
  'one event is recorded when jobs, the sweeper and new holds expire a hold concurrently',
  async (t) => {
    const receiver = await receiverOf(t);
    const service = await startWebhookService(t);
    const { context } = service;
    const subscriber = await service.subscribe(receiver, ['hold.expired']);
    const [slot] = await someOpenSlots(context, 1);
    const place = (number: number) =>
      placeHold(context, callerNumber(number), holdRequest(slot!), null).catch(() => null);
    const first = await place(1);
    const background = await service.startBackground();
    await service.shiftClock(16 * 60_000);
    await Promise.all([
      ...[2, 3, 4].map(place),
      ...[1, 2, 3].map(() => expireHolds(context)),
      background.sweeper.sweep(),
    ]);
    await receiver.request(1);
    await background.sweeper.sweep();
    t.strictSame((await eventTypes(service)).filter((type) => type === 'hold.expired').length, 1);
    const deliveries = (await service.read(subscriber)).recent_deliveries;
    t.equal(deliveries.length, 1);
    t.equal(eventOf(receiver.requests[0]!).data.id, first?.booking.id);
  },
);

t.test('a cancellation and a change of hours are not delivered', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  const { context } = service;
  const subscriber = await service.subscribe(receiver);
  const { checkoutPath } = await service.hold();
  await service.app.inject({
    method: 'POST',
    url: checkoutPath,
    headers: {
      origin: context.config.publicBaseUrl,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'action=release',
  });
  await context.database
    .insertInto('events')
    .values({ type: 'calendar.changed', occurred_at: new Date(), data: '{}' })
    .execute();
  const background = await service.startBackground();
  await background.sweeper.sweep();
  t.strictSame(await eventTypes(service), [
    'hold.created',
    'booking.cancelled',
    'calendar.changed',
  ]);
  await receiver.request(1);
  t.strictSame(
    (await service.read(subscriber)).recent_deliveries.map(({ type }) => type),
    ['hold.created'],
  );
});
