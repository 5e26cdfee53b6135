import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json; works from `src` and from `dist`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json was not found above the code');
    folder = parent;
  }
  return folder;
}

interface Package {
  name: string;
  version: string;
}

let read: Package | undefined;

/** Reads package.json, once. */
export function readPackage(): Package {
  read ??= JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as Package;
  return read;
}
