import t, { type Test } from 'tap';
import { answer, startReceiver, type Behaviour, type Receiver } from '../support/receiver.js';
import { startWebhookService, type Subscriber, type WebhookService } from '../support/webhooks.js';

const hourMs = 3_600_000;

/** Retries come after months, so that every attempt is the first of its event. */
const rarely = { WEBHOOK_RETRY_SCHEDULE_SECONDS: '10000000' };

async function receiverOf(t: Test, ...behaviours: Behaviour[]): Promise<Receiver> {
  const receiver = await startReceiver(...behaviours);
  t.teardown(() => receiver.close());
  return receiver;
}

async function disabledReason(service: WebhookService, subscriber: Subscriber) {
  const { status, disabled_reason } = await service.read(subscriber);
  t.equal(status === 'disabled', disabled_reason !== null);
  return disabled_reason;
}

t.test('410 disables a subscription: nothing more is sent, pending retries included', async (t) => {
  const receiver = await receiverOf(t, answer(500), answer(410));
  const other = await receiverOf(t);
  const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '3600,3600' });
  await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  await service.subscribe(other);
  await service.hold();
  await service.untilDelivery(subscriber, ({ attempts }) => attempts === 1);
  t.equal(await disabledReason(service, subscriber), null);

  await service.hold();
  await receiver.request(2);
  await service.untilDelivery(subscriber, ({ status }) => status !== 'pending');
  while ((await disabledReason(service, subscriber)) === null);
  const { disabled_reason, recent_deliveries } = await service.read(subscriber);
  t.equal(disabled_reason, 'gone');
  t.match(recent_deliveries, [
    { status: 'failed', attempts: 1, last_status_code: 410, next_attempt_at: null },
    { status: 'failed', attempts: 1, last_status_code: 500, next_attempt_at: null },
  ]);
  await service.hold();
  await other.request(3);
  t.equal(receiver.requests.length, 2);
  t.equal((await service.read(subscriber)).recent_deliveries.length, 2);
  const { rows } = await service.context.pool.query(
    'select caller_hash from webhook_subscriptions where id = $1',
    [subscriber.id],
  );
  t.equal(rows[0].caller_hash, null, 'the address is erased');
});

t.test(
  'a subscription is disabled after 24 hours without a first success, or five days of failures',
  async (t) => {
    for (const [first, hours, reason] of [
      [answer(500), 24, 'never_succeeded'],
      [answer(200), 120, 'failing'],
    ] as const) {
      const receiver = await receiverOf(t, first, answer(500));
      const service = await startWebhookService(t, rarely);
      await service.startBackground();
      const subscriber = await service.subscribe(receiver, ['hold.created']);
      let holds = 0;
      const attempt = async () => {
        holds += 1;
        await service.hold();
        await receiver.request(holds);
        await service.untilDelivery(subscriber, ({ attempts }) => attempts === 1);
      };
      await attempt();
      await attempt();
      await service.shiftClock(hours * hourMs - 60_000);
      await attempt();
      t.equal(await disabledReason(service, subscriber), null, `not before ${hours} hours`);
      await service.shiftClock(hours * hourMs + 60_000);
      await attempt();
      while ((await disabledReason(service, subscriber)) === null);
      t.equal(await disabledReason(service, subscriber), reason);
    }
  },
);

t.test('a success resets the five-day limit on failures', async (t) => {
  const receiver = await receiverOf(t, answer(200), answer(500), answer(200), answer(500));
  const service = await startWebhookService(t, rarely);
  await service.startBackground();
  const subscriber = await service.subscribe(receiver, ['hold.created']);
  for (const [count, hours] of [0, 1, 100, 150, 200].entries()) {
    await service.shiftClock(hours * hourMs);
    await service.hold();
    await receiver.request(count + 1);
    await service.untilDelivery(subscriber, ({ attempts }) => attempts === 1);
  }
  t.equal(await disabledReason(service, subscriber), null);
});

t.test('a delivery fails after its last attempt; its subscription stays active', async (t) => {
  const receiver = await receiverOf(t, answer(500), answer(500), answer(500), answer(200));
  const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0' });
  await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  await service.hold();
  const failed = await service.untilDelivery(subscriber, ({ status }) => status !== 'pending');
  t.match(failed, { status: 'failed', attempts: 3, last_status_code: 500, next_attempt_at: null });
  await service.hold();
  const next = await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  t.match(next, { attempts: 1 });
});

t.test('Retry-After postpones the next attempt, at most until the schedule ends', async (t) => {
  const receiver = await receiverOf(
    t,
    answer(503, { 'retry-after': '120' }),
    answer(429, { 'retry-after': '999999' }),
    answer(500, { 'retry-after': '120' }),
  );
  const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '5,600' });
  await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  const waits: number[] = [];
  for (let count = 1; count <= 3; count += 1) {
    await service.hold();
    await receiver.request(count);
    const delivery = await service.untilDelivery(subscriber, ({ attempts }) => attempts === 1);
    const [next, last] = [delivery.next_attempt_at, delivery.last_attempt_at];
    waits.push((Date.parse(next!) - Date.parse(last!)) / 1000);
  }
  const [asked = 0, tooMuch = 0, ignored = 0] = waits;
  t.ok(asked >= 120 && asked <= 132, `${asked} s`);
  t.equal(tooMuch, 605);
  t.ok(ignored >= 4.5 && ignored <= 5.5, `${ignored} s`);
});
