import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { hasEmbeddedDatabase } from '../../src/database/embedded/data-folder.js';
import { acquireLock, findLockHolder } from '../../src/database/embedded/lock.js';
import { findServedDatabase, startEmbeddedPostgres } from '../../src/database/embedded/server.js';
import { createLogger } from '../../src/platform/log.js';
import {
  end,
  query,
  settings,
  startServer,
  startService,
  temporaryFolder,
} from '../support/embedded.js';

t.test('findServedDatabase finds the database of a running service only', async (t) => {
  const dataDir = await temporaryFolder(t);
  t.equal(await findServedDatabase(join(dataDir, 'none')), null);
  t.notOk(await hasEmbeddedDatabase(dataDir));

  const service = await startService(t, dataDir);
  t.equal(service.line, `ready ${await findServedDatabase(dataDir)}`);
  t.ok(await hasEmbeddedDatabase(dataDir));

  await end(service.process, 'SIGKILL');
  t.equal(await findServedDatabase(dataDir), null, 'not a server that a killed service left');

  const command = await startServer(t, dataDir, { purpose: 'command' });
  t.equal(await findServedDatabase(dataDir), null, "nor another command's");
  await command.stop();
  t.equal(await findServedDatabase(dataDir), null);
  t.ok(await hasEmbeddedDatabase(dataDir), 'the database stays');
});

t.test('a service waits for a running command, also where the path is long', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'a-long-name'.repeat(10));
  const command = await startServer(t, dataDir, { purpose: 'command' });
  await query(command.connectionString, 'create table kept as select 42 as answer');
  const lines = new PassThrough();
  const starting = startServer(t, dataDir, { log: createLogger('info', lines) });
  const [line] = (await once(lines, 'data')) as [Buffer];
  t.match(line.toString(), `waiting for a command (process ${process.pid})`);
  await command.stop();

  const service = await starting;
  t.same(await query(service.connectionString, 'table kept'), [{ answer: 42 }]);
});

t.test(
  'concurrent commands run one after another, also after a crash left its postmaster.pid',
  async (t) => {
    const dataDir = await temporaryFolder(t);
    const options = { dataDir, log: createLogger('silent'), settings, purpose: 'command' } as const;
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    const first = await startEmbeddedPostgres(options);
    // Higher than any pid.
    const stale = (await readFile(lockFile, 'utf8')).replace(/^\d+/u, '4194305');
    await first.stop();
    for (let round = 0; round < 8; round += 1) {
      if (round % 2 === 1) await writeFile(lockFile, stale);
      const commands = Array.from({ length: 5 }, async () => {
        const server = await startEmbeddedPostgres(options);
        await server.stop();
      });
      await t.resolves(Promise.all(commands), `round ${round}`);
    }
  },
);

t.test(
  'without abstract sockets, the lock is a socket file, and one of a killed process is replaced',
  async (t) => {
    const { platform } = process;
    t.teardown(() => Object.defineProperty(process, 'platform', { value: platform }));
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    const folder = await temporaryFolder(t);
    const listen = 'require("node:net").createServer().listen(process.argv[1], console.log)';
    const killed = spawn(process.execPath, ['-e', listen, join(folder, 'lock')]);
    await once(killed.stdout, 'data');
    await end(killed, 'SIGKILL');

    const log = createLogger('silent');
    const lock = await acquireLock(folder, 'service', log);
    t.same(await findLockHolder(folder), { purpose: 'service', pid: process.pid });
    await t.rejects(acquireLock(folder, 'command', log), /already running/);
    await lock.release();
    t.equal(await findLockHolder(folder), null);
  },
);
