import type { Page } from 'playwright-core';
import t from 'tap';
import { correctByStudio } from '../../src/domain/studio/correction.js';
import { stopDatabaseClock } from '../support/clock.js';
import { holdForPerson } from '../support/holds.js';
import { browserTests } from '../support/pages.js';
import type { BrowserService } from '../support/service.js';

const browserTest = await browserTests(t);
const minute = 60_000;

/** The service's clock, which stands still between its steps: how long they take does not matter. */
let now = Date.now();

/** Of the service and, where one is given, of a page. */
async function advance(
  { context }: BrowserService,
  milliseconds: number,
  page?: Page,
): Promise<void> {
  now += milliseconds;
  await stopDatabaseClock(context.database, now);
  await context.board.refresh();
  await page?.clock.fastForward(milliseconds);
}

/** Opens the page of a hold in a browser whose clock the test controls. */
async function openHeld(page: Page, pages: BrowserService, time?: string): Promise<string> {
  await advance(pages, 0);
  const { id, url } = await holdForPerson(pages);
  await page.clock.install(time === undefined ? {} : { time: new Date(time) });
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('#digits')?.textContent !== '');
  return id;
}

async function seconds(page: Page): Promise<number> {
  const [minutes, rest] = (await page.locator('#digits').textContent())!.split(':');
  return Number(minutes) * 60 + Number(rest);
}

const said = (page: Page) => page.evaluate(() => (window as unknown as { said: string[] }).said);

browserTest('screen readers announce five and two minutes, once each', async (t, page, pages) => {
  await openHeld(page, pages);
  const status = page.locator('#announcement');
  t.equal(await status.getAttribute('role'), 'status', 'a polite live region');
  await page.evaluate(() => {
    const region = document.querySelector('#announcement')!;
    const said: (string | null)[] = [];
    const record = () => said.push(region.textContent);
    new MutationObserver(record).observe(region, { childList: true });
    Object.assign(window, { said });
  });
  const words = async (text: string) => page.locator('#words', { hasText: text }).waitFor();
  await words('15 more minutes');
  const hidden = await page.locator('#digits').getAttribute('aria-hidden');
  t.equal(hidden, 'true', 'screen readers skip the digits');
  await advance(pages, 9 * minute, page);
  await words('6 more minutes');
  t.strictSame(await said(page), [], 'nothing is announced earlier');

  await advance(pages, minute, page);
  const five = '5 minutes are left to confirm your session.';
  await status.getByText(five).waitFor();
  t.strictSame(await said(page), [five]);

  await advance(pages, 3 * minute, page);
  await words('2 more minutes');
  t.strictSame(await said(page), [five, '2 minutes are left to confirm your session.']);

  await advance(pages, 2 * minute - 10_000, page);
  await words('one more minute');
  await advance(pages, 10_000);
  await page.clock.runFor(10_000);
  await page.waitForSelector('body.expired');
  t.equal(await page.locator('h1').innerText(), 'Your hold has ended');
  await page.click('button[value=hold_again]');
  await page.waitForSelector('body.pending');
});

browserTest('after the computer has slept, the page shows the end', async (t, page, pages) => {
  await openHeld(page, pages);
  await advance(pages, 8 * 60 * minute, page);
  await page.waitForSelector('body.expired');
  t.match(await page.locator('button').innerText(), 'Hold it again');
});

browserTest('a link that a correction has made void shows that it is', async (t, page, pages) => {
  const id = await openHeld(page, pages);
  await correctByStudio(pages.context, 'test', id, { email: 'grace@example.com' });
  await advance(pages, 10_000, page);
  await page.getByText('We do not know this link').waitFor();
});

browserTest("it follows the server's clock, not the computer's", async (t, page, pages) => {
  await openHeld(page, pages, '2031-01-01T00:00:00Z');
  const before = await seconds(page);
  t.ok(before > 800 && before <= 900, `${before} seconds at first`);
  // The computer's clock jumps ten minutes ahead; the server's does not.
  const asked = page.waitForResponse(/\/state$/);
  await page.clock.fastForward(10 * minute);
  await asked;
  await page.clock.runFor(1_100);
  const after = await seconds(page);
  t.ok(after > 700 && after <= before, `${after} seconds after it was set`);
  t.equal(await page.locator('#announcement').textContent(), '', 'nothing is announced');
});
