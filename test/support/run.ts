/**
 * Runs the tests: `npm test [-- files and tap's options]`. Starts what they need (a PostgreSQL
 * cluster with a migrated template, a Redis), runs tap on them, and stops everything again. The last
 * line is `N passed, N failed`, with `, N skipped` where there were any.
 *
 * A run has a clock of its own, so that it is the same run at any moment: it starts at TEST_NOW (RFC
 * 3339; by default a Tuesday noon in the studio's zone), and every process, page and database of the
 * run follows it. TLS certificates, `Date` headers and files keep the machine's time.
 *
 * REQUIRE_REDIS=1 and REQUIRE_CHROMIUM=1 make the lack of the program a failure rather than a skip.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestCluster } from './cluster.js';
import { packPackage } from './package.js';
import { findProgram } from './programs.js';
import { startTestRedis } from './redis.js';
import { readResults, type Totals } from './results.js';
import { clockPreload, startRunClock } from './run-clock.js';

const jobs = 2;
/** A file that hangs, not one that a busy machine takes long for. */
const fileTimeoutSeconds = 480;
const endPatienceMs = 5_000;
const packageTests = join('test', 'client');

/** What the test processes are told by their environment. */
type Facts = Record<string, string>;

const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());

const folder = await mkdtemp(join(tmpdir(), 'booking-test-'));
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const args = process.argv.slice(2);
  const options = args.filter((arg) => arg.startsWith('-'));
  const named = args.filter((arg) => !arg.startsWith('-'));
  const clock = startRunClock(process.env['TEST_NOW']);
  Object.assign(process.env, clock);
  // This process has started without it, and makes the template of the databases.
  await import(clockPreload);
  console.log(`The clock of this run starts at ${clock['TEST_NOW']}.`);
  const facts = await startServices(named);
  if (!interruption.signal.aborted) await runTap(options, named, facts);
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

async function startServices(named: string[]): Promise<Facts> {
  const facts: Facts = {};
  const chromium = findProgram('chromium', 'chromium-browser', 'google-chrome');
  if (chromium === null) lack('chromium', 'REQUIRE_CHROMIUM');
  else facts['TEST_CHROMIUM'] = chromium;

  const redis = await startTestRedis(folder);
  if (redis === null) {
    lack('redis-server', 'REQUIRE_REDIS');
  } else {
    stops.push(redis.stop);
    facts['TEST_REDIS_URL'] = redis.url;
  }

  const cluster = await startTestCluster(join(folder, 'database'));
  stops.push(cluster.stop);
  facts['TEST_DATABASE_URL'] = cluster.connectionString;

  // Builds, which no two tests may do at once.
  if (named.length === 0 || named.some((file) => file.startsWith(packageTests))) {
    facts['TEST_PACKAGE'] = await packPackage(folder);
  }
  return facts;
}

function lack(program: string, requirement: string): void {
  const sentence = `No ${program} on this machine`;
  if (process.env[requirement] === '1') throw new Error(`${sentence}, and ${requirement} is set.`);
  console.log(`${sentence}: tests that need it are skipped.`);
}

async function runTap(options: string[], named: string[], facts: Facts): Promise<void> {
  const tap = join(
    dirname(createRequire(import.meta.url).resolve('tap/package.json')),
    'dist/esm/run.mjs',
  );
  const files = named.length > 0 ? named : await findTestFiles();
  const child = spawn(
    process.execPath,
    [
      tap,
      '--reporter=tap',
      '--disable-coverage',
      `--jobs=${jobs}`,
      `--timeout=${fileTimeoutSeconds}`,
      ...options,
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...facts }, detached: true },
  );
  // With all that the tests have started: tap itself waits for them.
  const stop = (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal);
  let insist: NodeJS.Timeout | undefined;
  interruption.signal.addEventListener('abort', () => {
    stop('SIGTERM');
    insist = setTimeout(() => stop('SIGKILL'), endPatienceMs);
  });
  const parser = readResults(totals, (text) => process.stdout.write(text));
  child.stdout.pipe(parser);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(insist);
  // Whatever tap itself finds wrong beyond the assertions.
  if (code !== 0 && totals.failed === 0) totals.failed += 1;
}

async function findTestFiles(): Promise<string[]> {
  const entries = await readdir('test', { recursive: true });
  const files = entries.filter((entry) => /\.test\.tsx?$/.test(entry));
  return files.map((file) => join('test', file)).sort();
}
