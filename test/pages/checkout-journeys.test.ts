import t from 'tap';
import type { Page } from 'playwright-core';
import { statusAt } from '../../src/calendar/booking-status.js';
import { readBooking } from '../../src/domain/bookings.js';
import {
  age,
  holdForPerson,
  openCheckout,
  openPage,
  type Pages,
  startPages,
  tabTo,
} from '../support/pages.js';

const status = async ({ service }: Pages, id: string): Promise<string> =>
  statusAt(await readBooking(service.context, id), service.context.clock.now());

const heading = async (page: Page): Promise<string> =>
  (await page.locator('h1').innerText()).trim();

void t.test(
  'a person can confirm, download the calendar file and cancel with a mouse',
  async (t) => {
    const checkout = await openCheckout(t);
    if (checkout === null) return;
    const { pages, id, page } = checkout;
    t.equal(await heading(page), 'This time is held for you');
    await page.getByRole('button', { name: 'Confirm my session' }).click();
    t.equal(await heading(page), 'Your session is confirmed');
    t.equal(await status(pages, id), 'confirmed');

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Add to my calendar' }).click();
    t.equal((await download).suggestedFilename(), 'session.ics');

    await page.getByText('I cannot come').click();
    await page.getByRole('button', { name: 'Cancel my session' }).click();
    t.equal(await heading(page), 'This session is cancelled');
    t.equal(await status(pages, id), 'cancelled');
  },
);

void t.test(
  'a person can confirm, cancel and release with the keyboard, and sees the focus',
  async (t) => {
    const checkout = await openCheckout(t);
    if (checkout === null) return;
    const { pages, id, page } = checkout;
    await tabTo(page, 'button[value=confirm]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('body.confirmed');
    t.equal(await status(pages, id), 'confirmed');

    await tabTo(page, 'a[href$="calendar.ics"]');
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    await download;
    await tabTo(page, 'summary');
    await page.keyboard.press('Enter');
    await tabTo(page, 'button[value=cancel]');
    await page.keyboard.press('Space');
    await page.waitForSelector('body.cancelled');
    t.equal(await status(pages, id), 'cancelled');

    const second = await holdForPerson(pages);
    await page.goto(second.url);
    await tabTo(page, 'button[value=release]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('body.cancelled');
    t.equal(await heading(page), 'This time was released');
  },
);

void t.test('a person can confirm, hold again and cancel without JavaScript', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { id, url } = await holdForPerson(pages);
  const page = await openPage(t, pages, { javaScriptEnabled: false });
  await page.goto(url);
  t.match(await page.locator('#hold').innerText(), /Held for you for 15 more minutes, until \d/);
  await age(pages, id, 900);
  await page.click('button[value=confirm]');
  t.equal(await heading(page), 'Your hold has ended');
  t.equal(await status(pages, id), 'expired');

  await page.click('button[value=hold_again]');
  t.equal(await heading(page), 'This time is held for you');
  t.not(page.url(), url, 'a new hold has a new link');
  await page.click('button[value=confirm]');
  t.equal(await heading(page), 'Your session is confirmed');
  await page.click('summary');
  await page.click('button[value=cancel]');
  t.equal(await heading(page), 'This session is cancelled');
});

void t.test(
  'a person can confirm and cancel on a phone, where everything fits the screen',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { id, url } = await holdForPerson(pages);
    const page = await openPage(t, pages, {
      viewport: { width: 360, height: 740 },
      isMobile: true,
      hasTouch: true,
    });
    const fits = async () =>
      page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    await page.goto(url);
    t.ok(await fits(), 'the held page is no wider than the screen');
    const button = page.locator('button[value=confirm]');
    const box = (await button.boundingBox())!;
    t.ok(box.y + box.height <= 740, `confirming needs no scrolling: ${JSON.stringify(box)}`);
    t.ok(box.height >= 44 && box.width >= 44, 'the button is large enough to tap');
    await button.tap();
    await page.waitForSelector('body.confirmed');
    t.ok(await fits(), 'the confirmed page is no wider than the screen');
    await page.locator('summary').tap();
    await page.locator('button[value=cancel]').tap();
    await page.waitForSelector('body.cancelled');
    t.ok(await fits(), 'the cancelled page is no wider than the screen');
    t.equal(await status(pages, id), 'cancelled');
  },
);
