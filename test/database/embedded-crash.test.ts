import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  end,
  isServing,
  query,
  serverPid,
  type Service,
  spawnService,
  startServer,
  startService,
  temporaryFolder,
  until,
} from '../support/embedded.js';

const unlessRoot = process.getuid?.() !== 0 && 'only root may create a network namespace';
const addressOf = ({ line }: Service) => line.replace('ready ', '');

t.test('a service that is killed leaves its server; the next start replaces it', async (t) => {
  const dataDir = await temporaryFolder(t);
  const killed = await startService(t, dataDir);
  await query(addressOf(killed), 'create table kept as select 42 as answer');
  const orphan = await serverPid(dataDir);
  await end(killed.process, 'SIGKILL');
  t.ok(await isServing(orphan), 'the server still runs');

  const { connectionString } = await startServer(t, dataDir);
  t.same(await query(connectionString, 'table kept'), [{ answer: 42 }], 'committed rows are there');
  t.notOk(await isServing(orphan), 'the old server is gone');
  t.not(await serverPid(dataDir), orphan);
});

t.test('a service and its server that are killed keep what was committed', async (t) => {
  const dataDir = await temporaryFolder(t);
  const killed = await startService(t, dataDir);
  await query(addressOf(killed), 'create table kept as select 42 as answer');
  await end(killed.process, 'SIGKILL');
  process.kill(await serverPid(dataDir), 'SIGKILL');

  const { connectionString } = await startServer(t, dataDir);
  t.same(await query(connectionString, 'table kept'), [{ answer: 42 }]);
});

t.test('a second service on a data folder exits with 1 and says that one is running', async (t) => {
  const dataDir = await temporaryFolder(t);
  const first = await startService(t, dataDir);
  const pid = await serverPid(dataDir);
  const second = await startService(t, dataDir);
  t.equal(
    second.line,
    `The service is already running (process ${first.process.pid}) on ${dataDir}.`,
  );
  t.equal(await end(second.process, 'SIGCONT'), 1);
  t.equal(await serverPid(dataDir), pid, 'and the first keeps its server');
  t.same(await query(addressOf(first), 'select 1 as one'), [{ one: 1 }]);
});

t.test(
  'a start leaves the server of a service whose lock it cannot see',
  { skip: unlessRoot },
  async (t) => {
    const dataDir = await temporaryFolder(t);
    const first = await startService(t, dataDir);
    const pid = await serverPid(dataDir);
    // As with a previous version, which has no lock for this one to see.
    const second = await startService(t, dataDir, ['unshare', '--net']);
    t.match(second.line, /^Another process runs a database server .* Stop it first\.$/);
    t.equal(await end(second.process, 'SIGCONT'), 1);
    t.equal(await serverPid(dataDir), pid);
    t.same(await query(addressOf(first), 'select 1 as one'), [{ one: 1 }]);
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
    (await readdir(dataDir).catch(() => [])).filter((name) => name.includes('initialising'));
  await until(async () => (await initialisers(dataDir)).length > 0);
  await end(service, 'SIGKILL');
  await killInitialisers(dataDir);
  t.equal((await drafts()).length, 1, 'a draft is left');

  const { connectionString } = await startServer(t, dataDir);
  t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }]);
  t.same(await drafts(), [], 'and is removed');
});

t.test('the pid of a dead server may be that of another process', async (t) => {
  const dataDir = await temporaryFolder(t);
  const { stop } = await startServer(t, dataDir);
  await stop();
  const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
  t.teardown(() => end(stranger, 'SIGKILL'));
  const socket = join(dataDir, 'socket');
  const lines = [stranger.pid, join(dataDir, 'postgres'), 1, 5432, socket, '', '1 1', 'ready   '];
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'));

  const { connectionString } = await startServer(t, dataDir);
  t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }]);
  t.equal(stranger.exitCode, null, 'which keeps running');
});

t.test('a server that dies is restarted, and a second service is still refused', async (t) => {
  const dataDir = await temporaryFolder(t);
  const service = await startService(t, dataDir);
  await query(addressOf(service), 'create table kept as select 42 as answer');
  process.kill(await serverPid(dataDir), 'SIGKILL');
  const rows = () => query<{ answer: number }>(addressOf(service), 'table kept').catch(() => []);
  await until(async () => (await rows())[0]?.answer === 42);
  t.match((await startService(t, dataDir)).line, /already running/);
});

t.test('a server that does not stay up is reported as lost once', async (t) => {
  const dataDir = await temporaryFolder(t);
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
  const dataDir = await temporaryFolder(t);
  const service = await startService(t, dataDir);
  const pid = await serverPid(dataDir);
  await end(service.process, 'SIGUSR2');
  await until(async () => !(await isServing(pid)));
  t.notOk(await isServing(pid));
});

/** Kills the initdb processes of that folder, until none is left. */
async function killInitialisers(dataDir: string): Promise<void> {
  for (
    let pids = await initialisers(dataDir);
    pids.length > 0;
    pids = await initialisers(dataDir)
  ) {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        // It has ended.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
}

/** The pids of initdb and its children on that folder. */
async function initialisers(dataDir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const arguments_ = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return arguments_.includes(`${dataDir}/postgres.initialising-`) ? pid : 0;
    }),
  );
  return found.filter((pid) => pid > 0);
}
