import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { clusterPath, hasEmbeddedDatabase } from '../../src/database/embedded/data-folder.js';
import { acquireLock, findLockHolder } from '../../src/database/embedded/lock.js';
import { findServedDatabase, startEmbeddedPostgres } from '../../src/database/embedded/server.js';
import { createLogger } from '../../src/platform/log.js';
import {
  end,
  initialisedFolder,
  isServing,
  query,
  serverPid,
  type Service,
  settings,
  spawnService,
  startServer,
  startService,
  temporaryFolder,
  until,
} from '../support/embedded.js';

/** Only root may create a network namespace. */
const isRoot = process.getuid?.() === 0;
const addressOf = ({ line }: Service) => line.replace('ready ', '');
const keep = (connectionString: string) =>
  query(connectionString, 'create table kept as select 42 as answer');
const kept = (connectionString: string) =>
  query<{ answer: number }>(connectionString, 'table kept');

t.test(
  'a killed service leaves its server: no command uses it, the next start replaces it',
  async (t) => {
    const dataDir = await initialisedFolder(t);
    t.equal(await findServedDatabase(join(dataDir, 'none')), null);
    t.notOk(await hasEmbeddedDatabase(join(dataDir, 'none')));
    const killed = await startService(t, dataDir);
    t.equal(killed.line, `ready ${await findServedDatabase(dataDir)}`);
    t.ok(await hasEmbeddedDatabase(dataDir));
    await keep(addressOf(killed));
    const orphan = await serverPid(dataDir);
    await end(killed.process, 'SIGKILL');
    t.ok(await isServing(orphan), 'the server still runs');
    t.equal(await findServedDatabase(dataDir), null);

    const command = await startServer(t, dataDir, { purpose: 'command' });
    t.same(await kept(command.connectionString), [{ answer: 42 }], 'committed rows are there');
    t.notOk(await isServing(orphan), 'the old server is gone');
    t.not(await serverPid(dataDir), orphan);
    t.equal(await findServedDatabase(dataDir), null, "nor another command's");

    const lines = new PassThrough();
    const starting = startServer(t, dataDir, { log: createLogger('info', lines) });
    const [line] = (await once(lines, 'data')) as [Buffer];
    t.match(line.toString(), `waiting for a command (process ${process.pid})`);
    await command.stop();
    t.same(await kept((await starting).connectionString), [{ answer: 42 }]);
  },
);

t.test('a service and its server that are killed keep what was committed', async (t) => {
  const dataDir = await initialisedFolder(t);
  const killed = await startService(t, dataDir);
  await keep(addressOf(killed));
  await end(killed.process, 'SIGKILL');
  process.kill(await serverPid(dataDir), 'SIGKILL');
  t.same(await kept((await startServer(t, dataDir)).connectionString), [{ answer: 42 }]);
});

t.test(
  'concurrent commands run one after another, also after a crash left its postmaster.pid',
  async (t) => {
    const dataDir = await initialisedFolder(t);
    const options = { dataDir, log: createLogger('silent'), settings, purpose: 'command' } as const;
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    const first = await startEmbeddedPostgres(options);
    // Higher than any pid.
    const stale = (await readFile(lockFile, 'utf8')).replace(/^\d+/u, '4194305');
    await first.stop();
    for (const isCrashed of [false, true]) {
      if (isCrashed) await writeFile(lockFile, stale);
      const commands = [1, 2, 3].map(async () => (await startEmbeddedPostgres(options)).stop());
      await t.resolves(Promise.all(commands));
    }
  },
);

const isLinux = process.platform === 'linux';
const onlyOnLinux = { skip: !isLinux && 'there are abstract sockets on Linux only' };
t.test('on Linux, the lock has the same name under each Node.js', onlyOnLinux, async (t) => {
  const folder = await temporaryFolder(t);
  const lock = await acquireLock(folder, 'service', createLogger('silent'));
  const hash = createHash('sha256').update(clusterPath(folder)).digest('hex');
  // Zeros are shown as `@`. Node.js 20 adds them to a shorter name, and later versions do not.
  const filled = `@tattoo-studio-booking ${hash}`.padEnd(108, '@');
  t.match(await readFile('/proc/net/unix', 'utf8'), `${filled}\n`);
  await lock.release();
});

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

