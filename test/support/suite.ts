/**
 * The run of the tests, which run.ts starts: starts the servers that they share, runs each test file
 * in a process of its own, and stops everything again. At the end come the time and the slowest
 * files; the last line is `N passed, N failed`, with `, N skipped` where there were any.
 *
 * The runner of tap is not used: it loads a TypeScript compiler into each process (0.8 s of
 * processor), and its `before` is a process that can hand no addresses to the tests.
 *
 * A run has a clock of its own, so that it is the same run at any moment: it starts at TEST_NOW (RFC
 * 3339; by default a Tuesday noon in the studio's zone), and every process, page and database of the
 * run follows it. TLS certificates, `Date` headers and files keep the machine's time.
 *
 * REQUIRE_REDIS=1, REQUIRE_CHROMIUM=1 and REQUIRE_FIREFOX=1 make the lack of the program a failure
 * rather than a skip.
 */
import { timesSoFar } from './processor-time.js';
import { runFile, type FileRun } from './run-file.js';
import { startServers, type Environment } from './servers.js';

/** More than two cores: half of what a test takes is waiting. */
const defaultJobs = '3';
/** For a file that hangs, not for a busy machine. */
const defaultTimeoutSeconds = '480';
const slowestShown = 10;

/**
 * Resolves with whether all passed. `options`: as tap's, `--grep=words`. `leftOut`: how many files the
 * run does without.
 */
export async function runSuite(
  files: string[],
  options: string[],
  leftOut: number,
): Promise<boolean> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => interruption.abort());
  }
  const runs: FileRun[] = [];
  let failed = 0;
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const addresses = await startServers(files, stops);
    const environment = { ...readOptions(options), ...addresses };
    await runFiles([...files], environment, interruption.signal, runs);
  } catch (error) {
    failed += 1;
    console.log(error instanceof Error ? (error.stack ?? error.message) : error);
  }
  for (const stop of stops.reverse()) {
    await stop().catch((error: unknown) => {
      failed += 1;
      console.log(error);
    });
  }
  if (interruption.signal.aborted) console.log('interrupted');
  if (runs.length > slowestShown) printTimes(runs);
  if (leftOut > 0) {
    console.log(
      `${leftOut} files are left out (test/longer.ts): "npm run test:rest" runs them, "npm run test:all" runs everything.`,
    );
  }
  const passed = sum(runs, 'passed');
  const skipped = sum(runs, 'skipped');
  failed += sum(runs, 'failed');
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 && passed > 0 && !interruption.signal.aborted;
}

/** Tap reads its options from the environment: `--grep=x` is TAP_GREP=x, and `--only` TAP_ONLY=1. */
function readOptions(options: string[]): Environment {
  const environment: Environment = { TAP_JOBS: defaultJobs, TAP_TIMEOUT: defaultTimeoutSeconds };
  for (const option of options) {
    const [name = '', ...value] = option.replace(/^-+/, '').split('=');
    environment[`TAP_${name.toUpperCase()}`] = value.length > 0 ? value.join('=') : '1';
  }
  return environment;
}

async function runFiles(
  waiting: string[],
  environment: Environment,
  interruption: AbortSignal,
  runs: FileRun[],
): Promise<void> {
  async function runNext(): Promise<void> {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (interruption.aborted) return;
      const run = await runFile(file, environment, interruption);
      const outcome = run.failed > 0 ? 'FAIL' : 'ok';
      const times = `${run.seconds.toFixed(1)} s, ${run.processorSeconds.toFixed(1)} s of processor`;
      console.log(`${outcome}  ${file} (${times})\n${run.report}`.trimEnd());
      runs.push(run);
    }
  }
  await Promise.all(Array.from({ length: Number(environment['TAP_JOBS']) }, runNext));
}

/** What this process and all that it has started took, and the slowest files. */
function printTimes(runs: FileRun[]): void {
  console.log(`\nTests: ${timesSoFar()}.`);
  console.log('The slowest files, in seconds, and of the processor:');
  const slowest = [...runs].sort((a, b) => b.seconds - a.seconds).slice(0, slowestShown);
  for (const { file, seconds, processorSeconds } of slowest) {
    const columns = [seconds, processorSeconds].map((value) => value.toFixed(1).padStart(6));
    console.log(`${columns.join('')}  ${file}`);
  }
}

function sum(runs: FileRun[], count: 'passed' | 'failed' | 'skipped'): number {
  return runs.reduce((total, run) => total + run[count], 0);
}
