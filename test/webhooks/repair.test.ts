import t, { type Test } from 'tap';
import type { Availability } from '../../generated/schemas.js';
import { startBackground } from '../../src/background.js';
import { createDatabase } from '../../src/database/pool.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { disableWebhook, enableWebhook } from '../../src/domain/webhook-admin.js';
import { resealSigningSecrets } from '../../src/domain/webhooks.js';
import { answer, startReceiver, type Behaviour, type Receiver } from '../support/receiver.js';
import { createTestDatabase } from '../support/database.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { spawnService } from '../support/process.js';
import { generous } from '../support/service.js';
import { startWebhookService, verify } from '../support/webhooks.js';
import pg from 'pg';

async function receiverOf(t: Test, ...behaviours: Behaviour[]): Promise<Receiver> {
  const receiver = await startReceiver(...behaviours);
  t.teardown(() => receiver.close());
  return receiver;
}

t.test('a delivery that kill -9 interrupts is sent after the next start', async (t) => {
  const receiver = await receiverOf(t, { kind: 'hang' }, answer(204));
  const { connectionString } = await createTestDatabase(t);
  const pool = new pg.Pool({ connectionString });
  t.teardown(() => pool.end());
  const environment = {
    ...generous,
    DATABASE_URL: connectionString,
    SECRET_KEY: 'a secret that only the tests know, of enough length',
    DATA_DIR: t.testdir(),
  };
  const first = await spawnService(t, environment);
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${first.url}/api/public/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    t.equal(answer.status, 201);
    return ((await answer.json()) as { data: Record<string, string> }).data;
  };
  const subscription = await post('webhooks', { url: `${receiver.origin}/hook` });
  const from = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const to = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  const open = await fetch(`${first.url}/api/public/availability?from=${from}&to=${to}`);
  const { data } = (await open.json()) as { data: Availability };
  const [day] = data.days;
  const hold = await post('holds', {
    date: day?.date,
    time_slot: day?.slots[0]?.time_slot,
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
  });
  const attempted = await receiver.request(1);
  await first.end('SIGKILL');
  await attempted.closed;

  // Until the dead process's claim has expired.
  await shiftDatabaseClock(createDatabase(pool), 30_000);
  const second = await spawnService(t, environment);
  const request = await receiver.request(2);
  t.equal(request.headers['webhook-id'], attempted.headers['webhook-id']);
  t.ok(request.body.equals(attempted.body));
  const subscriber = { id: '', secret: subscription['signing_secret']!, manageToken: '' };
  t.match(verify(subscriber, request), { type: 'hold.created', data: { id: hold['id'] } });
  t.equal(await second.end('SIGTERM'), 0);
});

t.test(
  'a shutdown aborts requests in flight: their deliveries stay due, the attempt does not count',
  async (t) => {
    const receiver = await receiverOf(t, { kind: 'hang' }, answer(204));
    const service = await startWebhookService(t);
    const background = await startBackground(service.context);
    const subscriber = await service.subscribe(receiver);
    await service.hold();
    const aborted = await receiver.request(1);
    const began = performance.now();
    await background.stop();
    t.ok(performance.now() - began < 5_000, 'at once');
    await aborted.closed;
    const [delivery] = (await service.read(subscriber)).recent_deliveries;
    t.match(delivery, { status: 'pending', attempts: 0, last_attempt_at: null });
    await service.startBackground();
    await receiver.request(2);
    t.match(await service.untilDelivery(subscriber, ({ status }) => status === 'delivered'), {
      attempts: 1,
    });
  },
);

t.test('a delivery whose job was lost is sent by the next sweep, once', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  const subscriber = await service.subscribe(receiver);
  await service.hold();
  // Due again, without a job.
  const background = await service.startBackground();
  await receiver.request(1);
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  await service.context.pool.query(`
    update webhook_deliveries set status = 'pending', next_attempt_at = booking_now()`);
  await Promise.all([background.sweeper.sweep(), background.sweeper.sweep()]);
  await receiver.request(2);
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  await background.sweeper.sweep();
  await service.hold();
  await receiver.request(3);
  t.equal(receiver.requests.length, 3);
});

