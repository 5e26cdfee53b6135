import { once } from 'node:events';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../support/database.js';
import { postHold } from '../support/http-requests.js';
import { spawnService } from '../support/process.js';
import { generous, secretKey } from '../support/service.js';

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
      SECRET_KEY: secretKey,
      HOLD_LIFETIME_SECONDS: String(lifetimeSeconds),
    },
  };
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
    await postHold(api.url);
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
  const { id } = await postHold(first.url);
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
