/**
 * `npx tsx scripts/pictures.ts` makes the pictures of README.md, in `scripts/pictures/`: the dashboard
 * of the demo's studio, and the checkout page of one of its holds on a phone. Every clock stands still
 * at the same instants in each run, so that a picture changes only when a page or a font does.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import {
  chromium,
  type Page,
  type PageScreenshotOptions,
  type ViewportSize,
} from 'playwright-core';
import { measureClock } from '../src/database/clock.js';
import { packageRoot } from '../src/platform/package-root.js';
import { stopDatabaseClock } from '../test/support/clock.js';
import { findProgram, freePort } from '../test/support/process.js';
import { startDemoStudio } from './demo/demo.js';
import { nextPerson } from './demo/people.js';
import { findOpenTimes, hold } from './demo/steps.js';
import { fillWeeks } from './demo/weeks.js';

/** A Tuesday morning in the studio's zone. */
const start = Date.parse('2026-12-01T08:20:00-08:00');
const searchedDays = 14;
/** The places of the held times among the open ones. */
const heldTimes = [1, 4, 6];
/** Not whole seconds: none of the countdowns is about to change. */
const betweenHoldsMs = 203_200;
/** What is left of 15 minutes then. */
const lastCountdown = '11:37';
/** The two pictures together have at most 200 kB. */
const scale = 1.25;

type Clip = NonNullable<PageScreenshotOptions['clip']>;

const executablePath = findProgram('chromium-headless-shell', 'chromium', 'google-chrome');
if (executablePath === null) throw new Error('there is no Chromium on this machine');
const folder = join(packageRoot(), 'scripts', 'pictures');
await mkdir(folder, { recursive: true });
// Before the service starts, which keeps this `Date.now`.
mock.timers.enable({ apis: ['Date'], now: start });
const studio = await startDemoStudio({ PORT: String(await freePort()) });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  await setClocks(start);
  const { context } = studio.service;
  await fillWeeks(studio.client, context);
  const open = await findOpenTimes(studio.client, searchedDays);
  let now = start;
  let checkoutUrl = '';
  for (const index of heldTimes) {
    const time = open[index];
    const held = time === undefined ? null : await hold(studio.client, time, nextPerson());
    if (held === null) throw new Error(`open time ${index} could not be held`);
    checkoutUrl = held.checkout_url;
    now += betweenHoldsMs;
    await setClocks(now);
  }

  const dashboard = await openPage({ width: 1_280, height: 800 });
  await dashboard.goto(context.config.publicBaseUrl);
  await dashboard.getByText('Live', { exact: true }).waitFor();
  await dashboard
    .locator('.counting')
    .nth(heldTimes.length - 1)
    .waitFor();
  // Five days of two weeks: all seven would be too small to read beside the other picture.
  await takePicture(dashboard, 'dashboard', { x: 52, y: 32, width: 836, height: 672 });

  const checkout = await openPage({ width: 390, height: 808 });
  await checkout.goto(checkoutUrl);
  // The page estimates when it was requested, and reads the server's time when it is online again.
  await checkout.evaluate(() => dispatchEvent(new Event('online')));
  await checkout.locator('#digits', { hasText: lastCountdown }).waitFor();
  await takePicture(checkout, 'checkout', { x: 0, y: 0, width: 390, height: 808 });
} finally {
  await browser.close();
  await studio.stop();
}

/** Every clock of the service shows this instant (ms since the epoch) from now on. */
async function setClocks(epochMs: number): Promise<void> {
  const { database, clock } = studio.service.context;
  mock.timers.setTime(epochMs);
  await stopDatabaseClock(database, epochMs);
  await measureClock(database, clock);
}

async function openPage(viewport: ViewportSize): Promise<Page> {
  const page = await browser.newPage({
    viewport,
    deviceScaleFactor: scale,
    timezoneId: 'America/Los_Angeles',
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.clock.setFixedTime(Date.now());
  return page;
}

async function takePicture(page: Page, name: string, clip: Clip): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}.png`), clip, animations: 'disabled' });
}
