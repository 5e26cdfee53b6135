import t from 'tap';
import { requestsPerSubscription } from '../../src/config/limits.js';
import { until } from '../support/embedded.js';
import { answer, type Behaviour } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { startWebhookService, verify } from '../support/webhooks.js';

/** Sends each retry at once. */
const service = await startWebhookService(t);
const { sweeper } = await service.startBackground();
const { pool } = service.context;

for (const [backend, skip] of [
  ['PostgreSQL', false],
  ['Redis', redisMissing],
] as const) {
  t.test(
    `on ${backend}: a receiver that fails three attempts receives the event on the fourth, once, never early and without the sweeper`,
    { skip },
    async (t) => {
      const service = await startWebhookService(t, {
        WEBHOOK_RETRY_SCHEDULE_SECONDS: '1,1,1',
        ...(backend === 'Redis' && { REDIS_URL: await redisUrl(t) }),
      });
      const background = await service.startBackground();
      await background.sweeper.stop();
      const failures: Behaviour[] = [answer(500), { kind: 'reset' }, answer(429)];
      const shop = await service.subscriber(t, [...failures, answer(200)]);
      await service.hold();
      await shop.request(4);
      t.match(await service.untilDelivery(shop, ({ status }) => status !== 'pending'), {
        type: 'hold.created',
        status: 'delivered',
        attempts: 4,
        last_status_code: 200,
        next_attempt_at: null,
      });
      t.equal(shop.requests.length, 4);
      const times = shop.requests.map(({ receivedAt }) => receivedAt);
      const pauses = times.slice(1).map((time, index) => time - times[index]!);
      t.ok(
        pauses.every((pause) => pause >= 900),
        `${pauses} ms are a second, less a tenth`,
      );
    },
  );
}

t.test('a retry has the same id and bytes, and a valid signature', async (t) => {
  const shop = await service.subscriber(t, [answer(500), answer(204)]);
  await service.hold();
  const [first, second] = [await shop.request(1), await shop.request(2)];
  t.equal(second.headers['webhook-id'], first.headers['webhook-id']);
  t.ok(second.body.equals(first.body), 'byte for byte');
  t.same(verify(shop, second), verify(shop, first));
});

t.test('a delivery fails after its last attempt; its subscription stays active', async (t) => {
  const shop = await service.subscriber(t, [
    ...Array<Behaviour>(10).fill(answer(500)),
    answer(200),
  ]);
  await service.hold();
  const failed = await service.untilDelivery(shop, ({ status }) => status !== 'pending');
  t.match(failed, { status: 'failed', attempts: 10, last_status_code: 500, next_attempt_at: null });
  await service.hold();
  const next = await service.untilDelivery(shop, ({ status }) => status === 'delivered');
  t.match(next, { attempts: 1 });
});

t.test('a subscription deleted while it is sent to receives no further request', async (t) => {
  let answerNow: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (answerNow = resolve));
  const held: Behaviour = { kind: 'held answer', status: 204, until };
  const shop = await service.subscriber(t, [held, held, answer(204)]);
  const other = await service.subscriber(t);
  await service.prove(shop);
  await service.hold();
  await service.repeatEvent(5);
  await service.hold();
  await shop.request(requestsPerSubscription);
  await service.unsubscribe(shop);
  // A process that found it live up to 50 ms ago does not ask again.
  const staleAt = performance.now() + 50;
  while (performance.now() <= staleAt) await service.read(other);
  answerNow();
  const attempts = () => service.logLines.filter((line) => line.includes('"webhook attempted"'));
  const ofShop = () => attempts().filter((line) => line.includes(shop.id)).length;
  while (ofShop() < requestsPerSubscription) await service.read(other);
  await service.hold();
  await other.request(8);
  t.equal(shop.requests.length, requestsPerSubscription);
  const left = 'select from webhook_deliveries where subscription_id = $1';
  t.equal((await pool.query(left, [shop.id])).rowCount, 0, 'its deliveries are deleted');
});

t.test('a subscription lists its last 20 deliveries, newest first', async (t) => {
  const shop = await service.subscriber(t);
  await service.prove(shop);
  await service.repeatEvent(21);
  await service.hold();
  await shop.request(22);
  const { rows } = await pool.query<{ id: string }>(
    'select id from events order by position desc limit 20',
  );
  t.strictSame(
    (await service.read(shop)).recent_deliveries.map(({ event_id }) => event_id),
    rows.map(({ id }) => id),
  );
});

t.test('a delivery whose job was lost is sent by the next sweep, once', async (t) => {
  const shop = await service.subscriber(t);
  await service.hold();
  await service.untilDelivery(shop, ({ status }) => status === 'delivered');
  // Due again, without a job.
  await pool.query(
    `update webhook_deliveries set status = 'pending', next_attempt_at = booking_now()
    where subscription_id = $1`,
    [shop.id],
  );
  await Promise.all([sweeper.sweep(), sweeper.sweep()]);
  await shop.request(2);
  await service.untilDelivery(shop, ({ status }) => status === 'delivered');
  await sweeper.sweep();
  await service.hold();
  await shop.request(3);
  t.equal(shop.requests.length, 3);
});

t.test('a claim that its process did not release expires', async (t) => {
  const shop = await service.subscriber(t);
  await pool.query(
    `update webhook_subscriptions set claimed_until = booking_now() + interval '1.0005 seconds'
    where id = $1`,
    [shop.id],
  );
  await service.hold();
  await service.untilDelivery(shop, () => true);
  // Adds a job for the end of the claim; there is no later sweep.
  await sweeper.sweep();
  await shop.request(1);
  t.match(await service.untilDelivery(shop, ({ status }) => status === 'delivered'), {
    attempts: 1,
  });
});

t.test(
  'an outcome that cannot be recorded ends the claim, and its delivery is sent again',
  async (t) => {
    service.expectLog(/a job failed/);
    const shop = await service.subscriber(t);
    await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'no outcome is recorded';
    end $$`);
    await pool.query(`
    create trigger refuse before update of status on webhook_deliveries for each row
      when (new.status = 'delivered') execute function refuse()`);
    await service.hold();
    await shop.request(1);
    const claim = 'select claimed_until as until from webhook_subscriptions where id = $1';
    await until(async () => (await pool.query(claim, [shop.id])).rows[0].until === null);
    await pool.query('drop function refuse cascade');
    await sweeper.sweep();
    await service.untilDelivery(shop, ({ status }) => status === 'delivered');
    t.ok(shop.requests.length > 1);
  },
);
