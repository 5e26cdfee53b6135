import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { withClient } from '../../src/database/client.js';
import { isSession } from '../../src/database/diagnostics.js';
import { slotKey } from '../../src/schedule/slots.js';
import { untilBoard } from '../support/board.js';
import { createEmptyDatabase } from '../support/database.js';
import { temporaryFolder, until } from '../support/embedded.js';
import { hold } from '../support/holds.js';
import { isOpenIn, openLiveStream } from '../support/live-stream.js';
import { freePort, findProgram } from '../support/process.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, secretKey } from '../support/service.js';
import { startWholeService } from '../support/whole-service.js';

// The timeouts of the connections are what is tested.
process.env['TEST_TRUE_TIMEOUTS'] = '1';

const program = findProgram('pgbouncer');
const nobody = 65_534;

/**
 * Starts PgBouncer in front of a database, with the settings that the operator's guide names. Returns
 * the connection string that leads through it.
 */
async function startPgbouncer(t: Test, connectionString: string): Promise<string> {
  // It may not enter the folder of the cluster's socket.
  const server = new URL((await startDatabaseProxy(t, connectionString)).connectionString);
  const { pathname, port, username, password } = server;
  const ownPort = await freePort();
  const folder = await temporaryFolder(t);
  const file = join(folder, 'pgbouncer.ini');
  const settings = `[databases]
    * = host=127.0.0.1 port=${port} user=${username} password=${password}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${ownPort}
    unix_socket_dir =
    auth_type = any
    pool_mode = session
    server_lifetime = 0
    default_pool_size = 100
    max_client_conn = 200
    `;
  await writeFile(file, settings.replaceAll(/^ +/gm, ''));
  await chmod(folder, 0o755);
  // Its real path: a link to it may lie where the other user may not go.
  const child = spawn(realpathSync(program ?? 'pgbouncer'), [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // It refuses to run as root.
    ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
  });
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    printed.push(line);
    if (line.includes('process up')) break;
  }
  if (child.exitCode !== null) throw new Error(`pgbouncer ended:\n${printed.join('\n')}`);
  child.stderr.resume();
  return `postgres://anyone@127.0.0.1:${ownPort}${pathname}`;
}

void t.test(
  'the whole service works through PgBouncer in session mode, and each connection has its timeouts',
  { skip: program === null && 'no pgbouncer on this machine' },
  async (t) => {
    const direct = await createEmptyDatabase(t);
    const connectionString = await startPgbouncer(t, direct.connectionString);
    const settings = { ...generous, DATABASE_URL: connectionString, SECRET_KEY: secretKey };
    const service = await startWholeService(t, settings);
    const other = await startWholeService(t, { ...settings, ROLE: 'api' });
    t.ok(await isSession({ connectionString }));
    const [slot] = await someOpenSlots(service.context, 1);
    const viewing = await openLiveStream(t, other.url);
    await hold(service.context, slot!.date, slot!.timeSlot);
    await untilBoard(other.context, ({ taken }) => taken.has(slotKey(slot!)));
    t.ok(await viewing.next((event) => isOpenIn(event, slot!) === false), 'the other shows it');
    const { database, pool } = service.context;
    const undispatched = sql`select from events where dispatched_at is null`;
    await until(async () => (await undispatched.execute(database)).rows.length === 0);

    const timeouts = `select current_setting('lock_timeout') as lock,
      current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('search_path') as path`;
    const { rows } = await pool.query<object>(timeouts);
    const path = '"$user", public';
    t.strictSame({ ...rows[0] }, { lock: '3s', statement: '5s', idle: '5s', path });
    viewing.vanish();
    await service.stop();
    await other.stop();
    await withClient({ connectionString }, async (client) => {
      const next = await client.query<object>(timeouts);
      const none = { lock: '0', statement: '0', idle: '0', path };
      t.match(next.rows, [none], 'and leaves none to the next');
    });
  },
);
