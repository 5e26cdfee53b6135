/**
 * Compiles and bundles everything once, without checking types, and runs the tests (suite.ts):
 *
 *     npm test [-- test/x/y.test.ts … and options of tap]
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';
import { buildTests } from './build.js';

const root = packageRoot();
const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('-'));
const named = args.filter((arg) => !arg.startsWith('-'));
const files = named.length > 0 ? named : findTestFiles();
/** Of this run, which another one at the same time does not write to. */
const folder = join(root, 'dist/tests', String(process.pid));
process.env['TEST_RUN_FOLDER'] = folder;
try {
  if (buildTests(root, folder, files)) {
    const suite = pathToFileURL(join(folder, 'test/support/suite.js')).href;
    const { runSuite } = (await import(suite)) as typeof import('./suite.js');
    process.exitCode = (await runSuite(files, options)) ? 0 : 1;
  } else {
    console.log('0 passed, 1 failed');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function findTestFiles(): string[] {
  const entries = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const found = entries.filter((entry) => /\.test\.tsx?$/.test(entry));
  return found.map((file) => join('test', file)).sort();
}
