/**
 * Bundles the programs if what they are made of has changed. `--if-possible` (npm's `prepare`): only
 * where there is a bundler. `--package` (npm's `prepack`): also compiles src and generated into dist,
 * with declarations, for those who import the package.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './ensure-build.js';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

function compile() {
  for (const folder of ['dist/src', 'dist/generated']) {
    rmSync(inRoot(folder), { recursive: true, force: true });
  }
  const compiler = inRoot('node_modules/typescript-newest/bin/tsc');
  const args = [compiler, '--project', inRoot('scripts/settings/tsconfig.build.json')];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}

const isBuilt = ensureBuild({ ifPossible: process.argv.includes('--if-possible') });
if (!isBuilt || (process.argv.includes('--package') && !compile())) process.exitCode = 1;
