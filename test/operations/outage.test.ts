import { sql } from 'kysely';
import pg from 'pg';
import t from 'tap';
import { isDatabaseUnavailable } from '../../src/platform/database-errors.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { startTestService } from '../support/service.js';

void t.test('a database that does not exist is an outage, not an internal error', async (t) => {
  const client = new pg.Client({ host: 'database.invalid', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  const error: unknown = await client.connect().catch((reason: unknown) => reason);
  t.ok(isDatabaseUnavailable(error), String(error));
});

void t.test('a write to a server that became a standby gets 503', async (t) => {
  const { context, app, expectLog } = await startTestService(t);
  expectLog(lostDatabase, /"code":"service_unavailable"/);
  const { database } = context;
  const [slot] = await someOpenSlots(context, 1);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database);
  const name = sql.id(rows[0]!.name);
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(database);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database);
  // The one connection that is left.
  await database.connection().execute(async (connection) => {
    await sql`set default_transaction_read_only = on`.execute(connection);
  });
  const answer = await app.inject({
    method: 'POST',
    url: '/api/public/holds',
    payload: holdRequest(slot!),
  });
  t.equal(answer.statusCode, 503);
  t.match(answer.json(), { error: { code: 'service_unavailable' } });
  t.ok(Number(answer.headers['retry-after']) >= 1);
});
