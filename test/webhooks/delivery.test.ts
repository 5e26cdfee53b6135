import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import { connectBullmq } from '../../src/jobs/bullmq.js';
import { createQueues } from '../../src/jobs/queues.js';
import { requestsPerSubscription } from '../../src/platform/fixed-limits.js';
import { answer, startReceiver, type Behaviour, type Receiver } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { startWebhookService, verify } from '../support/webhooks.js';

async function receiverOf(t: Test, ...behaviours: Behaviour[]): Promise<Receiver> {
  const receiver = await startReceiver(...behaviours);
  t.teardown(() => receiver.close());
  return receiver;
}

const ended = ({ status }: { status: string }): boolean => status !== 'pending';

for (const [backend, skip] of [
  ['PostgreSQL', false],
  ['Redis', redisMissing],
] as const) {
  t.test(
    `on ${backend}: a receiver that fails three attempts receives the event on the fourth, once`,
    { skip },
    async (t) => {
      const receiver = await receiverOf(
        t,
        answer(500),
        { kind: 'reset' },
        answer(429),
        answer(200),
      );
      const environment = backend === 'Redis' ? { REDIS_URL: await redisUrl(t) } : {};
      const service = await startWebhookService(t, environment);
      await service.startBackground();
      const subscriber = await service.subscribe(receiver);
      await service.hold();
      await receiver.request(4);
      const delivery = await service.untilDelivery(subscriber, ended);
      t.match(delivery, {
        type: 'hold.created',
        status: 'delivered',
        attempts: 4,
        last_status_code: 200,
        next_attempt_at: null,
      });
      t.equal(receiver.requests.length, 4);
    },
  );
}

t.test('the signature verifies on the bytes received, also with non-ASCII text', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  const subscriber = await service.subscribe(receiver);
  const { id } = await service.hold();
  const label = 'mardi 1ᵉʳ décembre, 刺青 ✂️, "quoted" \\ and \u2028';
  await service.context.pool.query(
    `update events set data = jsonb_set(data, '{label}', to_jsonb($1::text))`,
    [label],
  );
  await service.startBackground();
  const request = await receiver.request(1);
  t.match(verify(subscriber, request), { type: 'hold.created', data: { id, label } });
  t.match(request.headers, {
    'content-type': 'application/json',
    'webhook-id': /^[0-9a-f-]{36}$/,
    'webhook-timestamp': /^\d{10}$/,
    'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=$/,
  });
});

t.test('a retry has the same id and bytes, its own timestamp, and a valid signature', async (t) => {
  const receiver = await receiverOf(t, answer(500), answer(204));
  const service = await startWebhookService(t);
  await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  await service.hold();
  const first = await receiver.request(1);
  await service.untilDelivery(subscriber, ({ attempts }) => attempts > 0);
  const second = await receiver.request(2);
  t.equal(second.headers['webhook-id'], first.headers['webhook-id']);
  t.ok(second.body.equals(first.body), 'byte for byte');
  t.same(verify(subscriber, second), verify(subscriber, first));
  const [before, after] = [first, second].map(({ headers }) =>
    Number(headers['webhook-timestamp']),
  );
  t.ok(after! >= before!);
});

t.test('the timestamp is that of the attempt', async (t) => {
  const receiver = await receiverOf(t, answer(500), answer(204));
  const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '3600' });
  const background = await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  await service.hold();
  const first = await receiver.request(1);
  await service.untilDelivery(subscriber, ({ attempts }) => attempts === 1);
  // The clocks of the database and of the process move one after the other. A claim skips locked
  // rows, so nothing is sent in between.
  await service.context.database.transaction().execute(async (transaction) => {
    const released = transaction
      .selectFrom('webhook_subscriptions')
      .select('id')
      .where('claimed_until', 'is', null)
      .forUpdate();
    while ((await released.executeTakeFirst()) === undefined);
    await service.shiftClock(2 * 3_600_000);
  });
  await background.sweeper.sweep();
  const second = await receiver.request(2);
  const apart =
    Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp']);
  t.ok(Math.abs(apart - 7200) < 60, `${apart} s`);
});

