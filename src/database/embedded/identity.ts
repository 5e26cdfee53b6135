import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { chmod, chown, lstat, readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError, wayOut } from './error.js';

/** As whom PostgreSQL's programs run: PostgreSQL refuses to run as root. */
export interface Identity {
  /** A command that runs the rest of its arguments, or nothing. */
  prefix: readonly string[];
  /** The user to become, where it is not the one we are. */
  user: { uid: number; gid: number } | null;
}

export const ourselves: Identity = { prefix: [], user: null };

// Of these, every machine knows at least the second.
const unprivilegedUsers = ['postgres', 'nobody'];

// Nothing of ours is handed on: our environment carries secrets.
const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Starts a program as that identity, in a process group and session of its own. */
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
    child.once('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.once('close', (code) => resolve({ succeeded: code === 0, output: output() }));
  });
}

/** Keeps the last 2,000 characters of what a process writes. */
export function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2000);
    });
  }
  return () => output.trim();
}

/**
 * Decides as whom the server of that data folder runs: whoever owns its files already; else
 * ourselves; and where we are root, the first of these that can reach the folder and the programs:
 * we in a user namespace, the owner of the folder around, an existing unprivileged user.
 * Throws `EmbeddedPostgresError` where none can.
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
  if (canUseNamespace) {
    const identity = await namespaced();
    if (identity !== null && (await canServe(identity, dataDir, binaries))) return identity;
  }
  if (!isRoot) return ourselves;
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

/** PostgreSQL's initdb does not run as a user without a name, such as a container may be given. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/**
 * We ourselves, in a user namespace where we count as an unprivileged user: none has to be made,
 * and the files stay ours, so that a folder which only we may enter is no obstacle.
 */
async function namespaced(): Promise<Identity | null> {
  for (const name of unprivilegedUsers) {
    const user = await findUser(name);
    if (user === null) continue;
    const prefix = ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`];
    return { prefix, user: null };
  }
  return null;
}

/** Gives a file or folder, with all that it holds, to the user that the server runs as. */
export async function handOver(identity: Identity, path: string): Promise<void> {
  if (identity.user === null) return;
  await chown(path, identity.user.uid, identity.user.gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await handOver(identity, join(path, name));
}

async function* existingUsers(dataDir: string): AsyncGenerator<{ uid: number; gid: number }> {
  // Another user must be able to pass through the data folder; what lies in it is private by itself.
  if ((await ownerOf(dataDir))?.uid === 0) await chmod(dataDir, 0o711);
  for (const folder of [dataDir, dirname(dataDir)]) {
    const owner = await ownerOf(folder);
    if (owner !== null && owner.uid !== 0) yield owner;
  }
  for (const name of unprivilegedUsers) {
    const user = await findUser(name);
    if (user !== null) yield user;
  }
}

async function findUser(name: string): Promise<{ uid: number; gid: number } | null> {
  const [uid, gid] = await Promise.all([
    runAs(ourselves, 'id', ['-u', name]),
    runAs(ourselves, 'id', ['-g', name]),
  ]);
  if (!uid.succeeded || !gid.succeeded) return null;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

async function canServe(identity: Identity, dataDir: string, binaries: Binaries): Promise<boolean> {
  const check = 'test -x "$1" && id -un && exec "$2" --version';
  const args = ['-c', check, 'sh', dataDir, binaries.postgres];
  return (await runAs(identity, '/bin/sh', args)).succeeded;
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  const stats = await stat(path).catch(() => null);
  return stats === null ? null : { uid: stats.uid, gid: stats.gid };
}