t.test('a claim that its process did not release expires', { timeout: 60_000 }, async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  const subscriber = await service.subscribe(receiver);
  await service.hold();
  const { pool } = service.context;
  await pool.query(
    `update webhook_subscriptions set claimed_until = booking_now() + interval '1.0005 seconds'`,
  );
  const background = await service.startBackground();
  // The first sweep adds a job for the end of the claim; there is no later sweep.
  await background.sweeper.stop();
  await receiver.request(1);
  t.match(await service.untilDelivery(subscriber, ({ status }) => status === 'delivered'), {
    attempts: 1,
  });
});

t.test('signing secrets are resealed after a rotation, and signatures stay valid', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  const subscriber = await service.subscribe(receiver);
  const { context } = service;
  const [before, after] = [
    'a secret that only the tests know, of enough length',
    'another secret that only the tests know, long enough',
  ];
  await resealSigningSecrets({ ...context, keyring: createKeyring(after, before) });
  context.keyring = createKeyring(after);
  await service.startBackground();
  await service.hold();
  t.match(verify(subscriber, await receiver.request(1)), { type: 'hold.created' });
});

t.test('deliveries that ended 30 days ago are deleted, pending ones are not', async (t) => {
  const receiver = await receiverOf(t, answer(204), answer(500), answer(204));
  const gone = await receiverOf(t, answer(410));
  const service = await startWebhookService(t, {
    WEBHOOK_RETRY_SCHEDULE_SECONDS: String(100 * 86_400),
  });
  const background = await service.startBackground();
  const subscriber = await service.subscribe(receiver);
  const disabled = await service.subscribe(gone, ['hold.created']);
  await service.hold();
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  while ((await service.read(disabled)).status === 'active');
  await service.hold();
  await service.untilDelivery(
    subscriber,
    ({ attempts, status }) => attempts === 1 && status === 'pending',
  );
  await service.shiftClock(29 * 86_400_000);
  await background.sweeper.sweep();
  t.equal((await service.read(disabled)).status, 'disabled');
  t.ok((await service.read(subscriber)).recent_deliveries.length >= 2);
  await service.shiftClock(31 * 86_400_000);
  await background.sweeper.sweep();
  await t.rejects(service.read(disabled), /manage_token_invalid/);
  const left = (await service.read(subscriber)).recent_deliveries;
  t.ok(left.every(({ status, type }) => status === 'pending' || type === 'hold.expired'));
  t.ok(left.some(({ status, type }) => status === 'pending' && type === 'hold.created'));
});

t.test('a failed delivery that was never attempted is deleted after 30 days, too', async (t) => {
  const receiver = await receiverOf(t);
  const service = await startWebhookService(t);
  const { sweeper, dispatcher } = await service.startBackground();
  const subscriber = await service.subscribe(receiver, ['hold.created']);
  const { database } = service.context;
  // Dispatched while another process has the claim, so that nothing is sent.
  await service.context.pool.query(
    "update webhook_subscriptions set claimed_until = booking_now() + interval '1 day'",
  );
  await service.hold();
  await dispatcher.dispatchAll();
  await disableWebhook({ database }, 'ada@desk', subscriber.id);
  await enableWebhook({ database }, 'ada@desk', subscriber.id);
  const left = async () => (await service.read(subscriber)).recent_deliveries;
  t.match(await left(), [{ status: 'failed', attempts: 0 }]);
  await service.shiftClock(29 * 86_400_000);
  await sweeper.sweep();
  t.equal((await left()).length, 1);
  await service.shiftClock(31 * 86_400_000);
  await sweeper.sweep();
  t.strictSame(await left(), []);
});
