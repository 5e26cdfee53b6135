import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import { createKeyedMutex } from '../../src/platform/keyed-mutex.js';
import { noMetrics } from '../../src/platform/metrics/metrics.js';
import { createCheckoutToken } from '../../src/platform/tokens.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { createTestDatabase } from '../support/database.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startTestService } from '../support/service.js';

/** What the log says of requests that were refused with 503. */
const refusals = /"code":"service_unavailable"/;

interface Answer {
  status: number;
  retryAfter: number;
  code: string | undefined;
  milliseconds: number;
  /** The origins whose pages may read it. */
  readableFor: string | undefined;
}

/** Below the 300 pages that an address may open in a minute. */
const requestsPerAddress = 200;
let asked = 0;

/** A request that costs one query of its own; of a booking that is not there. */
function askForState(url: string): Promise<Answer> {
  const localAddress = `127.0.1.${Math.floor(asked / requestsPerAddress) + 1}`;
  asked += 1;
  return ask(`${url}/checkout/${createCheckoutToken()}/state`, localAddress);
}

/** One request on a connection of its own. */
async function ask(url: string, localAddress = '127.0.0.1'): Promise<Answer> {
  const began = performance.now();
  const asking = request(url, { agent: false, localAddress }).end();
  const [response] = (await once(asking, 'response')) as [import('node:http').IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const body = JSON.parse(text) as { error?: { code: string } };
  return {
    status: response.statusCode ?? 0,
    retryAfter: Number(response.headers['retry-after']),
    code: body.error?.code,
    milliseconds: performance.now() - began,
    readableFor: response.headers['access-control-allow-origin'],
  };
}

void t.test(
  'with a slow database, requests beyond its capacity get 503 with Retry-After, until it is fast again',
  async (t) => {
    const database = await createTestDatabase(t);
    const { proxy, connectionString } = await startDatabaseProxy(t, database.connectionString);
    const service = await startTestService(t, { ...generous, DATABASE_URL: connectionString });
    service.expectLog(lostDatabase, refusals);
    const booking = () => askForState(service.url);
    t.equal((await booking()).status, 404);

    proxy.slow(400);
    const responses = await Promise.all(Array.from({ length: 1_500 }, booking));
    const refused = responses.filter(({ status }) => status === 503);
    const served = responses.filter(({ status }) => status === 404);
    t.equal(
      refused.length + served.length,
      responses.length,
      'every request is answered, by 404 or 503',
    );
    t.ok(served.length > 0, `${served.length} served, ${refused.length} refused`);
    t.ok(refused.length > 0);
    t.ok(refused.every(({ code }) => code === 'service_unavailable'));
    t.ok(refused.every(({ retryAfter }) => retryAfter >= 1 && retryAfter <= 3));
    const longest = Math.max(...responses.map(({ milliseconds }) => milliseconds));
    t.ok(longest < 20_000, `the longest took ${Math.round(longest)} ms`);

    proxy.restore();
    let answer = await booking();
    while (answer.status === 503) answer = await booking();
    t.equal(answer.status, 404);
    t.equal((await ask(`${service.url}/readyz`)).status, 200);
  },
);

/** Resolves when the pool has lent a connection. */
async function nextAcquired(pool: pg.Pool): Promise<void> {
  await once(pool, 'acquire');
}

void t.test(
  'a connection that is cut during a query is one 503, a silent one costs a bounded wait, and both are discarded',
  async (t) => {
    const database = await createTestDatabase(t);
    const { proxy, connectionString } = await startDatabaseProxy(t, database.connectionString);
    const service = await startTestService(t, { ...generous, DATABASE_URL: connectionString });
    service.expectLog(lostDatabase, refusals);
    const booking = () => askForState(service.url);
    t.equal((await booking()).status, 404);

    proxy.slow(200);
    const interrupted = booking();
    await nextAcquired(service.context.pool);
    proxy.cut();
    t.equal((await interrupted).status, 503, 'cut in mid-query');
    proxy.slow(0);
    t.equal((await booking()).status, 404);

    proxy.swallow();
    const silenced = await booking();
    t.equal(silenced.status, 503);
    t.ok(silenced.retryAfter >= 1);
    t.ok(silenced.milliseconds < 10_000, `${Math.round(silenced.milliseconds)} ms`);

    proxy.restore();
    let answer = await booking();
    while (answer.status === 503) answer = await booking();
    t.equal(answer.status, 404);
  },
);

void t.test('a lock timeout is a 503, and the next request is served', async (t) => {
  const database = await createTestDatabase(t);
  const service = await startTestService(t, {
    ...generous,
    DATABASE_URL: database.connectionString,
  });
  service.expectLog(refusals);
  const [slot] = await someOpenSlots(service.context, 1);
  const other = new pg.Client(database);
  await other.connect();
  t.teardown(() => other.end());
  await other.query('begin');
  await other.query('lock table bookings in exclusive mode');
  const hold = () =>
    fetch(`${service.url}/api/public/holds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(holdRequest(slot!)),
    });
  const refused = await hold();
  t.equal(refused.status, 503);
  t.ok(Number(refused.headers.get('retry-after')) >= 1);
  await other.query('rollback');
  t.equal((await hold()).status, 201);
});

void t.test(
  'reads of bookings under load share one connection, and beyond a thousand get 503 at once',
  async (t) => {
    const database = await createTestDatabase(t);
    const { context, url, expectLog } = await startTestService(t, {
      ...generous,
      DATABASE_URL: database.connectionString,
    });
    expectLog(refusals);
    const id = randomUUID();
    const path = `${url}/api/public/bookings/${id}`;
    t.equal((await ask(path)).status, 404);
    const other = new pg.Client(database);
    await other.connect();
    t.teardown(() => other.end());
    await other.query('begin');
    await other.query('lock table bookings in access exclusive mode');

    const reads = Array.from({ length: 1_000 }, () => context.publicBookings(id));
    const refused = await ask(path);
    t.equal(refused.status, 503);
    t.equal(refused.code, 'service_unavailable');
    t.ok(refused.retryAfter >= 1 && refused.retryAfter <= 3);
    t.equal(context.pool.totalCount - context.pool.idleCount, 1, 'one query for all of them');
    await other.query('rollback');
    t.ok((await Promise.all(reads)).every((booking) => booking === null));
    t.equal((await ask(path)).status, 404, 'and there is room again');
  },
);

void t.test('a statement timeout is a 503, and the next request is served', async (t) => {
  const service = await startTestService(t);
  service.expectLog(refusals);
  const [slot] = await someOpenSlots(service.context, 1);
  const hold = () =>
    fetch(`${service.url}/api/public/holds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(holdRequest(slot!)),
    });
  const { pool, database } = service.context;
  await pool.query(`create or replace function booking_now() returns timestamptz
      language sql volatile as $$ select clock_timestamp() from pg_sleep(60) $$`);
  const began = performance.now();
  const refused = await hold();
  t.equal(refused.status, 503);
  t.ok(Number(refused.headers.get('retry-after')) >= 1);
  const tookMs = Math.round(performance.now() - began);
  t.ok(tookMs < 15_000, `${tookMs} ms`);
  await shiftDatabaseClock(database, 0);
  t.equal((await hold()).status, 201);
});