t.test(
  'a second service exits with 1 and says that one is running, also after its server died',
  async (t) => {
    const dataDir = await initialisedFolder(t);
    const first = await startService(t, dataDir);
    await keep(addressOf(first));
    const isRefused = async (prefix: string[], line: RegExp) => {
      const pid = await serverPid(dataDir);
      const second = await startService(t, dataDir, prefix);
      t.match(second.line, line);
      t.equal(await end(second.process, 'SIGCONT'), 1);
      t.equal(await serverPid(dataDir), pid, 'the first keeps its server');
      t.same(await kept(addressOf(first)), [{ answer: 42 }]);
    };
    const running = new RegExp(
      `^The service is already running \\(process ${first.process.pid}\\) on ${dataDir}\\.$`,
    );
    await isRefused([], running);
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await until(async () => (await kept(addressOf(first)).catch(() => [])).length > 0);
    await isRefused([], running);
    if (!isRoot) return;
    // As of a previous version, whose lock this one does not see.
    const other = /^Another process runs a database server .* Stop it first\.$/;
    await isRefused(['unshare', '--net'], other);
  },
);

t.test('of services that start concurrently on a new folder, one serves', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'data');
  const services = await Promise.all([1, 2, 3].map(() => startService(t, dataDir)));
  const ready = services.filter(({ line }) => line.startsWith('ready '));
  const refused = services.filter(({ line }) => /^The service is already running/.test(line));
  const lines = JSON.stringify(services.map(({ line }) => line.replace(/:\/\/.*/, '')));
  t.equal(ready.length, 1, lines);
  t.equal(refused.length, 2, lines);
  t.same(await query(addressOf(ready[0]!), 'select 1 as one'), [{ one: 1 }]);
});

t.test('a start after a killed initialisation makes a new one', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'data');
  const service = spawnService(t, dataDir);
  const drafts = async () =>
    (await readdir(dataDir)).filter((name) => name.includes('initialising'));
  await until(async () => (await initialisers(dataDir)).length > 0);
  await end(service, 'SIGKILL');
  await until(async () => {
    const pids = await initialisers(dataDir);
    try {
      for (const pid of pids) process.kill(pid, 'SIGKILL');
    } catch {
      // One has ended by itself.
    }
    return pids.length === 0;
  });
  t.equal((await drafts()).length, 1, 'a draft is left');

  const { connectionString } = await startServer(t, dataDir);
  t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }]);
  t.same(await drafts(), [], 'and is removed');
});

t.test('the pid of a dead server may be that of another process', async (t) => {
  const dataDir = await initialisedFolder(t);
  const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
  t.teardown(() => end(stranger, 'SIGKILL'));
  const socket = join(dataDir, 'socket');
  const lines = [stranger.pid, join(dataDir, 'postgres'), 1, 5432, socket, '', '1 1', 'ready   '];
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'));

  const { connectionString } = await startServer(t, dataDir);
  t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }]);
  t.equal(stranger.exitCode, null, 'which keeps running');
});

t.test('a server that does not stay up is reported as lost once', async (t) => {
  const dataDir = await initialisedFolder(t);
  const losses: Error[] = [];
  const server = await startServer(t, dataDir, { onLost: (error) => losses.push(error) });
  await until(async () => {
    const answers = await query(server.connectionString, 'select 1').catch(() => []);
    if (answers.length > 0) process.kill(await serverPid(dataDir), 'SIGKILL');
    return losses.length > 0;
  });
  t.equal(losses.length, 1);
  t.match(losses[0]?.message, /does not stay up/);
});

t.test('a service that ends by an uncaught error stops its server', async (t) => {
  const dataDir = await initialisedFolder(t);
  const service = await startService(t, dataDir);
  const pid = await serverPid(dataDir);
  await end(service.process, 'SIGUSR2');
  await until(async () => !(await isServing(pid)));
});

/** The pids of initdb and its children on that folder. */
async function initialisers(dataDir: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).map(Number).filter((each) => each > 0)) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (commandLine.includes(`${dataDir}/postgres.initialising-`)) found.push(pid);
  }
  return found;
}
