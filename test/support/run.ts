/**
 * Compiles and bundles everything once, without checking types, and runs the tests (suite.ts). Without
 * files, those that `longer.ts` does not name; with `--rest`, the others; with `--all`, both.
 *
 *     npm test [-- test/x/y.test.ts … and options of tap]
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';
import { isLonger, longerTests } from '../longer.js';
import { buildTests } from './build.js';

const root = packageRoot();
const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('-') && arg !== '--rest' && arg !== '--all');
const { files, leftOut } = chooseFiles(args.filter((arg) => !arg.startsWith('-')));
/** Of this run, which another one at the same time does not write to. */
const folder = join(root, 'dist/tests', String(process.pid));
process.env['TEST_RUN_FOLDER'] = folder;
try {
  if (buildTests(root, folder, files)) {
    const suite = pathToFileURL(join(folder, 'test/support/suite.js')).href;
    const { runSuite } = (await import(suite)) as typeof import('./suite.js');
    process.exitCode = (await runSuite(files, options, leftOut)) ? 0 : 1;
  } else {
    console.log('0 passed, 1 failed');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function chooseFiles(named: string[]) {
  if (named.length > 0) return { files: named, leftOut: 0 };
  const found = findTestFiles();
  const missing = longerTests.filter((name) => !existsSync(join(root, 'test', name)));
  if (missing.length > 0) throw new Error(`test/longer.ts names ${missing.join(', ')}`);
  const longer = found.filter((file) => isLonger(relative('test', file)));
  if (args.includes('--rest')) return { files: longer, leftOut: 0 };
  if (args.includes('--all')) return { files: found, leftOut: 0 };
  // A file that starts a browser and is not among the longer ones fails.
  process.env['TEST_WITHOUT_BROWSER'] = '1';
  return { files: found.filter((file) => !longer.includes(file)), leftOut: longer.length };
}

function findTestFiles(): string[] {
  const entries = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const found = entries.filter((entry) => /\.test\.tsx?$/.test(entry));
  return found.map((file) => join('test', file)).sort();
}
