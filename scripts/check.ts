/**
 * Runs all `check:…` commands of package.json, even if some fail, and then the tests. Used instead
 * of npm-run-all, which prints no totals.
 *
 *     npm test                            everything
 *     npm test -- test/domain/x.test.ts   these tests only (files and tap's options)
 *     npm run lint                        everything but the tests
 *     npm run check -- types imports      these commands only
 *
 * The last line is `N passed, N failed`: of the tests, or, where one of the commands failed, of the
 * commands and the tests as one.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { timesSoFar } from './processor-time.js';

interface Command {
  name: string;
  line: string;
}

interface Outcome {
  name: string;
  passed: boolean;
  output: string;
}

const prefix = 'check:';
const projectRoot = fileURLToPath(new URL('..', import.meta.url));
/** Keeps Redocly from calling home. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

async function main(args: string[]): Promise<boolean> {
  const commands = await readCommands();
  if (args.length === 1 && args[0] === '--static') return runCommands(commands, false);
  if (args.length === 0) return runCommands(commands, true);
  const named = commands.filter(({ name }) => args.includes(name));
  return named.length === args.length ? runCommands(named, false) : runTests(args);
}

async function readCommands(): Promise<Command[]> {
  const text = await readFile(`${projectRoot}package.json`, 'utf8');
  const { scripts } = JSON.parse(text) as { scripts: Record<string, string> };
  return Object.entries(scripts)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, line]) => ({ name: name.slice(prefix.length), line }));
}

async function runCommands(commands: Command[], withTests: boolean): Promise<boolean> {
  const waiting = [...commands];
  const outcomes: Outcome[] = [];
  async function runNext(): Promise<void> {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
      outcomes.push(await runCommand(command));
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, runNext));

  if (commands.length > 1) console.log(`Static checks: ${timesSoFar()}.`);

  const failed = outcomes.filter(({ passed }) => !passed);
  for (const { name, output } of failed) console.log(`\n--- ${name}\n${output.trim()}`);
  if (withTests) {
    console.log();
    const passed = await runTests([]);
    if (failed.length === 0) return passed;
    outcomes.push({ name: 'tests', passed, output: '' });
    if (!passed) failed.push({ name: 'tests', passed, output: '' });
  }
  if (failed.length > 0) console.log(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
  console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0;
}

async function runCommand({ name, line }: Command): Promise<Outcome> {
  const began = performance.now();
  const child = spawn(line, {
    shell: true,
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const passed = await succeeded(child);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.padStart(5)} s`);
  return { name, passed, output };
}

function runTests(args: string[]): Promise<boolean> {
  const runner = ['--import', 'tsx', 'test/support/run.ts'];
  const child = spawn(process.execPath, [...runner, ...args], {
    cwd: projectRoot,
    stdio: 'inherit',
  });
  // The runner stops its servers before it ends; a Ctrl-C reaches it as well.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return succeeded(child);
}

function succeeded(child: ReturnType<typeof spawn>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