t.test('the body is the public booking as of the commit, without personal data', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  const subscriber = await service.subscribe(receiver);
  const { id, checkoutPath } = await service.hold();
  const read = async () => (await service.app.inject(`/api/public/bookings/${id}`)).json().data;
  const held = await read();
  // Confirmed before anything is sent; the first event must still say pending.
  await service.app.inject({
    method: 'POST',
    url: checkoutPath,
    headers: {
      origin: service.context.config.publicBaseUrl,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'action=confirm',
  });
  const confirmed = await read();
  await service.startBackground();
  await receiver.request(2);
  const events = receiver.requests.map((request) => verify(subscriber, request));
  for (const [type, data] of [
    ['hold.created', held],
    ['booking.confirmed', confirmed],
  ]) {
    const event = events.find((each) => each.type === type)!;
    t.ok(isDeepStrictEqual(event.data, data), `${type}: as GET /bookings/{id} had it`);
    t.strictSame(Object.keys(event), ['type', 'timestamp', 'data']);
    t.match(event.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  }
  const sent = receiver.requests
    .flatMap(({ body, rawHeaders, path }) => [body.toString(), ...rawHeaders, path])
    .join('\n');
  for (const personal of ['Ada', 'ada@', '5555550142', checkoutPath.split('/').at(-1)!]) {
    t.notOk(sent.includes(personal), personal);
  }
});

t.test(
  'a subscriber receives the types that it subscribed to, and no event from before',
  async (t) => {
    const [all, some, late] = [await receiverOf(t), await receiverOf(t), await receiverOf(t)];
    const service = await startWebhookService(t);
    const everything = await service.subscribe(all);
    const expiries = await service.subscribe(some, ['hold.expired']);
    await service.hold();
    const newcomer = await service.subscribe(late);
    const background = await service.startBackground();
    await service.shiftClock(16 * 60_000);
    await background.sweeper.sweep();
    await all.request(2);
    await some.request(1);
    await late.request(1);
    const types = async (subscriber: typeof everything) =>
      (await service.read(subscriber)).recent_deliveries.map(({ type }) => type);
    t.strictSame(await types(everything), ['hold.expired', 'hold.created']);
    t.strictSame(await types(expiries), ['hold.expired']);
    t.strictSame(await types(newcomer), ['hold.expired']);
  },
);

t.test('a deleted subscription receives nothing more, pending retries included', async (t) => {
  const receiver = await receiverOf(t, answer(500));
  const other = await receiverOf(t);
  const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '600,600' });
  const background = await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  await service.subscribe(other);
  await service.hold();
  await service.untilDelivery(subscriber, ({ attempts }) => attempts === 1);
  await service.unsubscribe(subscriber);
  await service.shiftClock(3_600_000);
  await background.sweeper.sweep();
  await service.hold();
  // The other subscriber has the expiry and the new hold, which were dispatched together.
  await other.request(3);
  t.equal(receiver.requests.length, 1);
  const { rows } = await service.context.pool.query(
    'select count(*)::integer as left from webhook_deliveries where subscription_id = $1',
    [subscriber.id],
  );
  t.equal(rows[0].left, 0, 'its deliveries are deleted');
});

t.test('a subscription deleted while it is sent to receives no further request', async (t) => {
  const receiver = await receiverOf(t, { kind: 'late answer', status: 204, afterMs: 200 });
  const service = await startWebhookService(t);
  const subscriber = await service.subscribe(receiver);
  await service.prove(subscriber);
  for (let count = 0; count < 6; count += 1) await service.hold();
  await service.startBackground();
  await receiver.request(requestsPerSubscription);
  await service.unsubscribe(subscriber);
  const { connection, log } = service.context;
  const bullmq = connectBullmq(null, connection, log);
  const { webhooks } = createQueues(bullmq);
  t.teardown(() => bullmq.close());
  for (const queue of Object.values(webhooks)) {
    while (Object.values((await queue.countJobs()).counts).some((count) => count > 0));
  }
  t.equal(receiver.requests.length, requestsPerSubscription);
});

t.test('a subscription lists its last 20 deliveries, newest first', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  const ids: string[] = [];
  for (let count = 0; count < 22; count += 1) ids.push((await service.hold()).id);
  await receiver.request(22);
  const { recent_deliveries } = await service.read(subscriber);
  t.equal(recent_deliveries.length, 20);
  const bookings = new Map(
    receiver.requests.map((request) => [
      request.headers['webhook-id'],
      verify(subscriber, request).data.id,
    ]),
  );
  t.strictSame(
    recent_deliveries.map(({ event_id }) => bookings.get(event_id)),
    ids.reverse().slice(0, 20),
  );
});
