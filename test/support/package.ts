import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './project.js';

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
