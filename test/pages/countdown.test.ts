import t from 'tap';
import type { Page } from 'playwright-core';
import { holdForPerson, openPage, startPages } from '../support/pages.js';

/** The page of a hold, in a browser whose clock the test controls. */
async function openHeld(t: Parameters<typeof startPages>[0]) {
  const pages = await startPages(t);
  if (pages === null) return null;
  const { url } = await holdForPerson(pages);
  const page = await openPage(t, pages);
  await page.clock.install();
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('#digits')?.textContent !== '');
  return { pages, page };
}

const minute = 60_000;

async function seconds(page: Page): Promise<number> {
  const [minutes, rest] = (await page.locator('#digits').textContent())!.split(':');
  return Number(minutes) * 60 + Number(rest);
}

void t.test(
  'a screen reader announces five and two minutes before the end, once each',
  async (t) => {
    const opened = await openHeld(t);
    if (opened === null) return;
    const { pages, page } = opened;
    const status = page.locator('#announcement');
    t.equal(await status.getAttribute('role'), 'status', 'a polite live region');
    await page.evaluate(() => {
      const region = document.querySelector('#announcement')!;
      const said: (string | null)[] = [];
      new MutationObserver(() => said.push(region.textContent)).observe(region, {
        childList: true,
      });
      Object.assign(window, { said });
    });
    const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said);
    const words = page.locator('#words');

    t.equal(await words.textContent(), '15 more minutes');
    t.equal(
      await page.locator('#digits').getAttribute('aria-hidden'),
      'true',
      'screen readers skip the digits',
    );
    await pages.service.shiftClock(9 * minute);
    await page.clock.fastForward(9 * minute);
    await page.waitForFunction(
      () => document.querySelector('#words')?.textContent === '6 more minutes',
    );
    t.strictSame(await said(), [], 'nothing is announced earlier');

    await pages.service.shiftClock(10 * minute);
    await page.clock.fastForward(minute);
    await page.waitForFunction(() => document.querySelector('#announcement')?.textContent !== '');
    t.strictSame(await said(), ['5 minutes are left to confirm your session.']);

    await pages.service.shiftClock(13 * minute);
    await page.clock.fastForward(3 * minute);
    await page.waitForFunction(
      () => document.querySelector('#words')?.textContent === '2 more minutes',
    );
    t.strictSame((await said()).slice(1), ['2 minutes are left to confirm your session.']);
  },
);

void t.test('after the computer has slept, the page shows the state of the booking', async (t) => {
  const opened = await openHeld(t);
  if (opened === null) return;
  const { pages, page } = opened;
  await pages.service.shiftClock(8 * 60 * minute);
  await page.clock.fastForward(8 * 60 * minute);
  await page.waitForSelector('body.expired');
  t.match(await page.locator('button').innerText(), 'Hold it again');
});

void t.test("the countdown follows the server's clock, not the computer's", async (t) => {
  const opened = await openHeld(t);
  if (opened === null) return;
  const { page } = opened;
  const before = await seconds(page);
  t.ok(before > 880 && before <= 900, `${before} seconds at first`);
  // The computer's clock jumps ten minutes ahead; the server's does not.
  const asked = page.waitForResponse(/\/state$/);
  await page.clock.fastForward(10 * minute);
  await asked;
  await page.clock.runFor(1_100);
  const after = await seconds(page);
  t.ok(after > 850 && after <= before, `${after} seconds after it was set`);
  t.equal(await page.locator('#announcement').textContent(), '', 'nothing is announced');
});

void t.test(
  'at the end the page reloads by itself and offers to hold the slot again',
  async (t) => {
    const opened = await openHeld(t);
    if (opened === null) return;
    const { pages, page } = opened;
    await pages.service.shiftClock(15 * minute);
    await page.clock.runFor(2_000);
    await page.clock.fastForward(15 * minute);
    await page.waitForSelector('body.expired');
    t.equal(await page.locator('h1').innerText(), 'Your hold has ended');
    await page.click('button[value=hold_again]');
    await page.waitForSelector('body.pending');
  },
);

void t.test(
  'the countdown is right on a computer whose clock is wrong from the start',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { url } = await holdForPerson(pages);
    const page = await openPage(t, pages);
    await page.clock.install({ time: new Date('2031-01-01T00:00:00Z') });
    await page.goto(url);
    await page.waitForFunction(() => document.querySelector('#digits')?.textContent !== '');
    const left = await seconds(page);
    t.ok(left > 880 && left <= 900, `${left} seconds`);
  },
);
