import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createKeyedMutex } from '../../src/platform/concurrency.js';
import { isDatabaseUnavailable } from '../../src/platform/database-errors.js';
import { noMetrics } from '../../src/platform/metrics/metrics.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startService } from '../support/service.js';

// The timeouts of the connections are what is tested.
process.env['TEST_TRUE_TIMEOUTS'] = '1';

/** What the log says of requests that were refused with 503. */
const refusals = /"code":"service_unavailable"/;

/** A connection of its own, which locks the bookings until `rollback`. */
async function lockBookings(t: Test, connectionString: string, mode: string) {
  const other = new pg.Client({ connectionString });
  await other.connect();
  t.teardown(() => other.end());
  await other.query('begin');
  await other.query(`lock table bookings in ${mode} mode`);
  return { rollback: () => other.query('rollback') };
}

async function start(t: Test) {
  const { connectionString } = await createTestDatabase(t);
  const { proxy, connectionString: proxied } = await startDatabaseProxy(t, connectionString);
  const service = await startService(t, { ...generous, DATABASE_URL: proxied });
  service.expectLog(refusals);
  const [slot] = await someOpenSlots(service.context, 1);
  const hold = () =>
    service.app.inject({ method: 'POST', url: '/api/public/holds', payload: holdRequest(slot!) });
  /** Of a booking that is not there: costs one query. */
  const read = () => service.app.inject(`/api/public/bookings/${randomUUID()}`);
  return { ...service, connectionString, proxy, hold, read };
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['read']>>;

/** The status of the first answer that is no refusal: a busy machine may be slow, too. */
async function statusOnceServed(ask: () => Promise<Answer>): Promise<number> {
  let answer = await ask();
  while (answer.statusCode === 503) answer = await ask();
  return answer.statusCode;
}

function isRefused(t: Test, answer: Answer, title: string): void {
  t.equal(answer.statusCode, 503, title);
  t.match(answer.json(), { error: { code: 'service_unavailable' } }, title);
  const seconds = Number(answer.headers['retry-after']);
  t.ok(seconds >= 1 && seconds <= 3, `${title}: come back after ${seconds} s`);
}

// They wait for timeouts of seconds, each of a service of its own: side by side.
void t.test(
  'what the database does not do in time is a 503, and the next request is served',
  async (t) => {
    t.jobs = 4;
    const beside = { buffered: true };
    const cut = t.test('a connection that is cut, and a silent one', beside, async (t) => {
      const { context, proxy, read, expectLog } = await start(t);
      expectLog(lostDatabase);
      t.equal(await statusOnceServed(read), 404);
      proxy.slow(200);
      const acquired = once(context.pool, 'acquire');
      const interrupted = read();
      await acquired;
      proxy.cut();
      isRefused(t, await interrupted, 'cut in mid-query');
      proxy.slow(0);
      t.equal(await statusOnceServed(read), 404);

      proxy.swallow();
      isRefused(t, await read(), 'silent');
      proxy.restore();
      await until(async () => (await read()).statusCode === 404);
    });
    const lock = t.test('a lock timeout', beside, async (t) => {
      const { connectionString, hold } = await start(t);
      const { rollback } = await lockBookings(t, connectionString, 'exclusive');
      isRefused(t, await hold(), 'locked');
      await rollback();
      t.equal(await statusOnceServed(hold), 201);
    });
    const statement = t.test('a statement timeout', beside, async (t) => {
      const { context, hold } = await start(t);
      await context.pool.query(`create or replace function booking_now() returns timestamptz
        language sql volatile as $$ select clock_timestamp() from pg_sleep(60) $$`);
      isRefused(t, await hold(), 'a minute');
      await shiftDatabaseClock(context.database, 0);
      t.equal(await statusOnceServed(hold), 201);
    });
    const standby = t.test('a write to a server that became a standby', beside, async (t) => {
      const { context, hold, expectLog } = await start(t);
      expectLog(lostDatabase);
      const { database } = context;
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
        database,
      );
      const name = sql.id(rows[0]!.name);
      await sql`alter database ${name} set default_transaction_read_only = on`.execute(database);
      await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database);
      // The one connection that is left.
      await database.connection().execute(async (connection) => {
        await sql`set default_transaction_read_only = on`.execute(connection);
      });
      isRefused(t, await hold(), 'read only');
    });
    await Promise.all([cut, lock, statement, standby]);
  },
);

