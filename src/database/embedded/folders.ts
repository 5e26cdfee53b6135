import { randomBytes } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, EmbeddedPostgresError, wayOut } from './error.js';
import { handOver, type Identity } from './identity.js';

// The kernel's limit for a socket's path, without the closing zero byte (unix(7)).
const socketPathLimitBytes = process.platform === 'darwin' ? 103 : 107;
const socketName = '.s.PGSQL.5432';

/** Makes the data folder where it is missing, and returns its real path. */
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

/** The password of the embedded server, made once and kept in a file that only its owner reads. */
export async function keepPassword(dataDir: string, clusterExists: boolean): Promise<string> {
  const path = passwordPath(dataDir);
  const kept = await readPassword(path);
  if (kept !== null) return kept;
  if (clusterExists) {
    throw new EmbeddedPostgresError(
      `${path} is missing: without it the database beside it cannot be opened. Restore the file from a backup of the data folder. ${wayOut}`,
    );
  }
  // Written aside and linked into place: a crash leaves no half of it, and of two starts at once
  // both end with the same.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeDurably(draft, randomBytes(32).toString('base64url'));
  await link(draft, path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readPassword(path)) ?? '';
}

export function passwordPath(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

/** The password in that file, or null where none was made yet. */
export async function readPassword(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new EmbeddedPostgresError(
      `${path} cannot be read (${codeOf(error)}). Start the service as the user who owns the data folder.`,
    );
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * The private folder for the server's socket: `socket` in the data folder, or, where that path is
 * too long for a socket, a short folder of its own among the temporary ones, to which `socket` is
 * then a link.
 */
export async function prepareSocketFolder(dataDir: string, identity: Identity): Promise<string> {
  const place = join(dataDir, 'socket');
  const linked = await readlink(place).catch(() => null);
  if (linked !== null && (await isPrivateFolder(linked, identity))) return linked;
  if (linked !== null) await rm(place, { force: true });
  if (fitsSocket(place)) {
    await mkdir(place, { recursive: true, mode: 0o700 });
    await chmod(place, 0o700);
    await handOver(identity, place);
    return place;
  }
  const parent = fitsSocket(join(tmpdir(), 'booking-XXXXXX')) ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(parent, 'booking-'));
  await handOver(identity, folder);
  try {
    await symlink(folder, place);
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true });
    if (codeOf(error) === 'EEXIST') return prepareSocketFolder(dataDir, identity);
    throw error;
  }
}

/** Makes the folder again where another start's end has removed it since it was prepared. */
export async function keepSocketFolder(
  dataDir: string,
  folder: string,
  identity: Identity,
): Promise<void> {
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) === undefined) return;
  await handOver(identity, folder);
  await symlink(folder, join(dataDir, 'socket')).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

/** Removes what `prepareSocketFolder` made outside the data folder. */
export async function dropSocketFolder(dataDir: string): Promise<void> {
  const place = join(dataDir, 'socket');
  const linked = await readlink(place).catch(() => null);
  if (linked === null) return;
  await rm(linked, { recursive: true, force: true });
  await rm(place, { force: true });
}

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= socketPathLimitBytes;
}

async function isPrivateFolder(folder: string, identity: Identity): Promise<boolean> {
  const stats = await lstat(folder).catch(() => null);
  const uid = identity.user?.uid ?? process.getuid?.();
  return stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o077) === 0;
}
