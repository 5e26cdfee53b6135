import t, { type Test } from 'tap';
import { createApiKey } from '../../src/access/api-keys.js';
import { freePort } from '../support/process.js';
import { answer, startReceiver, type Receiver } from '../support/receiver.js';
import { callerNumber } from '../support/requests.js';
import { studioIn, type Studio } from '../support/studio.js';
import { startWebhookService, type WebhookService } from '../support/webhooks.js';

async function receiverOf(t: Test, ...behaviours: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...behaviours);
  t.teardown(() => receiver.close());
  return receiver;
}

function studioOf({ context }: WebhookService): Studio {
  const { databaseUrl, secretKey } = context.config;
  return studioIn({ DATABASE_URL: databaseUrl!, SECRET_KEY: secretKey! });
}

/** Resolves with the ids of the events that the receiver has got, once there are `count`. */
async function eventIds(receiver: Receiver, count: number): Promise<(string | undefined)[]> {
  await receiver.request(count);
  return receiver.requests.map(({ headers }) => headers['webhook-id']);
}

void t.test(
  'what failed since a time is sent again to all that live, and what is disabled gets nothing',
  async (t) => {
    const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0' });
    const studio = studioOf(service);
    await service.startBackground();
    const [one, other] = [await receiverOf(t, answer(500)), await receiverOf(t, answer(500))];
    const failing = await service.subscribe(one, ['hold.created']);
    const disabled = await service.subscribe(other, ['hold.created']);
    await service.hold();
    const failed = ({ status }: { status: string }) => status === 'failed';
    for (const each of [failing, disabled]) await service.untilDelivery(each, failed);
    const [eventId] = await eventIds(one, 1);

    t.match(await studio('webhooks', 'disable', disabled.id, '--yes'), { code: 0 });
    t.match(await service.read(disabled), { status: 'disabled', disabled_reason: 'studio' });
    t.equal((await studio('webhooks', 'disable', disabled.id, '--yes')).code, 4);
    one.behave(answer(204));
    const again = await studio('webhooks', 'redeliver', '--failed-since', '1h', '--yes', '--json');
    t.match(again.json(), { redelivered: 1, subscriptions: [failing.id] });
    t.strictSame(await eventIds(one, 3), [eventId, eventId, eventId], 'the same event');
    await service.untilDelivery(failing, ({ status }) => status === 'delivered');
    t.equal(other.requests.length, 2);

    const sinceThen = ['--failed-since', '1h', '--yes'];
    t.equal((await studio('webhooks', 'redeliver', ...sinceThen)).code, 3, 'nothing is left');
    t.equal((await studio('webhooks', 'redeliver', disabled.id, ...sinceThen)).code, 4);

    t.match(await studio('webhooks', 'enable', disabled.id), { code: 0 });
    t.equal((await studio('webhooks', 'enable', disabled.id)).code, 4, 'it is not disabled');
    t.match(await service.read(disabled), { status: 'active', disabled_reason: null });
    other.behave(answer(204));
    await service.hold();
    const since = await eventIds(other, 3);
    t.not(since[2], eventId, 'what happens from then on is sent');
    const missed = ['webhooks', 'redeliver', disabled.id.slice(0, 8), '--event', eventId!, '--yes'];
    t.match(await studio(...missed), { code: 0, stdout: /^Due: 1 delivery\./ });
    t.equal((await eventIds(other, 4))[3], eventId);
  },
);

void t.test('a Redis that does not answer keeps no command waiting', async (t) => {
  const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0' });
  const { databaseUrl, secretKey } = service.context.config;
  const studio = studioIn({
    DATABASE_URL: databaseUrl!,
    SECRET_KEY: secretKey!,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  });
  await service.startBackground();
  const receiver = await receiverOf(t, answer(500), answer(500), answer(204));
  const subscriber = await service.subscribe(receiver, ['hold.created']);
  await service.hold();
  await service.untilDelivery(subscriber, ({ status }) => status === 'failed');

  const again = await studio('webhooks', 'redeliver', '--failed-since', '1h', '--yes');
  t.match(again, { code: 0, stdout: /Due: 1 delivery\./ });
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  const examined = await studio('doctor', '--json');
  const { checks } = examined.json<{ checks: { check: string; status: string }[] }>();
  t.match(
    checks.filter(({ status }) => status === 'failure'),
    [{ check: 'queues', message: 'Redis (REDIS_URL) does not answer about the queues.' }],
  );
  t.equal(examined.code, 5);
});

void t.test('lists show addresses, and never what signs or manages them', async (t) => {
  const service = await startWebhookService(t);
  const studio = studioOf(service);
  const subscriber = await service.subscribe(await receiverOf(t));
  await service.startBackground();
  await service.hold();
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  const hash = await service.context.pool.query<{ hash: string }>(
    "select encode(manage_token_hash, 'hex') as hash from webhook_subscriptions",
  );
  for (const args of [['list'], ['show', subscriber.id]]) {
    for (const format of [[], ['--json']]) {
      const { code, stdout } = await studio('webhooks', ...args, ...format);
      t.equal(code, 0);
      t.match(stdout, /127\.0\.0\.1/);
      t.notMatch(stdout, /whsec_|tsm_/);
      t.notMatch(stdout, hash.rows[0]!.hash.slice(0, 16));
    }
  }
  t.match(await studio('webhooks', 'show', subscriber.id), { stdout: /hold\.created +delivered/ });
});

void t.test('a revoked key is served as none, on the next request', async (t) => {
  const service = await startWebhookService(t);
  const studio = studioOf(service);
  const policyOf = async (key: string) => {
    const response = await service.app.inject({
      url: '/api/public/studio',
      headers: { authorization: `Bearer ${key}` },
    });
    return response.headers['ratelimit-policy'];
  };
  const made = await Promise.all(
    [1, 2, 3].map((number) =>
      createApiKey(service.context, callerNumber(1), {
        email: 'Ada@Example.com',
        label: `agent ${number}`,
      }),
    ),
  );
  const [byKey, byPrefix, byEmail] = made;
  const keyed = await policyOf(byKey!.key);
  const anonymous = await policyOf('none');
  const untilAnonymous = async (key: string) => {
    while ((await policyOf(key)) !== anonymous);
  };
  for (const { key } of made) t.equal(await policyOf(key), keyed);

  t.match(await studio('keys', 'revoke', byKey!.key, '--yes'), { code: 0 });
  await untilAnonymous(byKey!.key);
  t.match(await studio('keys', 'revoke', byPrefix!.id.slice(0, 8), '--yes'), { code: 0 });
  await untilAnonymous(byPrefix!.key);
  t.equal(await policyOf(byEmail!.key), keyed);
  const all = await studio('keys', 'revoke', 'ada@example.com', '--yes', '--json');
  t.strictSame(all.json(), { revoked: [byEmail!.id] });
  await untilAnonymous(byEmail!.key);

  const mistyped = `${byKey!.key.slice(0, -1)}${byKey!.key.endsWith('A') ? 'B' : 'A'}`;
  t.match(await studio('keys', 'revoke', mistyped), { code: 2, stderr: /mistyped/ });
  t.equal((await studio('keys', 'revoke', 'nobody@example.com', '--yes')).code, 3);
  const listed = await studio('keys', 'list', '--json');
  for (const { key } of made) t.notMatch(listed.stdout, key);
  const forgotten = await studio('bookings', 'forget', 'ada@EXAMPLE.com', '--yes', '--json');
  t.match(forgotten.json(), { api_keys_deleted: 3 });
  t.strictSame((await studio('keys', 'list', '--json')).json(), []);
});
