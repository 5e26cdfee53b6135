/**
 * Compiles everything once, without checking types, and runs the tests (suite.ts):
 *
 *     npm test [-- test/x/y.test.ts … and options of tap]
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';

const root = packageRoot();
// Ten times as fast as the compiler of the build.
const compiler = join(root, 'node_modules/typescript-newest/bin/tsc');
const settings = join(root, 'scripts/settings/tsconfig.test.json');
const { status } = spawnSync(process.execPath, [compiler, '-p', settings], { stdio: 'inherit' });
if (status === 0) await import(pathToFileURL(join(root, 'dist/tests/test/support/suite.js')).href);
else process.exitCode = 1;
