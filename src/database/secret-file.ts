import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '../config/config.js';

const accessOfOthers = 0o077;

/**
 * The secret in a file, or null where the file does not exist. Throws `ConfigError` where it cannot be
 * read, or others on the machine may read or write it.
 */
export async function readSecretFile(path: string): Promise<string | null> {
  try {
    const file = await open(path);
    try {
      // Checks the open file: the path may name another one by now.
      await requirePrivateFile(path, await file.stat());
      return (await file.readFile('utf8')).trim();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError(`The secret key ${path} cannot be read (${code}).`);
  }
}

async function requirePrivateFile(path: string, { mode, uid }: Stats): Promise<void> {
  const ourUid = process.getuid?.();
  // Windows has no modes and no numeric owners.
  if (ourUid === undefined) return;
  if ((mode & accessOfOthers) !== 0) {
    const shown = (mode & 0o7777).toString(8).padStart(4, '0');
    throw new ConfigError(
      `Other users of this machine may read or write the secret key ${path} (mode ${shown}). Run "chmod 600 ${path}" and start again; if one of them may have read it, change the key (SECRET_KEY, SECRET_KEY_PREVIOUS).`,
    );
  }
  // The folder's owner could replace the file anyway. So root may start in another user's folder.
  const folder = await stat(dirname(path));
  if (![0, ourUid, folder.uid].includes(uid)) {
    throw new ConfigError(
      `The secret key ${path} belongs to another user (${uid}): put the right file there, or make it yours with "chown ${ourUid} ${path}".`,
    );
  }
}

/**
 * Creates a file, readable by its owner only, with a secret of 256 random bits, and returns the secret.
 * The file is linked when it is complete: a crash leaves no partial file, and concurrent starts share one
 * secret.
 */
export async function createSecretFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(32).toString('base64url'));
    await file.sync();
  } finally {
    await file.close();
  }
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  const secret = await readSecretFile(path);
  if (secret === null) throw new Error(`${path} was removed while it was created`);
  return secret;
}
