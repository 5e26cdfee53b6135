import t from 'tap';
import { answer } from '../support/receiver.js';
import { startWebhookService } from '../support/webhooks.js';

const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '600,600' });
const { sweeper } = await service.startBackground();

const attempted = ({ attempts }: { attempts: number }): boolean => attempts === 1;

t.test('Retry-After postpones the next attempt, at most until the schedule ends', async (t) => {
  const shop = await service.subscriber(t, [
    answer(503, { 'retry-after': '700' }),
    answer(429, { 'retry-after': '999999' }),
    answer(500, { 'retry-after': '900' }),
  ]);
  const waits: number[] = [];
  for (let count = 1; count <= 3; count += 1) {
    await service.hold();
    await shop.request(count);
    const delivery = await service.untilDelivery(shop, attempted);
    const [next, last] = [delivery.next_attempt_at, delivery.last_attempt_at];
    waits.push((Date.parse(next!) - Date.parse(last!)) / 1000);
  }
  const [asked = 0, tooMuch = 0, ignored = 0] = waits;
  t.ok(asked >= 700 && asked <= 770, `${asked} s`);
  t.equal(tooMuch, 1_200);
  t.ok(ignored >= 540 && ignored <= 660, `${ignored} s`);
});

t.test('410 disables a subscription: nothing more is sent, pending retries included', async (t) => {
  const shop = await service.subscriber(t, [answer(500), answer(410)]);
  const other = await service.subscriber(t);
  await service.hold();
  await service.untilDelivery(shop, attempted);
  t.match(await service.read(shop), { status: 'active', disabled_reason: null });
  await service.hold();
  while ((await service.read(shop)).status === 'active');
  const { disabled_reason, recent_deliveries } = await service.read(shop);
  t.equal(disabled_reason, 'gone');
  t.match(recent_deliveries, [
    { status: 'failed', attempts: 1, last_status_code: 410, next_attempt_at: null },
    { status: 'failed', attempts: 1, last_status_code: 500, next_attempt_at: null },
  ]);
  await service.hold();
  await other.request(3);
  t.equal(shop.requests.length, 2);
  t.equal((await service.read(shop)).recent_deliveries.length, 2);
  const { rows } = await service.context.pool.query(
    'select caller_hash from webhook_subscriptions where id = $1',
    [shop.id],
  );
  t.equal(rows[0].caller_hash, null, 'the address is erased');
});

t.test(
  'a deleted subscription receives nothing more; a retry has the timestamp of its attempt',
  async (t) => {
    const deleted = await service.subscriber(t, [answer(500)], ['hold.created']);
    const shop = await service.subscriber(t, [answer(500), answer(204)], ['hold.created']);
    await service.hold();
    for (const each of [deleted, shop]) await service.untilDelivery(each, attempted);
    await service.unsubscribe(deleted);
    // The clocks of the database and of the process move one after the other. A claim skips locked
    // rows, so nothing is sent in between.
    await service.context.database.transaction().execute(async (transaction) => {
      const released = transaction
        .selectFrom('webhook_subscriptions')
        .select('id')
        .where('id', '=', shop.id)
        .where('claimed_until', 'is', null)
        .forUpdate();
      while ((await released.executeTakeFirst()) === undefined);
      await service.shiftClock(7_200_000);
    });
    await sweeper.sweep();
    const [first, second] = [await shop.request(1), await shop.request(2)];
    const timeOf = ({ headers }: typeof first) => Number(headers['webhook-timestamp']);
    const apart = timeOf(second) - timeOf(first);
    t.ok(Math.abs(apart - 7200) < 60, `${apart} s`);
    await service.hold();
    await shop.request(3);
    t.equal(deleted.requests.length, 1);
  },
);
