import { createHash } from 'node:crypto';
import type { StatsFs } from 'node:fs';
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createSecretFile } from '../secret-file.js';
import type { Binaries } from './binaries.js';
import { codeOf, EmbeddedPostgresError, wayOut } from './error.js';
import { handOver, type Identity, runAs } from './identity.js';

export const superuser = 'booking';

// The kernel's limit for a socket's path, without the closing zero byte (unix(7)).
const socketPathLimitBytes = process.platform === 'darwin' ? 103 : 107;

export function fitsSocket(path: string): boolean {
  return Buffer.byteLength(path) <= socketPathLimitBytes;
}

/** Creates the data folder where it is missing, and returns its real path. */
export async function openDataFolder(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await realpath(dataDir);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The data folder ${dataDir} cannot be used (${codeOf(error)}). Set DATA_DIR to a folder that this user may write. ${wayOut}`,
    );
  }
}

export function clusterPath(dataDir: string): string {
  return join(dataDir, 'postgres');
}

export function passwordPath(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

/**
 * Whether the data folder has a complete database cluster, running or not. Also true where this user may
 * not look: opening it then fails with the reason.
 */
export function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return access(join(clusterPath(dataDir), 'PG_VERSION')).then(
    () => true,
    (error: unknown) => codeOf(error) === 'EACCES',
  );
}

/** The superuser's password; created, in a file that only its owner may read, before the cluster. */
export async function openPassword(dataDir: string, clusterExists: boolean): Promise<string> {
  const password = await readPassword(dataDir);
  if (password !== null) return password;
  if (!clusterExists) return createSecretFile(passwordPath(dataDir));
  throw new EmbeddedPostgresError(
    `${passwordPath(dataDir)} is missing: without it the database beside it cannot be opened. Restore the file from a backup of the data folder. ${wayOut}`,
  );
}

/** The superuser's password, or null where none has been created. */
export async function readPassword(dataDir: string): Promise<string | null> {
  const path = passwordPath(dataDir);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new EmbeddedPostgresError(
      `${path} cannot be read (${codeOf(error)}). Start the service as the user who owns the data folder.`,
    );
  }
}

/**
 * Creates the database cluster. initdb writes into a folder of its own, which is renamed when it is
 * complete: a killed initdb leaves nothing that looks like a cluster.
 */
export async function createCluster(
  dataDir: string,
  binaries: Binaries,
  identity: Identity,
  durable: boolean,
): Promise<void> {
  const cluster = clusterPath(dataDir);
  const draftPrefix = `${cluster}.initialising-`;
  await removeDrafts(draftPrefix);
  const draft = await mkdtemp(draftPrefix);
  await handOver(identity, draft);
  await handOver(identity, passwordPath(dataDir));
  const { succeeded, output } = await runAs(identity, binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    `--pwfile=${passwordPath(dataDir)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]);
  try {
    if (!succeeded) {
      throw new EmbeddedPostgresError(
        `The database could not be created in ${cluster}: ${await failureReason(dataDir, output)}\n${wayOut}`,
      );
    }
    await rename(draft, cluster);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error;
    throw new EmbeddedPostgresError(
      `${cluster} is in the way: it is not empty and has no database. Move it away. ${wayOut}`,
    );
  }
}

/** The free bytes of the folder's disk that this process may use. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The least room for the lock files and the folder of the socket. */
const leastBytes = 100_000;

/**
 * Whether nothing can be written on a file system. One that reports no size, as some on networks do,
 * counts as not full. @internal
 */
export function isFull(
  { blocks, bavail, bfree, bsize }: Pick<StatsFs, 'blocks' | 'bavail' | 'bfree' | 'bsize'>,
  isRoot = process.getuid?.() === 0,
): boolean {
  // Root may use the reserved blocks.
  return blocks > 0 && (isRoot ? bfree : bavail) * bsize < leastBytes;
}

/** Throws `EmbeddedPostgresError` where nothing can be written in the data folder. */
export async function refuseFullDisk(dataDir: string): Promise<void> {
  const disk = await statfs(dataDir).catch(() => null);
  if (disk === null || !isFull(disk)) return;
  throw new EmbeddedPostgresError(`PostgreSQL cannot start on ${dataDir}: ${fullDiskText(0)}`);
}

/** The room of a new cluster, 40 MB, and of its first write-ahead log, 16 MB. */
const neededBytes = 64_000_000;

/** Why a program of PostgreSQL failed: a full disk, or else its output, which says little of one. */
export async function failureReason(folder: string, output: string): Promise<string> {
  const free = await freeBytes(folder).catch(() => Infinity);
  return free < neededBytes ? `${fullDiskText(free)}\n${output}` : output;
}

function fullDiskText(free: number): string {
  return `its disk is full (${Math.floor(free / 1_000_000)} MB are free). Delete files on it, and start again.`;
}

async function removeDrafts(prefix: string): Promise<void> {
  for (const name of await readdir(dirname(prefix))) {
    if (!name.startsWith(basename(prefix))) continue;
    // An initdb that has outlived its service may still add files.
    await rm(join(dirname(prefix), name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * The folder of the server's socket: in the data folder, or in a temporary folder where that path is too
 * long. Other users cannot create it first: its name derives from the password.
 */
export function socketFolder(dataDir: string, password: string): string {
  const hash = createHash('sha256').update(`${dataDir}\0${password}`).digest('hex');
  const name = `booking-${hash.slice(0, 16)}`;
  const folders = [join(dataDir, 'socket'), join(tmpdir(), name)];
  return folders.find((folder) => fitsSocket(join(folder, '.s.PGSQL.5432'))) ?? join('/tmp', name);
}

/** Creates the folder of the socket, private and empty: a killed server leaves its files there. */
export async function createSocketFolder(folder: string, identity: Identity): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await handOver(identity, folder);
}

export function movedPath(dataDir: string): string {
  return join(dataDir, 'moved-to');
}

/** To where the data of the folder have moved: a folder, or a database such as `db.example.com/booking`. */
export async function readMoved(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(movedPath(dataDir), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Marks the folder as moved: from then on, no server starts on it. */
export async function markMoved(dataDir: string, destination: string): Promise<void> {
  const draft = `${movedPath(dataDir)}.draft`;
  await writeFile(draft, `${destination}\n`, { flush: true });
  await rename(draft, movedPath(dataDir));
}

export async function refuseMoved(dataDir: string): Promise<void> {
  const destination = await readMoved(dataDir);
  if (destination === null) return;
  throw new EmbeddedPostgresError(
    `The data of ${dataDir} have moved to ${destination}: set DATABASE_URL to that server and SECRET_KEY, or DATA_DIR to that folder. To go back to this folder, without what has happened since, remove ${movedPath(dataDir)}.`,
  );
}
