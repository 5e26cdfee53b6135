import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { temporaryFolder } from './embedded.js';
import { freePort } from './process.js';
import { findProgram } from './programs.js';
import { startDatabaseProxy } from './proxy.js';

const program = findProgram('pgbouncer');

const nobody = 65_534;

/** For tap's `skip`: why tests with PgBouncer cannot run, or false. */
export const pgbouncerMissing = program === null && 'no pgbouncer on this machine';

/**
 * Starts PgBouncer in front of a database of the test cluster, stopped at the end of the test; returns
 * the connection string that leads through it. Its settings are those that the staff README names.
 */
export async function startPgbouncer(t: Test, connectionString: string): Promise<string> {
  // It may not enter the folder of the cluster's socket.
  const server = new URL((await startDatabaseProxy(t, connectionString)).connectionString);
  const { pathname, port, username, password } = server;
  const ownPort = await freePort();
  const folder = await temporaryFolder(t);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
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
    `.replaceAll(/^ +/gm, ''),
  );
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
  await new Promise<void>((resolve, reject) => {
    const printed: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      printed.push(line);
      if (line.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`pgbouncer ended:\n${printed.join('\n')}`)));
  });
  return `postgres://anyone@127.0.0.1:${ownPort}${pathname}`;
}
