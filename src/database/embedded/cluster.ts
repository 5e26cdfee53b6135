import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import { codeOf, EmbeddedPostgresError, wayOut } from './error.js';
import { passwordPath } from './folders.js';
import { handOver, type Identity, runAs } from './identity.js';

export const superuser = 'booking';

/** Whether a finished database cluster lies in that folder. */
export function isCluster(cluster: string): Promise<boolean> {
  return access(join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * Makes the database cluster. It is made aside and renamed into place when it is whole, so that an
 * initialisation that is killed in the middle leaves nothing that looks like a cluster; where two
 * starts make one at once, the first to finish has made it.
 */
export async function makeCluster(
  cluster: string,
  binaries: Binaries,
  identity: Identity,
  durable: boolean,
): Promise<void> {
  const dataDir = dirname(cluster);
  const draft = await mkdtemp(draftPrefix(cluster));
  await handOver(identity, draft);
  await handOver(identity, passwordPath(dataDir));
  const made = await runAs(identity, binaries.initdb, [
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
  const renamed = made.succeeded && (await renameInto(draft, cluster));
  if (renamed) return;
  await rm(draft, { recursive: true, force: true });
  if (await isCluster(cluster)) return;
  throw new EmbeddedPostgresError(
    made.succeeded
      ? `${cluster} is in the way: it is not empty and holds no database. Move it away. ${wayOut}`
      : `The database could not be made in ${cluster}: ${made.output}\n${wayOut}`,
  );
}

/** Removes what initialisations that were killed have left. */
export async function dropDrafts(cluster: string): Promise<void> {
  const folder = dirname(cluster);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(basename(draftPrefix(cluster)))) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

function draftPrefix(cluster: string): string {
  return `${cluster}.initialising-`;
}

async function renameInto(draft: string, cluster: string): Promise<boolean> {
  try {
    await rename(draft, cluster);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}
