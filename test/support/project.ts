import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';

/** The folder of package.json. The tests themselves run in dist/tests, compiled. */
export const projectRoot = packageRoot();

/** Of this run, with everything compiled: set by run.ts, for this process and those it starts. */
const runFolder =
  process.env['TEST_RUN_FOLDER'] ?? fileURLToPath(new URL('../..', import.meta.url));

/** The compiled file of a source, such as `scripts/demo.ts`, to start as a process. */
export function compiledFile(source: string): string {
  return join(runFolder, source.replace(/\.tsx?$/, '.js'));
}

/** A test file with all that it imports, bundled. */
export function bundledTest(source: string, folder = runFolder): string {
  return join(folder, 'tests', source.replace(/\.tsx?$/, '.js'));
}

/** A program of the service as `npm start` runs it: bundled. */
export function bundledProgram(name: 'main' | 'studio'): string {
  return join(runFolder, `bundle/${name}.js`);
}
