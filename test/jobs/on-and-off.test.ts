import pg from 'pg';
import t from 'tap';
import { openSlots, placeHold } from '../../scripts/bench/slots.js';
import { createTestDatabase } from '../support/database.js';
import { answer, startReceiver } from '../support/receiver.js';
import { spawnService } from '../support/process.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { generous } from '../support/service.js';
import { eventOf } from '../support/webhooks.js';

async function subscribe(url: string, target: string): Promise<void> {
  const response = await fetch(`${url}/api/public/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: target }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
}

async function holdSomeSlot(url: string): Promise<string> {
  const [slot] = await openSlots(url, 1);
  return (await placeHold(url, slot!)).id;
}

void t.test(
  'setting or unsetting REDIS_URL between starts loses no work: what was queued in the other store is done exactly once',
  { skip: redisMissing },
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const database = new pg.Client({ connectionString });
    await database.connect();
    t.teardown(() => database.end());
    // The first attempt in each process fails, so that a retry is queued.
    const receiver = await startReceiver(answer(500));
    t.teardown(() => receiver.close());
    const withoutRedis = {
      ...generous,
      DATABASE_URL: connectionString,
      SECRET_KEY: 'a secret that only the tests know, of enough length',
      DATA_DIR: t.testdir(),
      HOLD_LIFETIME_SECONDS: '5',
      WEBHOOK_RETRY_SCHEDULE_SECONDS: '3,3,3,3,3',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    };
    const withRedis = { ...withoutRedis, REDIS_URL: await redisUrl(t) };

    const expected = new Map<string, Set<string>>();
    let isSubscribed = false;
    for (const environment of [withoutRedis, withRedis, withoutRedis, withRedis]) {
      const service = await spawnService(t, environment);
      if (!isSubscribed) await subscribe(service.url, receiver.origin);
      isSubscribed = true;
      receiver.behave(answer(500));
      const sent = receiver.requests.length;
      const id = await holdSomeSlot(service.url);
      expected.set(id, new Set(['hold.created', 'hold.expired']));
      // The first attempt has failed: the retry and the expiry are jobs in this store.
      await receiver.request(sent + 1);
      t.equal(await service.end('SIGTERM'), 0);
      receiver.behave(answer(204));
    }

    const last = await spawnService(t, withoutRedis);
    const left = async () => {
      const { rows } = await database.query<{ left: number }>(`
        select (select count(*) from bookings where status = 'pending')::integer
          + (select count(*) from events where dispatched_at is null)::integer
          + (select count(*) from webhook_deliveries where status = 'pending')::integer as left`);
      return rows[0]?.left;
    };
    while ((await left()) !== 0);
    t.equal(await last.end('SIGTERM'), 0);

    const { rows: events } = await database.query<{ id: string; type: string }>(
      'select booking_id as id, type from events where booking_id is not null order by position',
    );
    const counts = new Map<string, string[]>();
    for (const { id, type } of events) counts.set(id, [...(counts.get(id) ?? []), type]);
    for (const [id, types] of expected) t.strictSame(counts.get(id), [...types], 'each event once');
    const { rows: deliveries } = await database.query<{ status: string; count: number }>(
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
