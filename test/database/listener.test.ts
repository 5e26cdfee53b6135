import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import t, { type Test } from 'tap';
import {
  createListener,
  type Listener,
  type ListenerOptions,
} from '../../src/database/listener.js';
import { createLogger } from '../../src/platform/log.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { createServiceLog } from '../support/service-log.js';

const connection = await createTestDatabase(t);
const pool = new pg.Pool({ ...connection, max: 1 });
pool.on('error', () => undefined);
t.teardown(() => pool.end());
const notify = (channel: string, payload: string) =>
  pool.query('select pg_notify($1, $2)', [channel, payload]);
const listeners = `from pg_stat_activity
  where datname = current_database() and application_name like '%listener'`;

t.test('a notification reaches the subscribers of its channel, and no ended one', async (t) => {
  const listener = listenTo(t, { connection });
  const subscriber = record(listener, 'news');
  const others = record(listener, 'Other "news"');
  await listener.start();
  t.ok(listener.isConnected());
  const [later, ended] = [record(listener, 'news'), record(listener, 'news')];
  for (const each of [subscriber, others, later, ended]) await each.next('connected');
  ended.unsubscribe();
  await notify('news', '{"type":"hold.created"}');
  for (const each of [subscriber, later]) {
    t.equal(await each.next('notified'), '{"type":"hold.created"}');
  }
  await notify('Other "news"', '');
  t.equal(await others.next('notified'), '');
  for (const each of [subscriber, later, ended]) t.same(each.left(), []);
});

t.test('connected is called after LISTEN has run', async (t) => {
  const listener = listenTo(t, { connection });
  const notified = new Promise((resolve) => {
    const connected = () => void notify('news', 'sent at once');
    listener.subscribe('news', { notified: resolve, connected });
  });
  await listener.start();
  t.equal(await notified, 'sent at once');
});

t.test(
  'after the server ends the connection, the listener reconnects and calls lost and connected',
  async (t) => {
    const listener = listenTo(t, { connection });
    const subscriber = record(listener, 'news');
    await listener.start();
    await subscriber.next('connected');
    for (const round of ['once', 'and again']) {
      await pool.query(`select pg_terminate_backend(pid) ${listeners}`);
      await subscriber.next('lost');
      t.notOk(listener.isConnected());
      await subscriber.next('connected');
      t.ok(listener.isConnected());
      await notify('news', round);
      t.equal(await subscriber.next('notified'), round);
    }
  },
);

t.test('a connection that is lost without an error is replaced', async (t) => {
  const { proxy, connectionString } = await startDatabaseProxy(t, connection.connectionString);
  // Longer than a busy database takes to answer.
  const patience = { checkIntervalMs: 20, answerTimeoutMs: 2_000 };
  const listener = listenTo(t, { connection: { connectionString }, ...patience });
  const subscriber = record(listener, 'news');
  await listener.start();
  await subscriber.next('connected');
  proxy.swallow();
  await subscriber.next('lost');
  proxy.restore();
  await subscriber.next('connected');
  await notify('news', 'still here');
  t.equal(await subscriber.next('notified'), 'still here');
});

t.test('start waits for a database that is not reachable yet', async (t) => {
  const { proxy, connectionString } = await startDatabaseProxy(t, connection.connectionString);
  proxy.refuse();
  const listener = listenTo(t, { connection: { connectionString } });
  const subscriber = record(listener, 'news');
  const started = listener.start();
  await until(() => proxy.refusedCount() > 0);
  t.notOk(listener.isConnected());
  proxy.restore();
  await started;
  await subscriber.next('connected');
  await notify('news', 'at last');
  t.equal(await subscriber.next('notified'), 'at last');
});

t.test('a handler that throws does not affect other subscribers', async (t) => {
  const listener = listenTo(t, { connection });
  listener.subscribe('news', {
    notified: () => Promise.reject(new Error('later')),
    connected: () => {
      throw new Error('at once');
    },
  });
  const subscriber = record(listener, 'news');
  await listener.start();
  await subscriber.next('connected');
  await notify('news', 'hello');
  t.equal(await subscriber.next('notified'), 'hello');
});

t.test('close ends the listener in every state, without a warning', async (t) => {
  const serviceLog = createServiceLog();
  const log = createLogger('warn', serviceLog.destination);
  const listener = createListener({ connection, log });
  await listener.start();
  listener.subscribe('news', { notified: () => undefined });
  // By then it has sent LISTEN.
  await new Promise((resolve) => setImmediate(resolve));
  await listener.close();
  t.notOk(listener.isConnected());
  await until(async () => (await pool.query(`select ${listeners}`)).rows.length === 0);

  const unstarted = createListener({ connection, log });
  await unstarted.close();

  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const unanswered = { host: '127.0.0.1', port, user: 'nobody' };
  const connecting = createListener({ connection: unanswered, log });
  const started = connecting.start();
  await once(silent, 'connection');
  await connecting.close();
  await started;
  serviceLog.verify(t);
});

function listenTo(t: Test, options: Omit<ListenerOptions, 'log'>): Listener {
  const listener = createListener({ log: createLogger('silent'), ...options });
  t.teardown(() => listener.close());
  return listener;
}

type Kind = 'notified' | 'connected' | 'lost';

/** Subscribes, and queues the calls of the handlers. */
function record(listener: Listener, channel: string) {
  const calls: { kind: Kind; payload: string }[] = [];
  let wake: () => void = () => undefined;
  const add = (kind: Kind, payload = '') => {
    calls.push({ kind, payload });
    wake();
  };
  const unsubscribe = listener.subscribe(channel, {
    notified: (payload) => add('notified', payload),
    connected: () => add('connected'),
    lost: () => add('lost'),
  });
  return {
    unsubscribe,
    left: () => calls,
    /** The payload of the next call, which must be of that kind. */
    async next(kind: Kind): Promise<string> {
      while (calls.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const call = calls.shift();
      if (call?.kind !== kind) throw new Error(`${call?.kind} instead of ${kind}`);
      return call.payload;
    },
  };
}
