import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

const run = promisify(execFile);

/** Packs our package into the folder, as `npm pack` does; resolves with the file. */
export async function packPackage(folder: string): Promise<string> {
  const args = ['pack', '--json', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: projectRoot });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  return join(folder, filename);
}

/** Unpacks our package, which the run has packed, where `npm install <file>` does; resolves with the folder. */
export async function installPackage(project: string): Promise<string> {
  const file = process.env['TEST_PACKAGE'];
  if (file === undefined) throw new Error('the package was not packed: run this by npm test');
  const installed = join(project, 'node_modules', 'tattoo-studio-booking');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', file, '-C', installed, '--strip-components=1']);
  return installed;
}