void t.test(
  'while the event loop lags, requests get 503 with Retry-After and the liveness probe is answered, until it recovers',
  async (t) => {
    const service = await startTestService(t, { ...generous, MAX_EVENT_LOOP_DELAY_MS: '500' });
    service.expectLog(refusals);
    const studio = () => ask(`${service.url}/api/public/studio`);
    let lagging = true;
    const lag = (async () => {
      while (lagging) {
        const until = performance.now() + 1_300;
        while (performance.now() < until);
        await nextTurn();
      }
    })();
    let answer = await studio();
    while (answer.status !== 503) answer = await studio();
    t.equal(answer.code, 'service_unavailable');
    t.ok(answer.retryAfter >= 1 && answer.retryAfter <= 3);
    t.equal(answer.readableFor, '*', 'a browser tells its page when to come back');
    t.equal((await ask(`${service.url}/healthz`)).status, 200);
    lagging = false;
    await lag;
    while (answer.status === 503) answer = await studio();
    t.equal(answer.status, 200);
  },
);

void t.test(
  'a request that waits too long for the mutex is rejected, and the queue empties',
  async (t) => {
    let now = 0;
    const turns = createKeyedMutex(noMetrics, () => now);
    let finish: () => void = () => undefined;
    const slow = turns.run('slot', () => new Promise<void>((resolve) => (finish = resolve)));
    let worked = 0;
    const waiting = Array.from({ length: 100 }, () =>
      turns.run('slot', async () => {
        worked += 1;
      }),
    );
    await nextTurn();
    now = 6_000;
    const late = turns.run('slot', async () => 'served');
    finish();
    await slow;
    for (const each of waiting) {
      await t.rejects(each, { code: 'service_unavailable', retryAfterSeconds: Number });
    }
    t.equal(worked, 0);
    t.equal(await late, 'served', 'who came later has not waited too long');
  },
);
