import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import {
  createListener,
  type Listener,
  type ListenerOptions,
} from '../../src/database/listener.js';
import { createLogger } from '../../src/platform/log.js';
import { createTestDatabase } from '../support/database.js';
import { createServiceLog } from '../support/service-log.js';

t.test('a notification reaches the subscribers of its channel', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const listener = listenTo(t, { connection });
  const subscriber = record(listener, 'news');
  const others = record(listener, 'Other "news"');
  await listener.start();
  await subscriber.next('connected');
  await others.next('connected');
  await notify('news', '{"type":"hold.created"}');
  t.equal(await subscriber.next('notified'), '{"type":"hold.created"}');
  await notify('Other "news"', '');
  t.equal(await others.next('notified'), '');
  t.same(subscriber.left(), []);
});

t.test('connected is called after LISTEN has run', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const listener = listenTo(t, { connection });
  const notified = new Promise((resolve) => {
    listener.subscribe('news', {
      notified: resolve,
      connected: () => notify('news', 'sent at once'),
    });
  });
  await listener.start();
  t.equal(await notified, 'sent at once');
});

t.test('a later subscription receives notifications, and an ended one does not', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const listener = listenTo(t, { connection });
  await listener.start();
  t.ok(listener.isConnected());
  const subscriber = record(listener, 'news');
  const second = record(listener, 'news');
  await Promise.all([subscriber.next('connected'), second.next('connected')]);
  second.unsubscribe();
  await notify('news', 'hello');
  t.equal(await subscriber.next('notified'), 'hello');
  t.same(second.left(), []);
});

t.test(
  'after the server ends the connection, the listener reconnects and calls lost and connected',
  async (t) => {
    const { connection, notify, terminate } = await openDatabase(t);
    const listener = listenTo(t, { connection });
    const subscriber = record(listener, 'news');
    await listener.start();
    await subscriber.next('connected');
    for (const round of ['once', 'and again']) {
      await terminate();
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
  const { connection, notify } = await openDatabase(t);
  const proxy = await openProxy(t, connection);
  const listener = listenTo(t, {
    connection: proxy.connection,
    checkIntervalMs: 20,
    // Longer than a busy database takes to answer.
    answerTimeoutMs: 2_000,
  });
  const subscriber = record(listener, 'news');
  await listener.start();
  await subscriber.next('connected');
  proxy.stall();
  await subscriber.next('lost');
  await subscriber.next('connected');
  await notify('news', 'still here');
  t.equal(await subscriber.next('notified'), 'still here');
});

t.test('start waits for a database that is not reachable yet', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const proxy = await openProxy(t, connection);
  const refused = proxy.refuse();
  const listener = listenTo(t, { connection: proxy.connection });
  const subscriber = record(listener, 'news');
  const started = listener.start();
  await refused;
  t.notOk(listener.isConnected());
  proxy.accept();
  await started;
  await subscriber.next('connected');
  await notify('news', 'at last');
  t.equal(await subscriber.next('notified'), 'at last');
});

t.test('a handler that throws does not affect other subscribers', async (t) => {
  const { connection, notify } = await openDatabase(t);
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
  const { connection, sessions } = await openDatabase(t);
  const serviceLog = createServiceLog();
  const log = createLogger('warn', serviceLog.destination);
  const listener = createListener({ connection, log });
  await listener.start();
  listener.subscribe('news', { notified: () => undefined });
  // By then it has sent LISTEN.
  await new Promise((resolve) => setImmediate(resolve));
  await listener.close();
  t.notOk(listener.isConnected());
  while ((await sessions()) > 0);
  t.equal(await sessions(), 0);

  const unstarted = createListener({ connection, log });
  await unstarted.close();

  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const connecting = createListener({
    connection: { host: '127.0.0.1', port, user: 'nobody' },
    log,
  });
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

type HandlerCall = { kind: 'notified' | 'connected' | 'lost'; payload: string };

/** Subscribes, and queues the calls of the handlers. */
function record(listener: Listener, channel: string) {
  const calls: HandlerCall[] = [];
  let wake: () => void = () => undefined;
  const add = (kind: HandlerCall['kind'], payload = '') => {
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
    async next(kind: HandlerCall['kind']): Promise<string> {
      while (calls.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const call = calls.shift();
      if (call?.kind !== kind) throw new Error(`${call?.kind} instead of ${kind}`);
      return call.payload;
    },
  };
}

async function openDatabase(t: Test) {
  const connection = await createTestDatabase(t);
  const pool = new pg.Pool({ ...connection, max: 1 });
  pool.on('error', () => undefined);
  t.teardown(() => pool.end());
  const listeners = `from pg_stat_activity
    where datname = current_database() and application_name like '%listener'`;
  return {
    connection,
    notify: async (channel: string, payload: string) =>
      void (await pool.query('select pg_notify($1, $2)', [channel, payload])),
    terminate: () => pool.query(`select pg_terminate_backend(pid) ${listeners}`),
    sessions: async () => (await pool.query(`select ${listeners}`)).rows.length,
  };
}

/** A proxy to the database that can refuse connections, and stall them as a cut cable does. */
async function openProxy(t: Test, { connectionString }: { connectionString: string }) {
  const url = new URL(connectionString);
  const socketPath = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const clients = new Set<Socket>();
  let onRefusal: (() => void) | undefined;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (onRefusal !== undefined) {
      client.destroy();
      onRefusal();
      return;
    }
    const target = connect(socketPath);
    clients.add(client);
    client.on('close', () => target.destroy());
    target.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(target).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  return {
    connection: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      user: url.username,
      password: url.password,
      database: url.pathname.slice(1),
    },
    /** Resolves when the first connection is refused. */
    refuse: () => new Promise<void>((resolve) => (onRefusal = resolve)),
    accept: () => (onRefusal = undefined),
    stall: () => clients.forEach((client) => client.unpipe().pause()),
  };
}
