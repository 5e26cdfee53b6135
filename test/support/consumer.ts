/** The project of a consumer of the package: a folder of its own, Node and a compiler. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { temporaryFolder } from './embedded.js';
import { confirmAsPerson } from './forms.js';
import { projectRoot } from './project.js';

const run = promisify(execFile);

/** A project of these files, in a folder outside of this repository. */
export async function createProject(t: Test, files: Record<string, string>): Promise<string> {
  const project = await temporaryFolder(t);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const [path, text] of Object.entries(files)) await writeFile(join(project, path), text);
  return project;
}

/** Gives the project these packages, as they are installed here, and no others. */
export async function linkPackages(project: string, names: string[]): Promise<void> {
  for (const name of names) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(projectRoot, 'node_modules', name), link);
  }
}

/** Compiles the project with these options on top of `strict`; what the compiler says, or nothing. */
export async function compile(
  project: string,
  compiler: 'typescript' | 'typescript-newest',
  options: Record<string, unknown>,
): Promise<string> {
  const config = join(project, 'tsconfig.json');
  const compilerOptions = { strict: true, target: 'es2022', types: [], ...options };
  await writeFile(config, JSON.stringify({ compilerOptions }));
  const tsc = join(projectRoot, 'node_modules', compiler, 'bin', 'tsc');
  return run(process.execPath, [tsc, '-p', config]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

/** Starts a program of the project; stopped with the test. */
export function startProgram(
  t: Test,
  project: string,
  program: string,
  args: string[],
  environment: Record<string, string> = {},
) {
  const child = spawn(process.execPath, [join(project, program), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.teardown(async () => {
    child.kill();
    await ended;
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (text) => lines.push(text));
  return {
    child,
    /** What it has printed so far. */
    lines,
    /** What it has complained about so far. */
    errors: () => errors,
    /** Resolves with the exit code when it has ended and everything was read. */
    ended,
    /** Resolves with the first line, printed already or from now on, that the pattern fits. */
    async line(pattern: RegExp) {
      for (;;) {
        const found = lines.find((text) => pattern.test(text));
        if (found !== undefined) return found;
        const more = await Promise.race([once(reader, 'line'), ended]);
        if (!Array.isArray(more))
          throw new Error(`it ended without ${pattern}:\n${lines.join('\n')}\n${errors}`);
      }
    },
  };
}

/**
 * Runs a program of the project to its end, and opens the checkout link that it prints as its person
 * would. Resolves with the lines that it has printed.
 */
export async function runForPerson(
  t: Test,
  project: string,
  program: string,
  args: string[],
): Promise<string[]> {
  const running = startProgram(t, project, program, args);
  const printed = await running.line(/\/checkout\//u);
  await confirmAsPerson(printed.slice(printed.indexOf('http')));
  t.equal(await running.ended, 0, `${program} ends well`);
  return running.lines;
}
