import t, { type Test } from 'tap';
import { startBackground } from '../../src/background.js';
import { answer, startReceiver, type Behaviour, type Receiver } from '../support/receiver.js';
import { soonMs, withinASecond } from '../support/seconds.js';
import { startWebhookService } from '../support/webhooks.js';

async function receiverOf(t: Test, ...behaviours: Behaviour[]): Promise<Receiver> {
  const receiver = await startReceiver(...behaviours);
  t.teardown(() => receiver.close());
  return receiver;
}

const bad: Record<string, Behaviour> = {
  hangs: { kind: 'hang' },
  'drips a byte a second': { kind: 'drip head', everyMs: 1000 },
  'sends a gigabyte': { kind: 'gigabyte', status: 200 },
  resets: { kind: 'reset' },
  'answers with failures': answer(500),
};

const takesLong = ['hangs', 'drips a byte a second'];

t.test(
  'receivers that hang, drip, pour, reset and fail do not delay others beyond a second',
  async (t) => {
    // Only two retries: more would measure this machine, which sends and receives.
    const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0' });
    await service.startBackground();
    for (const [name, behaviour] of Object.entries(bad)) {
      // More of the slow ones, since each keeps a job and its requests busy.
      for (let count = 0; count < (takesLong.includes(name) ? 20 : 5); count += 1) {
        await service.subscribe(await receiverOf(t, behaviour));
      }
    }
    const good = await receiverOf(t);
    await service.subscribe(good);
    const times: number[] = [];
    for (let count = 1; count <= 5; count += 1) {
      await service.hold();
      const heldAt = performance.now();
      const { receivedAt } = await good.request(count);
      times.push(receivedAt - heldAt);
    }
    withinASecond(t, times);
  },
);

t.test('a receiver has at most two requests at once, with three processes', async (t) => {
  const receiver = await receiverOf(t, { kind: 'late answer', status: 204, afterMs: 100 });
  const service = await startWebhookService(t);
  await service.prove(await service.subscribe(receiver));
  for (let count = 0; count < 10; count += 1) await service.hold();
  // Each has its own queues and workers, as in a process of its own.
  const others = [await startBackground(service.context), await startBackground(service.context)];
  t.teardown(() => Promise.all(others.map((other) => other.stop())));
  await service.startBackground();
  await receiver.request(10);
  t.equal(receiver.mostAtOnce(), 2);
});

t.test('a slow request does not delay the next event of the same receiver', async (t) => {
  const receiver = await receiverOf(t, { kind: 'hang' }, answer(204));
  const service = await startWebhookService(t);
  await service.startBackground();
  await service.prove(await service.subscribe(receiver));
  await service.hold();
  await receiver.request(1);
  await service.hold();
  const heldAt = performance.now();
  const { receivedAt } = await receiver.request(2);
  t.ok(receivedAt - heldAt < soonMs, `${Math.round(receivedAt - heldAt)} ms`);
});

t.test('requests and idle connections stay within what is left of the descriptors', async (t) => {
  const service = await startWebhookService(t, {}, { maxConnections: 24 });
  const busy = await receiverOf(t, { kind: 'late answer', status: 204, afterMs: 20 });
  const others = await Promise.all(Array.from({ length: 30 }, () => receiverOf(t)));
  for (const receiver of [...others.map(() => busy), ...others]) await service.subscribe(receiver);
  await service.hold();
  await service.startBackground();
  await busy.request(others.length);
  t.ok(busy.mostAtOnce() <= 8, `${busy.mostAtOnce()} at once`);
  const requests = await Promise.all(others.map((receiver) => receiver.request(1)));
  const kept = requests.filter(({ headers }) => headers['connection'] !== 'close');
  t.ok(kept.length <= 16, `${kept.length} connections kept`);
});

t.test('a thousand events at once reach one receiver, each once', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  await service.prove(await service.subscribe(receiver));
  await service.hold();
  await service.repeatEvent(999);
  await service.startBackground();
  await receiver.request(1000);
  t.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1000);
  t.ok(receiver.connectionCount() <= 4, 'over reused connections');
});
