import t from 'tap';
import { startBackground } from '../../src/background.js';
import { answer, startReceiver, type Behaviour } from '../support/receiver.js';
import { startWebhookService, type WebhookService } from '../support/webhooks.js';

/** A request that hangs ends only with its receiver: what waits for it, waits without end. */
const patience = { totalSeconds: 3_600 };

async function attemptsOf({ context }: WebhookService, id: string) {
  const { rows } = await context.pool.query<{ status: string; attempts: number }>(
    'select status, attempts from webhook_deliveries where subscription_id = $1',
    [id],
  );
  return rows;
}

t.test(
  'a stop aborts requests in flight: their deliveries stay due, the attempt does not count',
  async (t) => {
    const service = await startWebhookService(t, {}, patience);
    const background = await startBackground(service.context);
    const shop = await service.subscriber(t, [{ kind: 'hang' }, answer(204)]);
    await service.hold();
    const aborted = await shop.request(1);
    await background.stop();
    await aborted.closed;
    const [delivery] = (await service.read(shop)).recent_deliveries;
    t.match(delivery, { status: 'pending', attempts: 0, last_attempt_at: null });
    await service.startBackground();
    await shop.request(2);
    const delivered = ({ status }: { status: string }) => status === 'delivered';
    t.match(await service.untilDelivery(shop, delivered), { attempts: 1 });
  },
);

t.test('on a service with as many connections as it likes', async (t) => {
  const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0' }, patience);
  await service.startBackground();

  await t.test(
    'receivers that hang, drip, pour, reset and fail delay no other, nor does a slow request the next event of its receiver',
    async (t) => {
      const slow = await service.subscriber(t, [{ kind: 'hang' }, answer(204)]);
      await service.prove(slow);
      const bad: Behaviour[] = [
        { kind: 'hang' },
        { kind: 'drip head', everyMs: 1000 },
        { kind: 'gigabyte', status: 200 },
        { kind: 'reset' },
        answer(500),
      ];
      for (const behaviour of bad) {
        for (let count = 0; count < 3; count += 1) await service.subscriber(t, [behaviour]);
      }
      const good = await service.subscriber(t);
      for (const count of [1, 2, 3]) {
        await service.hold();
        await good.request(count);
        await slow.request(count);
      }
      t.equal(good.requests.length, 3);
    },
  );

  await t.test('hundreds of events at once reach one receiver, each once', async (t) => {
    const shop = await service.subscriber(t);
    await service.prove(shop);
    // More than one read of what is due returns.
    await service.repeatEvent(519);
    await service.hold();
    await shop.request(520);
    t.equal(new Set(shop.requests.map(({ headers }) => headers['webhook-id'])).size, 520);
    t.ok(shop.connectionCount() <= 4, 'over reused connections');
    while ((await attemptsOf(service, shop.id)).some(({ status }) => status === 'pending'));
    t.ok((await attemptsOf(service, shop.id)).every(({ attempts }) => attempts === 1));
  });
});

t.test('on a service with 24 connections', async (t) => {
  const service = await startWebhookService(t, {}, { ...patience, maxConnections: 24 });

  await t.test('requests and idle connections stay within them', async (t) => {
    const busy = await startReceiver({ kind: 'late answer', status: 204, afterMs: 20 });
    t.teardown(() => busy.close());
    const others = await Promise.all(Array.from({ length: 20 }, () => service.subscriber(t)));
    for (let count = 0; count < 20; count += 1) await service.subscribe(busy);
    await service.hold();
    await service.startBackground();
    await busy.request(20);
    t.ok(busy.mostAtOnce() <= 8, `${busy.mostAtOnce()} at once`);
    const requests = await Promise.all(others.map((receiver) => receiver.request(1)));
    const kept = requests.filter(({ headers }) => headers['connection'] !== 'close');
    t.ok(kept.length <= 16, `${kept.length} connections kept`);
  });

  await t.test('receivers that hang do not take the places of those that work', async (t) => {
    const hanging = await Promise.all(
      Array.from({ length: 6 }, () => service.subscriber(t, [{ kind: 'hang' }])),
    );
    const good = await service.subscriber(t);
    await service.prove(good);
    await service.hold();
    await Promise.any(hanging.map((receiver) => receiver.request(1)));
    await good.request(1);
    await service.hold();
    await good.request(2);
    const waiting = hanging.filter(({ requests }) => requests.length === 0);
    t.ok(waiting.length >= 4, 'which wait for one another');
  });
});
