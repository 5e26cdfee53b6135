import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../support/database.js';
import { freePort, launch, spawnService, type ServiceProcess } from '../support/process.js';
import { generous } from '../support/service.js';

interface Installation {
  environment: Record<string, string>;
  database: pg.Client;
}

/** Creates a database that outlives the service's processes, with a client to inspect it. */
async function install(t: Test, lifetimeSeconds: number): Promise<Installation> {
  const { connectionString } = await createTestDatabase(t);
  const database = new pg.Client({ connectionString });
  database.on('error', () => undefined);
  await database.connect();
  await database.query('listen booking_events');
  t.teardown(() => database.end());
  return {
    database,
    environment: {
      ...generous,
      DATABASE_URL: connectionString,
      SECRET_KEY: 'a secret that only the tests know, of enough length',
      HOLD_LIFETIME_SECONDS: String(lifetimeSeconds),
      DATA_DIR: t.testdir(),
    },
  };
}

async function holdFirstOpenSlot({ url }: ServiceProcess): Promise<string> {
  const from = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const to = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  const answer = await fetch(`${url}/api/public/availability?from=${from}&to=${to}`);
  const { data } = (await answer.json()) as {
    data: { days: { date: string; slots: { time_slot: string }[] }[] };
  };
  const [day] = data.days;
  const held = await fetch(`${url}/api/public/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      date: day?.date,
      time_slot: day?.slots[0]?.time_slot,
      name: 'Ada Park',
      email: 'ada@example.com',
      phone: '5555550142',
    }),
  });
  return ((await held.json()) as { data: { id: string } }).data.id;
}

/** Resolves when the `events` table has an event of this type; checks again at each NOTIFY. */
async function eventRecorded(database: pg.Client, type: string): Promise<void> {
  for (;;) {
    const next = once(database, 'notification');
    const { rowCount } = await database.query('select 1 from events where type = $1', [type]);
    if (rowCount !== 0) return;
    await next;
  }
}

async function untilDispatched(database: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ left: number }>(
      'select count(*)::integer as left from events where dispatched_at is null',
    );
    if (rows[0]?.left === 0) return;
  }
}

async function eventTypes(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ type: string }>(
    'select type from events order by position',
  );
  return rows.map((row) => row.type);
}

void t.test(
  'after kill -9 between commit and dispatch, the event is dispatched and the hold expires exactly once',
  async (t) => {
    const { environment, database } = await install(t, 2);
    // This role commits and never dispatches, so the kill is between the two for certain.
    const api = await spawnService(t, { ...environment, ROLE: 'api' });
    await holdFirstOpenSlot(api);
    await api.end('SIGKILL');
    t.strictSame(await eventTypes(database), ['hold.created']);

    const restarted = await spawnService(t, environment);
    await eventRecorded(database, 'hold.expired');
    await untilDispatched(database);
    t.equal(await restarted.end('SIGTERM'), 0);
    t.strictSame(await eventTypes(database), ['hold.created', 'hold.expired']);
  },
);

void t.test('after kill -9 between dispatch and job, the hold expires exactly once', async (t) => {
  const { environment, database } = await install(t, 6);
  const first = await spawnService(t, environment);
  const id = await holdFirstOpenSlot(first);
  await untilDispatched(database);
  await first.end('SIGKILL');
  t.strictSame(await eventTypes(database), ['hold.created'], 'the job was not due yet');

  const restarted = await spawnService(t, environment);
  await eventRecorded(database, 'hold.expired');
  const answer = await fetch(`${restarted.url}/api/public/bookings/${id}`);
  t.match(await answer.json(), { data: { status: 'expired' } });
  await untilDispatched(database);
  t.equal(await restarted.end('SIGTERM'), 0);
  t.strictSame(await eventTypes(database), ['hold.created', 'hold.expired']);
});

void t.test(
  'SIGTERM in mid-request: the request is answered, then exit 0 within ten seconds',
  async (t) => {
    const { environment } = await install(t, 900);
    const service = await spawnService(t, environment);
    const body = JSON.stringify({ date: 'none' });
    const posting = request(`${service.url}/api/public/holds`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    posting.flushHeaders();
    await once(posting, 'continue');
    const began = performance.now();
    const ended = service.end('SIGTERM');
    while (!service.output().includes('stopping')) await once(service.child.stdout!, 'data');
    posting.end(body);
    const [response] = (await once(posting, 'response')) as [IncomingMessage];
    t.equal(response.statusCode, 400, 'the usual validation error');
    response.resume();
    t.equal(await ended, 0);
    t.ok(performance.now() - began < 10_000);
  },
);

void t.test(
  'SIGTERM during startup: startup is rolled back, exit 0, and no PostgreSQL is left running',
  async (t) => {
    const dataDir = t.testdir();
    const service = launch(t, { DATA_DIR: dataDir, PORT: String(await freePort()) });
    while (!service.output().includes('making a database')) {
      await once(service.child.stdout!, 'data');
    }
    t.equal(await service.end('SIGTERM'), 0);
    t.notOk(existsSync(join(dataDir, 'postgres', 'postmaster.pid')));
    t.notMatch(service.output(), 'Server listening', 'the start is not completed first');
  },
);

void t.test(
  'startup fails with a readable error if the database was used with another SECRET_KEY',
  async (t) => {
    const { environment } = await install(t, 900);
    const service = await spawnService(t, environment);
    t.equal(await service.end('SIGTERM'), 0);
    const other = { ...environment, SECRET_KEY: 'another secret of more than enough length' };
    const refused = launch(t, other);
    t.equal(await refused.ended, 1);
    t.match(refused.output(), /SECRET_KEY is not the key that this database was used with/);

    const rotated = await spawnService(t, {
      ...other,
      SECRET_KEY_PREVIOUS: environment['SECRET_KEY']!,
    });
    t.equal(await rotated.end('SIGTERM'), 0);
  },
);

void t.test('an invalid setting fails startup with a readable error and no stack', async (t) => {
  for (const [name, value] of [
    ['PORT', 'eighty'],
    ['TRUST_PROXY', 'true'],
    ['DATABASE_URL', 'mysql://x'],
    ['SECRET_KEY', 'short'],
    ['HOLD_LIFETIME_SECONDS', '-1'],
    ['PUBLIC_BASE_URL', 'ftp://x'],
  ] as const) {
    const refused = launch(t, { [name]: value });
    t.equal(await refused.ended, 1, name);
    t.match(refused.output(), new RegExp(`^${name} .+\\.$`, 'm'));
    t.notMatch(refused.output(), /at .+\.ts/);
  }
});
