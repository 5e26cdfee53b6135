import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { chmod, chown, lstat, readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError, wayOut } from './error.js';

interface User {
  uid: number;
  gid: number;
}

/** The user as whom PostgreSQL's programs run: PostgreSQL refuses to run as root. */
export interface Identity {
  /** A command that runs its arguments, or nothing. */
  prefix: readonly string[];
  /** The user to run as, where it is not this process's own. */
  user: User | null;
}

export const ourselves: Identity = { prefix: [], user: null };

// Every system has at least `nobody`.
const unprivilegedUsers = ['postgres', 'nobody'];

// Nothing is inherited: the environment of the service has secrets.
const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Starts a program as the identity, in a process group and session of its own. */
export function spawnAs(
  identity: Identity,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const [command = program, ...rest] = [...identity.prefix, program, ...args];
  return spawn(command, rest, {
    stdio,
    env: environment,
    cwd: '/',
    detached: true,
    windowsHide: true,
    ...identity.user,
  });
}

/** Runs a program to its end. Returns whether it succeeded, and the end of what it wrote. */
export async function runAs(
  identity: Identity,
  program: string,
  args: readonly string[],
): Promise<{ succeeded: boolean; output: string }> {
  const child = spawnAs(identity, program, args, ['ignore', 'pipe', 'pipe']);
  const output = collectOutput(child);
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ succeeded: code === 0, output: output() }));
  });
}

/** Keeps the last 2,000 characters of a process, or the error of its start. */
export function collectOutput(child: ChildProcess): () => string {
  let output = '';
  child.once('error', (error) => (output = error.message));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2000);
    });
  }
  return () => output.trim();
}

/**
 * Chooses as whom the server of a data folder runs: the owner of its files; in a new folder this
 * process's user; instead of root, the first of these that can reach the folder and the programs: root in
 * a user namespace, the owner of the data folder or of its parent, an unprivileged user. Throws
 * `EmbeddedPostgresError` where none can.
 */
export async function chooseIdentity(
  dataDir: string,
  cluster: string,
  binaries: Binaries,
  canUseNamespace = process.platform === 'linux',
): Promise<Identity> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return ourselves;
  const owner = await ownerOf(cluster);
  if (isRoot && owner !== null && owner.uid !== 0) return { prefix: [], user: owner };
  const namespaced = canUseNamespace ? await inNamespace() : null;
  if (namespaced !== null && (await canServe(namespaced, dataDir, binaries))) return namespaced;
  if (!isRoot) return ourselves;
  // Another user must be able to pass through the data folder; the files in it are private.
  if ((await ownerOf(dataDir))?.uid === 0) await chmod(dataDir, 0o711);
  for await (const user of existingUsers(dataDir)) {
    const identity = { prefix: [], user };
    if (!(await canServe(identity, dataDir, binaries))) continue;
    if (owner !== null) await handOver(identity, cluster);
    return identity;
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root; neither a user namespace ("unshare --user") nor an unprivileged user who may enter ${dataDir} is available. ` +
      `Start the service as an ordinary user. ${wayOut}`,
  );
}

/** Gives a file or folder, with its contents, to the user that the server runs as. */
export async function handOver(identity: Identity, path: string): Promise<void> {
  if (identity.user === null) return;
  await chown(path, identity.user.uid, identity.user.gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await handOver(identity, join(path, name));
}

/** PostgreSQL's initdb does not run as a user without a name, such as a container may have. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/**
 * The same user in a user namespace that maps it to an unprivileged one: no user has to be created, and
 * the files keep their owner, so that the server may enter a folder that is private to it.
 */
async function inNamespace(): Promise<Identity | null> {
  for await (const user of findUsers()) {
    const mapping = [`--map-user=${user.uid}`, `--map-group=${user.gid}`];
    return { prefix: ['unshare', '--user', ...mapping], user: null };
  }
  return null;
}

async function* existingUsers(dataDir: string): AsyncGenerator<User> {
  for (const folder of [dataDir, dirname(dataDir)]) {
    const owner = await ownerOf(folder);
    if (owner !== null && owner.uid !== 0) yield owner;
  }
  yield* findUsers();
}

async function* findUsers(): AsyncGenerator<User> {
  for (const name of unprivilegedUsers) {
    const [uid, gid] = await Promise.all([
      runAs(ourselves, 'id', ['-u', name]),
      runAs(ourselves, 'id', ['-g', name]),
    ]);
    if (uid.succeeded && gid.succeeded) yield { uid: Number(uid.output), gid: Number(gid.output) };
  }
}

async function canServe(identity: Identity, dataDir: string, binaries: Binaries): Promise<boolean> {
  const check = 'test -x "$1" && id -un && exec "$2" --version';
  const args = ['-c', check, 'sh', dataDir, binaries.postgres];
  return (await runAs(identity, '/bin/sh', args)).succeeded;
}

async function ownerOf(path: string): Promise<User | null> {
  const stats = await stat(path).catch(() => null);
  return stats === null ? null : { uid: stats.uid, gid: stats.gid };
}
