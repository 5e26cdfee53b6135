import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { launchBrowser } from './browser.js';
import { shiftDatabaseClock } from './clock.js';
import { temporaryFolder } from './embedded.js';
import { openLiveStream } from './live-stream.js';
import { launch, spawnService } from './process.js';
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