void t.test('a database that does not exist or answer is an outage', async (t) => {
  const failed = (code: string) => Object.assign(new Error('no'), { code });
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', '57P03', '08006', '53300']) {
    t.ok(isDatabaseUnavailable(failed(code)), code);
  }
  for (const code of ['23505', '42P01', 'EACCES']) {
    t.notOk(isDatabaseUnavailable(failed(code)), code);
  }
  t.notOk(isDatabaseUnavailable(new Error('no')));
  t.notOk(isDatabaseUnavailable('ENOTFOUND'));
});

void t.test(
  'requests beyond what the database can serve get 503 at once, until it can',
  async (t) => {
    const { context, connectionString, read, expectLog } = await start(t);
    expectLog(lostDatabase);
    t.equal(await statusOnceServed(read), 404);

    await t.test('beyond a thousand that wait for a connection', async (t) => {
      const { pool, connect } = context;
      const lent = await Promise.all(Array.from({ length: 16 }, connect));
      const late = Array.from({ length: 1_000 }, () => connect().catch((error: unknown) => error));
      await t.rejects(connect(), { code: 'service_unavailable', retryAfterSeconds: Number });
      for (const error of await Promise.all(late)) {
        if (!isDatabaseUnavailable(error)) t.fail(`waited, and got ${String(error)}`);
      }
      isRefused(t, await read(), 'no connection in time');
      for (const client of lent) client.release();
      t.equal(await statusOnceServed(read), 404);
      t.equal(pool.waitingCount, 0);
    });

    await t.test('beyond a thousand that read bookings, which share one connection', async (t) => {
      const { rollback } = await lockBookings(t, connectionString, 'access exclusive');
      const id = randomUUID();
      const reads = Array.from({ length: 1_000 }, () => context.publicBookings(id));
      isRefused(t, await read(), 'the next one');
      t.equal(context.pool.totalCount - context.pool.idleCount, 1, 'one query for all of them');
      await rollback();
      t.ok((await Promise.all(reads)).every((booking) => booking === null));
      t.equal(await statusOnceServed(read), 404, 'and there is room again');
    });
  },
);

void t.test(
  'while the event loop lags, a lone caller is served, and a crowd gets 503 with Retry-After, until it recovers',
  async (t) => {
    const { app, expectLog } = await startService(t, {
      ...generous,
      MAX_EVENT_LOOP_DELAY_MS: '250',
    });
    expectLog(refusals);
    const read = () =>
      app.inject({ url: '/api/public/studio', headers: { origin: 'http://a.test' } });
    let isLagging = true;
    const lag = (async () => {
      while (isLagging) {
        const end = performance.now() + 700;
        while (performance.now() < end);
        await nextTurn();
      }
    })();
    for (const title of ['the first', 'the second', 'the third', 'the fourth']) {
      await nextTurn();
      t.equal((await read()).statusCode, 200, `alone, ${title}`);
    }
    const crowd = () => Promise.all(Array.from({ length: 30 }, read));
    let answer: Answer | undefined;
    while (answer === undefined) {
      await nextTurn();
      answer = (await crowd()).find(({ statusCode }) => statusCode === 503);
    }
    isRefused(t, answer, 'lagging');
    t.equal(
      answer.headers['access-control-allow-origin'],
      '*',
      'a page may read when to come back',
    );
    const [probe] = await Promise.all([app.inject('/healthz'), crowd()]);
    t.equal(probe.statusCode, 200, 'the liveness probe');
    isLagging = false;
    await lag;
    await until(async () => (await read()).statusCode === 200);
  },
);

void t.test(
  'a request that waits too long for the mutex is rejected, and the queue empties',
  async (t) => {
    let now = 0;
    const mutex = createKeyedMutex(noMetrics, () => now);
    let finish: () => void = () => undefined;
    const slow = mutex.run('slot', () => new Promise<void>((resolve) => (finish = resolve)));
    let worked = 0;
    const waiting = Array.from({ length: 100 }, () => mutex.run('slot', async () => (worked += 1)));
    await nextTurn();
    now = 6_000;
    const late = mutex.run('slot', async () => 'served');
    finish();
    await slow;
    for (const each of waiting) {
      await t.rejects(each, { code: 'service_unavailable', retryAfterSeconds: Number });
    }
    t.equal(worked, 0);
    t.equal(await late, 'served', 'who came later has not waited too long');
  },
);
