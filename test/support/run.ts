/**
 * Compiles and bundles everything once, without checking types, and runs the tests (suite.ts):
 *
 *     npm test [-- test/x/y.test.ts … and options of tap]
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';

const root = packageRoot();
/** Of this run, which another one at the same time does not write to. */
const folder = join(root, 'dist/tests', String(process.pid));
// Ten times as fast as the compiler of the build.
const compiler = join(root, 'node_modules/typescript-newest/bin/tsc');
const settings = join(root, 'scripts/settings/tsconfig.test.json');
try {
  const isBuilt =
    run(compiler, '-p', settings, '--outDir', folder) &&
    run(join(root, 'scripts/bundle.js'), folder);
  if (isBuilt) {
    await import(pathToFileURL(join(folder, 'test/support/suite.js')).href);
  } else {
    console.log('0 passed, 1 failed');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(...args: string[]): boolean {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}
