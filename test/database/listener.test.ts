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

t.test('a notification reaches those who subscribed to its channel', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const listener = listenTo(t, { connection });
  const told = record(listener, 'news');
  const others = record(listener, 'Other "news"');
  await listener.start();
  await told.next('connected');
  await others.next('connected');
  await notify('news', '{"type":"hold.created"}');
  t.equal(await told.next('notified'), '{"type":"hold.created"}');
  await notify('Other "news"', '');
  t.equal(await others.next('notified'), '');
  t.same(told.left(), []);
});

t.test('it listens before it says that it is connected', async (t) => {
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

t.test('a subscription made later is served too, and one that ended is not', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const listener = listenTo(t, { connection });
  await listener.start();
  t.ok(listener.isConnected());
  const told = record(listener, 'news');
  const second = record(listener, 'news');
  await Promise.all([told.next('connected'), second.next('connected')]);
  second.unsubscribe();
  await notify('news', 'hello');
  t.equal(await told.next('notified'), 'hello');
  t.same(second.left(), []);
});

t.test('after the server cut it off, it connects again and says so', async (t) => {
  const { connection, notify, terminate } = await openDatabase(t);
  const listener = listenTo(t, { connection });
  const told = record(listener, 'news');
  await listener.start();
  await told.next('connected');
  for (const round of ['once', 'and again']) {
    await terminate();
    await told.next('lost');
    t.notOk(listener.isConnected());
    await told.next('connected');
    t.ok(listener.isConnected());
    await notify('news', round);
    t.equal(await told.next('notified'), round);
  }
});

t.test('a connection that is silently dead is noticed and replaced', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const proxy = await openProxy(t, connection);
  const listener = listenTo(t, {
    connection: proxy.connection,
    checkIntervalMs: 20,
    // A busy database answers within it, or it would count as dead.
    answerTimeoutMs: 2_000,
  });
  const told = record(listener, 'news');
  await listener.start();
  await told.next('connected');
  proxy.stall();
  await told.next('lost');
  await told.next('connected');
  await notify('news', 'still here');
  t.equal(await told.next('notified'), 'still here');
});

t.test('a database that comes later is waited for', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const proxy = await openProxy(t, connection);
  const refused = proxy.refuse();
  const listener = listenTo(t, { connection: proxy.connection });
  const told = record(listener, 'news');
  const started = listener.start();
  await refused;
  t.notOk(listener.isConnected());
  proxy.accept();
  await started;
  await told.next('connected');
  await notify('news', 'at last');
  t.equal(await told.next('notified'), 'at last');
});

t.test('a handler that fails harms nobody else', async (t) => {
  const { connection, notify } = await openDatabase(t);
  const listener = listenTo(t, { connection });
  listener.subscribe('news', {
    notified: () => Promise.reject(new Error('later')),
    connected: () => {
      throw new Error('at once');
    },
  });
  const told = record(listener, 'news');
  await listener.start();
  await told.next('connected');
  await notify('news', 'hello');
  t.equal(await told.next('notified'), 'hello');
});

t.test('closing ends it without a warning, whatever it is doing', async (t) => {
  const { connection, sessions } = await openDatabase(t);
  const serviceLog = createServiceLog();
  const log = createLogger('warn', serviceLog.destination);
  const listener = createListener({ connection, log });
  await listener.start();
  listener.subscribe('news', { notified: () => undefined });
  // Its LISTEN is on the way then.
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

type Happening = { kind: 'notified' | 'connected' | 'lost'; payload: string };

/** Subscribes, and keeps what is told until it is asked for, in order. */
function record(listener: Listener, channel: string) {
  const happenings: Happening[] = [];
  let wake: () => void = () => undefined;
  const note = (kind: Happening['kind'], payload = '') => {
    happenings.push({ kind, payload });
    wake();
  };
  const unsubscribe = listener.subscribe(channel, {
    notified: (payload) => note('notified', payload),
    connected: () => note('connected'),
    lost: () => note('lost'),
  });
  return {
    unsubscribe,
    left: () => happenings,
    /** The payload of the next happening, which must be of that kind. */
    async next(kind: Happening['kind']): Promise<string> {
      while (happenings.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const happening = happenings.shift();
      if (happening?.kind !== kind) throw new Error(`${happening?.kind} instead of ${kind}`);
      return happening.payload;
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

/** A way to the database that can refuse, and be silent without ending, as a dead cable is. */
async function openProxy(t: Test, { connectionString }: { connectionString: string }) {
  const url = new URL(connectionString);
  const socketPath = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const clients = new Set<Socket>();
  let noteRefusal: (() => void) | undefined;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (noteRefusal !== undefined) {
      client.destroy();
      noteRefusal();
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
    /** Resolves when the first connection was refused. */
    refuse: () => new Promise<void>((resolve) => (noteRefusal = resolve)),
    accept: () => (noteRefusal = undefined),
    stall: () => clients.forEach((client) => client.unpipe().pause()),
  };
}
