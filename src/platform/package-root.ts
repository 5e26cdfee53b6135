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

export function readPackage(): { name: string; version: string } {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return JSON.parse(text) as { name: string; version: string };
}
