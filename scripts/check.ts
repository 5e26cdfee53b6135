/**
 * Runs the static checks, even if some fail, and with `--tests` or `--all` the tests after them. Used
 * instead of npm-run-all, which prints no totals.
 *
 *     npm run check                       every static check
 *     npm run check -- types imports      these only
 *     npm test                            these, and the tests that are not in test/longer.ts
 *     npm run test:all                    these, and all tests
 *     npm test -- test/domain/x.test.ts   these tests only (files and tap's options)
 *
 * The last line is `N passed, N failed`: of the tests, or, where one of the checks failed, of the
 * checks and the tests as one.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { timesSoFar } from '../test/support/processor-time.js';
import { hasTools } from '../test/support/tools.js';

const tsc = 'node node_modules/typescript-newest/bin/tsc --noEmit';
const settings = 'scripts/settings';
/** Command lines, by name; the slowest first. */
const checks: Record<string, string> = {
  lint: 'oxlint',
  types: tsc,
  'page-scripts': `${tsc} -p src/web/assets`,
  generated: 'tsx scripts/generate.ts --check',
  format: 'oxfmt --check',
  imports: `depcruise --config ${settings}/dependency-cruiser.cjs src generated`,
  unused: ['', ' --production'].map((of) => `knip${of} --config ${settings}/knip.js`).join(' && '),
  contract: `redocly lint --config ${settings}/redocly.yaml openapi.yaml`,
  compatibility: 'tsx scripts/compatibility.ts',
  'contract-style': `scripts/tools/node_modules/.bin/spectral lint --ruleset ${settings}/spectral.yaml --fail-severity hint openapi.yaml`,
};
/** Of packages of scripts/tools, which only `.ci/run` installs unasked. */
const needsTools = ['contract-style'];

interface Outcome {
  name: string;
  passed: boolean;
  output: string;
}

const projectRoot = fileURLToPath(new URL('..', import.meta.url));
/** Keeps Redocly from calling home. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

function main(args: string[]): Promise<boolean> {
  if (args.length > 1 && args[0] === '--tests') return runTests(args.slice(1));
  if (args[0] === '--tests') return runChecks(Object.keys(checks), []);
  if (args[0] === '--all') return runChecks(Object.keys(checks), args);
  const unknown = args.filter((name) => !(name in checks));
  if (unknown.length > 0) {
    console.log(`There is no ${unknown.join(', ')}. There are ${Object.keys(checks).join(', ')}.`);
    return Promise.resolve(false);
  }
  return runChecks(args.length > 0 ? args : Object.keys(checks));
}

/** `tests`: what the runner of the tests is given; without, no tests are run. */
async function runChecks(names: string[], tests?: string[]): Promise<boolean> {
  const left = hasTools() ? [] : names.filter((name) => needsTools.includes(name));
  for (const name of left) console.log(`skip   ${name}: scripts/tools is not installed`);
  const waiting = names.filter((name) => !left.includes(name));
  const then = tests === undefined ? '' : ', then the tests: some minutes';
  if (names.length > 1) console.log(`${waiting.length} static checks${then}`);
  const outcomes: Outcome[] = [];
  async function runNext(): Promise<void> {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      outcomes.push(await runCheck(name));
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, runNext));

  if (names.length > 1) console.log(`Static checks: ${timesSoFar()}.`);

  const failed = outcomes.filter(({ passed }) => !passed);
  for (const { name, output } of failed) console.log(`\n--- ${name}\n${output.trim()}`);
  if (tests !== undefined) {
    console.log();
    const passed = await runTests(tests);
    if (failed.length === 0) return passed;
    outcomes.push({ name: 'tests', passed, output: '' });
    if (!passed) failed.push({ name: 'tests', passed, output: '' });
  }
  if (failed.length > 0) console.log(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
  console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0;
}

async function runCheck(name: string): Promise<Outcome> {
  const began = performance.now();
  const child = spawn(checks[name] ?? '', {
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
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(14)} ${seconds.padStart(5)} s`);
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
