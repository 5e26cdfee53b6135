import t, { type Test } from 'tap';
import type { Capabilities } from '../../generated/schemas.js';
import { startBackground } from '../../src/background.js';
import { lockUndispatchedEvents } from '../../src/repositories/events.js';
import { insertDeliveries } from '../../src/repositories/webhook-dispatch.js';
import { answer, startReceiver, type Behaviour, type Receiver } from '../support/receiver.js';
import { lockWaits } from '../support/lock-waits.js';
import { startWebhookService, type Subscriber, type WebhookService } from '../support/webhooks.js';

/** Retries come after months, so that every attempt is the first of its event. */
const rarely = { WEBHOOK_RETRY_SCHEDULE_SECONDS: '10000000' };

async function receiverOf(t: Test, ...behaviours: Behaviour[]): Promise<Receiver> {
  const receiver = await startReceiver(...behaviours);
  t.teardown(() => receiver.close());
  return receiver;
}

/** Deliveries of a subscription by status, and what was skipped. */
async function countsOf({ context, read }: WebhookService, subscriber: Subscriber) {
  const { rows } = await context.pool.query<{ status: string; count: number }>(
    `select status, count(*)::integer from webhook_deliveries where subscription_id = $1
    group by status`,
    [subscriber.id],
  );
  const { skipped } = await read(subscriber);
  const counts: Record<string, number> = { skipped };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** Resolves when the attempts of as many deliveries are recorded. */
async function untilAttempted({ context }: WebhookService, count: number): Promise<void> {
  for (;;) {
    const { rowCount } = await context.pool.query(
      'select from webhook_deliveries where attempts > 0',
    );
    if (rowCount === count) return;
  }
}

t.test('until its first success, a receiver has one request at a time', async (t) => {
  const late = (status: number): Behaviour => ({ kind: 'late answer', status, afterMs: 30 });
  const receiver = await receiverOf(t, ...Array<Behaviour>(8).fill(late(500)), late(204));
  const service = await startWebhookService(t, rarely);
  const subscriber = await service.subscribe(receiver);
  await service.hold();
  await service.repeatEvent(9);
  // Each has its own queues and workers, as in a process of its own.
  const other = await startBackground(service.context);
  t.teardown(() => other.stop());
  await service.startBackground();
  await receiver.request(9);
  t.equal(receiver.mostAtOnce(), 1);
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  await service.repeatEvent(20);
  await service.hold();
  await receiver.request(31);
  t.equal(receiver.mostAtOnce(), 2, 'then two');
});

t.test(
  'until its first success, twenty deliveries wait, and what is beyond is skipped',
  async (t) => {
    const receiver = await receiverOf(t, answer(500));
    const service = await startWebhookService(t, rarely);
    const { data } = (await service.app.inject('/api/public/capabilities')).json<{
      data: Capabilities;
    }>();
    t.equal(data.webhooks.max_waiting_until_proven, 20);
    const { dispatcher, sweeper } = await service.startBackground();
    const subscriber = await service.subscribe(receiver, ['hold.created']);
    const other = await service.subscribe(await receiverOf(t, answer(500)), ['hold.expired']);
    await service.hold();
    await service.repeatEvent(17);
    await dispatcher.dispatchAll();
    t.strictSame(await countsOf(service, subscriber), { pending: 18, skipped: 0 });
    await service.repeatEvent(5);
    await dispatcher.dispatchAll();
    t.strictSame(await countsOf(service, subscriber), { pending: 20, skipped: 3 });
    await service.repeatEvent(4);
    await dispatcher.dispatchAll();
    t.strictSame(await countsOf(service, subscriber), { pending: 20, skipped: 7 });
    t.strictSame(await countsOf(service, other), { skipped: 0 }, 'what it did not ask for');

    // Recorded later, an attempt would have its retry months after the time to which the clock goes.
    await untilAttempted(service, 20);
    receiver.behave(answer(204));
    await service.shiftClock(12_000_000_000);
    await sweeper.sweep();
    await receiver.request(40);
    while (!('delivered' in (await countsOf(service, subscriber))));
    while ('pending' in (await countsOf(service, subscriber)));
    await service.repeatEvent(50);
    await dispatcher.dispatchAll();
    await receiver.request(90);
    t.equal((await service.read(subscriber)).skipped, 7, 'proven, it misses nothing');
  },
);

t.test('two processes that dispatch at once leave no more than twenty waiting', async (t) => {
  const service = await startWebhookService(t, rarely);
  const { database } = service.context;
  const subscriber = await service.subscribe(await receiverOf(t));
  const dispatch = async (transaction: Parameters<typeof insertDeliveries>[0]) => {
    const events = await lockUndispatchedEvents(transaction);
    await insertDeliveries(
      transaction,
      events.map(({ id }) => id),
    );
  };
  await service.hold();
  await service.repeatEvent(14);
  let second: Promise<void> | undefined;
  await database.transaction().execute(async (transaction) => {
    await dispatch(transaction);
    await service.repeatEvent(15);
    second = database.transaction().execute(dispatch);
    while ((await lockWaits(database)) === 0);
  });
  await second;
  t.strictSame(await countsOf(service, subscriber), { pending: 20, skipped: 10 });
});

t.test('after ten failures in a row it is as before its first success', async (t) => {
  const receiver = await receiverOf(t, answer(204), answer(500));
  const service = await startWebhookService(t, rarely);
  const { dispatcher, sweeper } = await service.startBackground();
  const subscriber = await service.subscribe(receiver, ['hold.created']);
  await service.hold();
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  const dispatch = async (count: number): Promise<void> => {
    await service.repeatEvent(count);
    await dispatcher.dispatchAll();
  };
  await dispatch(9);
  await untilAttempted(service, 10);
  await dispatch(20);
  t.strictSame(await countsOf(service, subscriber), { delivered: 1, pending: 29, skipped: 0 });
  await untilAttempted(service, 30);
  await dispatch(1);
  t.strictSame(await countsOf(service, subscriber), { delivered: 1, pending: 29, skipped: 1 });

  receiver.behave(answer(204));
  await service.shiftClock(12_000_000_000);
  // Deletes the first, which is old now.
  await sweeper.sweep();
  while ((await countsOf(service, subscriber))['delivered'] !== 29);
  receiver.behave({ kind: 'hang' });
  await dispatch(25);
  const after = { delivered: 29, pending: 25, skipped: 1 };
  t.strictSame(await countsOf(service, subscriber), after, 'a success ends it');
});
