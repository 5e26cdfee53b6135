import t, { type Test } from 'tap';
import { slotKey } from '../../src/calendar/slots.js';
import { withClient } from '../../src/database/client.js';
import { isSession } from '../../src/database/diagnostics.js';
import { untilBoard } from '../support/board.js';
import { createEmptyDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { isOpenIn, openLiveStream } from '../support/live-stream.js';
import { pgbouncerMissing, startPgbouncer } from '../support/pgbouncer.js';
import { freePort } from '../support/process.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, secretKey } from '../support/service.js';
import { startWholeService } from '../support/whole-service.js';

// The timeouts of the connections are what is tested.
process.env['TEST_TRUE_TIMEOUTS'] = '1';

async function startOn(t: Test, connectionString: string, role: 'all' | 'api') {
  const port = await freePort();
  const service = await startWholeService(t, {
    ...generous,
    DATABASE_URL: connectionString,
    SECRET_KEY: secretKey,
    ROLE: role,
    PORT: String(port),
  });
  return { ...service, url: `http://127.0.0.1:${port}` };
}

void t.test(
  'the whole service works through PgBouncer in session mode',
  { skip: pgbouncerMissing },
  async (t) => {
    const direct = await createEmptyDatabase(t);
    const connectionString = await startPgbouncer(t, direct.connectionString);
    const service = await startOn(t, connectionString, 'all');
    const other = await startOn(t, connectionString, 'api');
    t.ok(await isSession({ connectionString }));

    const [slot] = await someOpenSlots(service.context, 1);
    const viewing = await openLiveStream(t, other.url);
    const answer = await fetch(`${service.url}/api/public/holds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(holdRequest(slot!)),
    });
    t.equal(answer.status, 201);
    await untilBoard(other.context, ({ taken }) => taken.has(slotKey(slot!)));
    t.ok(
      await viewing.next((event) => isOpenIn(event, slot!) === false),
      'the other process shows it',
    );
    const { database } = service.context;
    const undispatched = database
      .selectFrom('events')
      .select('id')
      .where('dispatched_at', 'is', null);
    await until(async () => (await undispatched.execute()).length === 0);
  },
);

void t.test(
  'each connection has its timeouts through PgBouncer, and leaves none to the next',
  { skip: pgbouncerMissing },
  async (t) => {
    const direct = await createEmptyDatabase(t);
    const connectionString = await startPgbouncer(t, direct.connectionString);
    const service = await startOn(t, connectionString, 'all');
    const settings = `select current_setting('lock_timeout') as lock,
      current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('search_path') as path`;
    const { rows } = await service.context.pool.query<object>(settings);
    t.strictSame(
      rows.map((row) => ({ ...row })),
      [{ lock: '3s', statement: '5s', idle: '5s', path: '"$user", public' }],
    );
    await service.stop();
    await withClient({ connectionString }, async (client) => {
      const next = await client.query<object>(settings);
      t.match(next.rows, [{ lock: '0', statement: '0', idle: '0', path: '"$user", public' }]);
    });
  },
);
