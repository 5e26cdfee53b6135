import t from 'tap';
import { createDatabase, createPool } from '../../src/database/pool.js';
import { createLogger } from '../../src/platform/log.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { createTestDatabase } from '../support/database.js';
import { postHold, postWebhook } from '../support/http-requests.js';
import { spawnService } from '../support/process.js';
import { answer, startReceiver } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { generous, secretKey } from '../support/service.js';
import { eventOf } from '../support/webhooks.js';

void t.test(
  'setting or unsetting REDIS_URL between starts, or kill -9 while a webhook is sent, loses no work: all is done exactly once',
  { skip: redisMissing },
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    // It bears that its database is dropped while its connections are being closed.
    const pool = createPool({ connectionString }, createLogger('silent'));
    t.teardown(() => pool.end());
    const database = createDatabase(pool);
    // The first attempt in each process fails, so that a retry is queued.
    const receiver = await startReceiver(answer(500));
    t.teardown(() => receiver.close());
    const withoutRedis = {
      ...generous,
      DATABASE_URL: connectionString,
      SECRET_KEY: secretKey,
      DATA_DIR: t.testdir(),
      HOLD_LIFETIME_SECONDS: '5',
      WEBHOOK_RETRY_SCHEDULE_SECONDS: '3,3,3,3,3',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    };
    const withRedis = { ...withoutRedis, REDIS_URL: await redisUrl(t) };

    const expected = new Map<string, Set<string>>();
    const left = async () => {
      const { rows } = await pool.query<{ left: number }>(`
        select (select count(*) from bookings where status = 'pending')::integer
          + (select count(*) from events where dispatched_at is null)::integer
          + (select count(*) from webhook_deliveries where status = 'pending')::integer as left`);
      return rows[0]?.left;
    };
    const hold = async (url: string) => {
      const { id } = await postHold(url);
      expected.set(id, new Set(['hold.created', 'hold.expired']));
    };
    for (const environment of [withoutRedis, withRedis]) {
      const service = await spawnService(t, environment);
      if (environment === withoutRedis) await postWebhook(service.url, receiver.origin);
      receiver.behave(answer(500));
      const sent = receiver.requests.length;
      await hold(service.url);
      // The first attempt has failed: the retry and the expiry are jobs in this store.
      await receiver.request(sent + 1);
      t.equal(await service.end('SIGTERM'), 0);
      t.match(service.output(), 'private addresses (WEBHOOK_ALLOW_PRIVATE_TARGETS)');
      receiver.behave(answer(204));
    }
    const killed = await spawnService(t, withoutRedis);
    while ((await left()) !== 0);
    receiver.behave({ kind: 'hang' }, answer(204));
    const sent = receiver.requests.length;
    await hold(killed.url);
    const attempted = await receiver.request(sent + 1);
    await killed.end('SIGKILL');
    await attempted.closed;
    // Until the dead process's claim has expired.
    await shiftDatabaseClock(database, 30_000);
    const last = await spawnService(t, withoutRedis);
    while ((await left()) !== 0);
    const id = attempted.headers['webhook-id'];
    const again = receiver.requests.filter(({ headers }) => headers['webhook-id'] === id);
    t.equal(again.length, 2);
    t.ok(again[1]?.body.equals(attempted.body));
    t.equal(await last.end('SIGTERM'), 0);

    const { rows: events } = await pool.query<{ id: string; type: string }>(
      'select booking_id as id, type from events where booking_id is not null order by position',
    );
    const counts = new Map<string, string[]>();
    for (const { id, type } of events) counts.set(id, [...(counts.get(id) ?? []), type]);
    for (const [id, types] of expected) t.strictSame(counts.get(id), [...types], 'each event once');
    const { rows: deliveries } = await pool.query<{ status: string; count: number }>(
      'select status, count(*)::integer as count from webhook_deliveries group by status',
    );
    t.strictSame(deliveries, [{ status: 'delivered', count: 2 * expected.size }]);
    for (const request of receiver.requests) {
      const { type, data } = eventOf(request);
      expected.get(data.id)?.delete(type);
    }
    t.ok(
      [...expected.values()].every((types) => types.size === 0),
      'the receiver got every event',
    );
  },
);
