import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { launchBrowser } from './browser.js';
import { shiftDatabaseClock } from './clock.js';
import { temporaryFolder } from './embedded.js';
import { openLiveStream } from './live-stream.js';
import { launch, spawnService } from './process.js';
import { readResults } from './run-file.js';
import { createServiceLog } from './service-log.js';
import { startService } from './service.js';

const hourMs = 3_600_000;
/** Longer than any run takes. */
const longestRunMs = 12 * hourMs;
/** What two looks at one clock may lie apart on a busy machine. */
const apartMs = 60_000;

function isNow(t: Test, shown: number, who: string): void {
  t.ok(Math.abs(shown - Date.now()) < apartMs, `${who} shows ${new Date(shown).toISOString()}`);
}

t.test('a run starts at TEST_NOW, and its clock advances from there', async (t) => {
  const elapsedMs = Date.now() - Date.parse(process.env['TEST_NOW'] ?? '');
  t.ok(elapsedMs >= 0 && elapsedMs < longestRunMs, `${elapsedMs} ms since the start`);
  isNow(t, new Date().getTime(), 'a new date');
  isNow(t, Date.parse(Date()), 'the text of the date');
});

t.test('a program that a test starts shows the time of the run', async (t) => {
  const program = ['-p', 'Date.now()'];
  const { child, ended } = launch(t, {}, program);
  const [shown] = await Promise.all([text(child.stdout!), ended]);
  isNow(t, Number(shown), 'the program');
});

t.test('booking_now() follows the clock of the run, and can be shifted from there', async (t) => {
  const { context } = await startService(t);
  const booking_now = async () => {
    const { rows } = await context.pool.query<{ now: Date }>('select booking_now() as now');
    return rows[0]!.now.getTime();
  };
  isNow(t, await booking_now(), 'the database');
  await shiftDatabaseClock(context.database, hourMs);
  isNow(t, (await booking_now()) - hourMs, 'the shifted database');
  await shiftDatabaseClock(context.database, 0);
  isNow(t, await booking_now(), 'the database that was shifted back');
});

t.test('a service with an embedded database follows the clock of the run', async (t) => {
  const service = await spawnService(t, { DATA_DIR: await temporaryFolder(t) });
  const stream = await openLiveStream(t, service.url);
  const pulse = await stream.next(({ event }) => event === 'pulse');
  t.equal(await service.end('SIGTERM'), 0);
  if (pulse.event === 'pulse') isNow(t, Date.parse(pulse.data.server_time), 'the service');
});

t.test('a page shows the time of the run', async (t) => {
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const page = await browser.newPage();
  isNow(t, await page.evaluate(() => Date.now()), 'an empty page');
  await page.goto('data:text/html,a page');
  isNow(t, await page.evaluate(() => new Date().getTime()), 'a page');
});

function failureOf(serviceLog: ReturnType<typeof createServiceLog>): string | undefined {
  let failure: Error | undefined;
  serviceLog.verify({ teardown: () => undefined, threw: (error) => (failure = error) });
  return failure?.message;
}

void t.test('an unexpected line at warn or above fails the test', (t) => {
  for (const level of ['warn', 'error', 'fatal'] as const) {
    const serviceLog = createServiceLog();
    createLogger('trace', serviceLog.destination)[level]('the disk is full');
    t.match(failureOf(serviceLog), /the disk is full/, level);
    serviceLog.expect(/disk is full/);
    t.equal(failureOf(serviceLog), undefined, 'what is expected is fine');
  }
  t.end();
});

void t.test('lines below warn and output that is not a log entry are ignored', (t) => {
  const serviceLog = createServiceLog();
  createLogger('trace', serviceLog.destination).info('a warning of what comes');
  for (const line of ['  Dashboard      http://127.0.0.1:3000/', '{"level":"warn","ti']) {
    serviceLog.add(line);
  }
  t.equal(failureOf(serviceLog), undefined);
  t.end();
});

/** The results of a test file that prints this and ends. */
function read(tap: string, exitCode = 0) {
  const script = 'process.stdout.write(process.argv[1]); process.exitCode = process.argv[2]';
  const child = spawn(process.execPath, ['-e', script, tap, String(exitCode)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return readResults('test/a.test.ts', child);
}

t.test('assertions are counted, not the groups around them', async (t) => {
  const results = await read(`TAP version 14
# Subtest: a group
    ok 1 - first
    ok 2 - second
    1..2
ok 1 - a group
ok 2 - later # SKIP no redis
1..2
`);
  t.same(results, { passed: 2, failed: 0, skipped: 1, report: '' });
});

t.test('a failure is reported with its file, its place and its difference', async (t) => {
  const [place] = /dist\/tests\/[^)]+/.exec(new Error().stack ?? '') ?? [];
  const { report, ...counts } = await read(`TAP version 14
# Subtest: a group
    ok 1 - first
    not ok 2 - second
      ---
      diff: |
        -1
        +2
      stack: ${place}
      ...
    1..2
not ok 1 - a group
1..1
`);
  t.same(counts, { passed: 1, failed: 1, skipped: 0 });
  t.match(report, 'not ok: test/a.test.ts > a group > second\n    diff:\n      -1\n      +2\n');
  t.match(report, /stack: test\/support\/suite\.test\.ts:\d+:\d+\n/);
});

t.test('a file that fails otherwise than by an assertion has failed', async (t) => {
  for (const [tap, exitCode, reason] of [
    ['ok 1 - first\n1..1\n', 3, /not ok: test\/a\.test\.ts\n    exit code 3\n/],
    ['ok 1 - first\n1..2\n', 0, /not ok: test\/a\.test\.ts\n.*\S/],
    ['ok 1 - first\nBail out! no memory\n', 0, /no memory/],
  ] as const) {
    const { report, ...counts } = await read(`TAP version 14\n${tap}`, exitCode);
    t.same(counts, { passed: 1, failed: 1, skipped: 0 });
    t.match(report, reason);
  }
});
