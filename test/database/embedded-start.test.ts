import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  end,
  isServing,
  mode,
  query,
  serverPid,
  startServer,
  startService,
  temporaryFolder,
} from '../support/embedded.js';

t.test('a first start creates a database, a second start keeps its rows', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'made', 'here');
  const begun = performance.now();
  const first = await startServer(t, dataDir, { settings: {} });
  const firstMs = performance.now() - begun;
  await query(first.connectionString, 'create table kept as select 42 as answer');
  await first.stop();
  const begunAgain = performance.now();
  const second = await startServer(t, dataDir);
  t.comment(
    `first ${firstMs.toFixed(0)} ms, second ${(performance.now() - begunAgain).toFixed(0)} ms`,
  );
  t.same(await query(second.connectionString, 'table kept'), [{ answer: 42 }]);
});

t.test(
  'files are private to their owner, and the password is in no argument or environment',
  async (t) => {
    const dataDir = join(await temporaryFolder(t), 'data');
    const { line } = await startService(t, dataDir);
    const url = new URL(line.replace('ready ', ''));
    const socket = url.searchParams.get('host') ?? '';
    t.equal(await mode(dataDir), '700');
    t.equal(await mode(join(dataDir, 'postgres')), '700');
    t.equal(await mode(socket), '700');
    t.equal(await mode(join(socket, '.s.PGSQL.5432')), '700');
    t.equal(await mode(join(dataDir, 'postgres-password')), '600');
    t.equal(await readFile(join(dataDir, 'postgres-password'), 'utf8'), url.password);
    t.ok(url.password.length >= 43, '256 bits');

    const pid = await serverPid(dataDir);
    t.notMatch(await readFile(`/proc/${pid}/cmdline`, 'utf8'), url.password);
    t.notMatch(await readFile(`/proc/${pid}/environ`, 'utf8'), 'SECRET_OF_THE_SERVICE');
  },
);

t.test('the server accepts only the password, and only on the socket', async (t) => {
  const { connectionString } = await startServer(t, await temporaryFolder(t));
  t.same(await query(connectionString, 'show listen_addresses'), [{ listen_addresses: '' }]);
  const url = new URL(connectionString);
  url.password = 'guessed';
  await t.rejects(query(url.href, 'select 1'), { code: '28P01' });
});

t.test(
  'commits are synchronous, and encoding, order of text and time zone do not depend on the machine',
  async (t) => {
    const { connectionString } = await startServer(t, await temporaryFolder(t), { settings: {} });
    const settings = `select current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as commit, current_setting('timezone') as zone,
    current_setting('server_encoding') as encoding,
    (select string_agg(word, '' order by word) from unnest(array['a', 'B', 'ä', 'Z']) word) as sorted,
    lower('ÄÖ') as lowered`;
    t.same(await query(connectionString, settings), [
      { fsync: 'on', commit: 'on', zone: 'UTC', encoding: 'UTF8', sorted: 'BZaä', lowered: 'äö' },
    ]);
  },
);

t.test('the server log has nothing that a client sent', async (t) => {
  const dataDir = await temporaryFolder(t);
  const { connectionString, stop } = await startServer(t, dataDir);
  await query(connectionString, 'create table people (email text unique)');
  await query(connectionString, "insert into people values ('ada@example.com')");
  await t.rejects(query(connectionString, "insert into people values ('ada@example.com')"));
  await t.rejects(query(connectionString, "select 'ada@example.com'::uuid"));
  await stop();
  const folder = join(dataDir, 'postgres', 'log');
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name), 'utf8');
    t.match(text, 'ready to accept connections');
    t.notMatch(text, 'ada@example.com');
    t.equal(await mode(join(folder, name)), '600');
  }
});

t.test(
  'a data folder whose path is too long for a socket has it in a temporary folder',
  async (t) => {
    const dataDir = join(await temporaryFolder(t), 'long'.repeat(30));
    const first = await startServer(t, dataDir);
    const folder = new URL(first.connectionString).searchParams.get('host') ?? '';
    t.equal(await mode(folder), '700');
    t.same(await query(first.connectionString, 'select 1 as one'), [{ one: 1 }]);
    await first.stop();
    await t.rejects(stat(folder), { code: 'ENOENT' }, 'stop removes it');
    const second = await startServer(t, dataDir);
    t.same(await query(second.connectionString, 'select 1 as one'), [{ one: 1 }]);
  },
);

t.test('a data folder may have any name', async (t) => {
  const dataDir = join(await temporaryFolder(t), `a "b", 'c' & d%20é`);
  const { connectionString } = await startServer(t, dataDir);
  t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }]);
});

t.test('stop leaves no process and no socket', async (t) => {
  const dataDir = await temporaryFolder(t);
  const service = await startService(t, dataDir);
  const pid = await serverPid(dataDir);
  t.ok(await isServing(pid));
  t.equal(await end(service.process, 'SIGTERM'), 0);
  t.notOk(await isServing(pid));
  await t.rejects(stat(join(dataDir, 'socket')), { code: 'ENOENT' });
});

t.test(
  'the server has a process group and session of its own, so Ctrl-C reaches only the service',
  async (t) => {
    const dataDir = await temporaryFolder(t);
    await startServer(t, dataDir);
    const pid = await serverPid(dataDir);
    const status = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/.*\) /, '').split(' ');
    t.equal(Number(status[2]), pid, 'leads its process group');
    t.equal(Number(status[3]), pid, 'and its session');
  },
);

t.test('the error for a data folder that cannot be created names it', async (t) => {
  await t.rejects(startServer(t, '/dev/null/data'), {
    name: 'EmbeddedPostgresError',
    message: /\/dev\/null\/data cannot be used .* DATA_DIR/,
  });
});

t.test('a lost password is an error, and is not replaced', async (t) => {
  const dataDir = await temporaryFolder(t);
  const { stop } = await startServer(t, dataDir);
  await stop();
  await writeFile(join(dataDir, 'postgres-password'), 'another');
  await t.rejects(startServer(t, dataDir), /postgres-password is not that of the database/);
  await rm(join(dataDir, 'postgres-password'));
  await t.rejects(startServer(t, dataDir), /postgres-password is missing/);
});

t.test('the error for a folder in the way of the database names it', async (t) => {
  const dataDir = await temporaryFolder(t);
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear reader');
  await t.rejects(startServer(t, dataDir), /is in the way/);
  t.same(await readdir(dataDir), ['postgres', 'postgres-password'], 'and no draft is left');
});
