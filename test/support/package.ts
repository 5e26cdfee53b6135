import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Test } from 'tap';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The compilers that consumers of the package may have. */
export const compilers = ['typescript', 'typescript-newest'] as const;

/**
 * An empty project outside of this one, with the package installed as `npm install <tarball>` leaves
 * it. Of the dependencies it has those that are named, and no others: what a consumer loads must not
 * need the service's.
 */
export async function createConsumerProject(
  t: Test,
  { dependencies, files }: { dependencies: string[]; files: Record<string, string> },
): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'booking-consumer-'));
  t.teardown(() => rm(project, { recursive: true, force: true }));
  const packed = await run('npm', ['pack', '--json', '--silent', '--pack-destination', project], {
    cwd: root,
  });
  const [{ filename, name }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('['))) as [
    { filename: string; name: string },
  ];
  const installed = join(project, 'node_modules', name);
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(project, filename), '-C', installed, '--strip-components=1']);
  for (const dependency of dependencies) {
    await mkdir(dirname(join(project, 'node_modules', dependency)), { recursive: true });
    await symlink(
      join(root, 'node_modules', dependency),
      join(project, 'node_modules', dependency),
    );
  }
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const [path, text] of Object.entries(files)) await writeFile(join(project, path), text);
  return project;
}

/** What a compiler says about a project with these options on top of `strict`; empty when nothing. */
export async function compile(
  project: string,
  compiler: (typeof compilers)[number],
  compilerOptions: Record<string, unknown>,
): Promise<string> {
  const config = join(project, 'tsconfig.json');
  await writeFile(
    config,
    JSON.stringify({ compilerOptions: { strict: true, target: 'es2022', ...compilerOptions } }),
  );
  const tsc = join(root, 'node_modules', compiler, 'bin', 'tsc');
  return run(process.execPath, [tsc, '-p', config]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

/** The version of the compiler, such as `5.9.3`. */
export async function compilerVersion(compiler: (typeof compilers)[number]): Promise<string> {
  const text = await readFile(join(root, 'node_modules', compiler, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
