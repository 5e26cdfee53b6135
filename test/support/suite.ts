/**
 * The run of the tests, which run.ts starts: starts what they need (a PostgreSQL cluster with a
 * migrated template, a Redis), runs each test file in a process of its own, and stops everything
 * again. The last line is `N passed, N failed`, with `, N skipped` where there were any.
 *
 * The runner of tap is not used: it loads a TypeScript compiler into each process (0.8 s of
 * processor), and its `before` is a process that can hand no addresses to the tests.
 *
 * A run has a clock of its own, so that it is the same run at any moment: it starts at TEST_NOW (RFC
 * 3339; by default a Tuesday noon in the studio's zone), and every process, page and database of the
 * run follows it. TLS certificates, `Date` headers and files keep the machine's time.
 *
 * REQUIRE_REDIS=1 and REQUIRE_CHROMIUM=1 make the lack of the program a failure rather than a skip.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestCluster } from './cluster.js';
import { packPackage } from './package.js';
import { findProgram } from './programs.js';
import { compiledFile } from './project.js';
import { startTestRedis } from './redis.js';
import { readResults } from './results.js';
import { clockPreload, startRunClock } from './run-clock.js';

/** More than two cores: half of what a test takes is waiting. */
const defaultJobs = '3';
/** For a file that hangs, not for a busy machine. */
const defaultTimeoutSeconds = '480';
/** Within which a process reports its own timeout. */
const timeoutReportSeconds = 30;
const stopPatienceMs = 5_000;
/** A file system in memory, on Linux. */
const memory = '/dev/shm';
const enoughMemoryBytes = 4 * 2 ** 30;
/** The files that use the package. */
const packageTests = /^test\/(client\/|operations\/container\.)/;

/** Environment variables of the test processes. */
type Environment = Record<string, string>;

const totals = { passed: 0, failed: 0, skipped: 0 };
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());

if (await hasRoomInMemory()) process.env['TMPDIR'] = memory;
const folder = await mkdtemp(join(tmpdir(), 'booking-test-'));
// Since Node 22: each file starts a process or more, which load the same modules.
process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const args = process.argv.slice(2);
  const options = readOptions(args.filter((arg) => arg.startsWith('-')));
  const named = args.filter((arg) => !arg.startsWith('-'));
  const clock = startRunClock(process.env['TEST_NOW']);
  Object.assign(process.env, clock);
  // This process has started without it, and makes the template of the databases.
  await import(clockPreload);
  console.log(`The clock of this run starts at ${clock['TEST_NOW']}.`);
  const addresses = await startServers(named);
  const files = named.length > 0 ? named : await findTestFiles();
  await runFiles(files, { ...options, ...addresses });
} catch (error) {
  totals.failed += 1;
  console.log(error instanceof Error ? (error.stack ?? error.message) : error);
}
for (const stop of stops.reverse()) {
  await stop().catch((error: unknown) => {
    totals.failed += 1;
    console.log(error);
  });
}
if (interruption.signal.aborted) console.log('interrupted');
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
const fine = totals.failed === 0 && totals.passed > 0 && !interruption.signal.aborted;
process.exitCode = fine ? 0 : 1;

/** Each test's database is hundreds of files: on a disk, a third of a second of processor time. */
async function hasRoomInMemory(): Promise<boolean> {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= enoughMemoryBytes;
}

/** Tap reads its options from the environment: `--grep=x` is TAP_GREP=x, and `--only` TAP_ONLY=1. */
function readOptions(args: string[]): Environment {
  const options: Environment = { TAP_JOBS: defaultJobs, TAP_TIMEOUT: defaultTimeoutSeconds };
  for (const arg of args) {
    const [name = '', ...value] = arg.replace(/^-+/, '').split('=');
    options[`TAP_${name.toUpperCase()}`] = value.length > 0 ? value.join('=') : '1';
  }
  return options;
}

async function startServers(named: string[]): Promise<Environment> {
  const addresses: Environment = {};
  const chromium = findProgram('chromium', 'chromium-browser', 'google-chrome');
  if (chromium === null) {
    lack('chromium', 'REQUIRE_CHROMIUM');
  } else {
    addresses['TEST_CHROMIUM'] = chromium;
    // Without the windows that no test sees: half the processor time.
    addresses['TEST_CHROMIUM_SHELL'] = findProgram('chromium-headless-shell') ?? chromium;
  }

  const redis = await startTestRedis(folder);
  if (redis === null) {
    lack('redis-server', 'REQUIRE_REDIS');
  } else {
    stops.push(redis.stop);
    addresses['TEST_REDIS_URL'] = redis.url;
  }

  const cluster = await startTestCluster(join(folder, 'database'));
  stops.push(cluster.stop);
  addresses['TEST_DATABASE_URL'] = cluster.connectionString;

  // Builds, which no two tests may do at once.
  if (named.length === 0 || named.some((file) => packageTests.test(file))) {
    addresses['TEST_PACKAGE'] = await packPackage(folder);
  }
  return addresses;
}

function lack(program: string, requirement: string): void {
  const sentence = `No ${program} on this machine`;
  if (process.env[requirement] === '1') throw new Error(`${sentence}, and ${requirement} is set.`);
  console.log(`${sentence}: tests that need it are skipped.`);
}

async function findTestFiles(): Promise<string[]> {
  const entries = await readdir('test', { recursive: true });
  const files = entries.filter((entry) => /\.test\.tsx?$/.test(entry));
  return files.map((file) => join('test', file)).sort();
}

async function runFiles(files: string[], environment: Environment): Promise<void> {
  const waiting = [...files];
  async function runNext(): Promise<void> {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (!interruption.signal.aborted) await runFile(file, environment);
    }
  }
  await Promise.all(Array.from({ length: Number(environment['TAP_JOBS']) }, runNext));
}

async function runFile(file: string, environment: Environment): Promise<void> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', compiledFile(file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Programs that prompt would colour their output by the terminal of the run.
    env: { ...process.env, NO_COLOR: '1', ...environment },
    timeout: (Number(environment['TAP_TIMEOUT']) + timeoutReportSeconds) * 1_000,
    killSignal: 'SIGKILL',
    // A process group, which is stopped with all that the file has started.
    detached: true,
  });
  const stop = (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal);
  let insist: NodeJS.Timeout | undefined;
  const interrupt = () => {
    stop('SIGTERM');
    insist = setTimeout(() => stop('SIGKILL'), stopPatienceMs);
  };
  interruption.signal.addEventListener('abort', interrupt);
  const results = await readResults(file, child);
  interruption.signal.removeEventListener('abort', interrupt);
  clearTimeout(insist);

  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${results.failed > 0 ? 'FAIL' : 'ok'}  ${file} (${seconds} s)\n${results.report}`.trimEnd(),
  );
  totals.passed += results.passed;
  totals.failed += results.failed;
  totals.skipped += results.skipped;
}
