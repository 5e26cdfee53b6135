import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { slotKey, type Slot } from '../../src/calendar/slots.js';
import {
  fillForm,
  holdButton,
  linkToForm,
  openForm,
  pendingSlots,
  shown,
} from '../support/book-pages.js';
import { launchBrowser } from '../support/browser.js';
import { openPage, startPages, type Pages } from '../support/pages.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { placeHold } from '../../src/domain/holds.js';

const own = { own: true, open: false };
const open = { own: false, open: true };
const taken = { own: false, open: false };

interface Journey {
  pages: Pages;
  slot: Slot;
  page: Page;
}

/** Runs a journey in a browser with script and in one without. */
function journey(title: string, run: (t: Test, journey: Journey) => Promise<void>): void {
  for (const javaScriptEnabled of [false, true]) {
    void t.test(`${title}, ${javaScriptEnabled ? 'with' : 'without'} script`, async (t) => {
      const pages = await startPages(t);
      if (pages === null) return;
      const [slot] = (await someOpenSlots(pages.service.context, 1)) as [Slot];
      const page = await openPage(t, pages, { javaScriptEnabled });
      await page.goto(`${pages.url}/book?from=${slot.date}`);
      await run(t, { pages, slot, page });
    });
  }
}

async function holdFromTimes(page: Page, slot: Slot): Promise<void> {
  await page.click(linkToForm(slot));
  await fillForm(page);
  await page.click(holdButton);
  await page.waitForSelector('body.pending');
}

journey(
  'after a hold, going back shows it as one’s own, and forward leads to it again',
  async (t, { pages, slot, page }) => {
    await holdFromTimes(page, slot);
    const checkout = page.url();
    await page.goBack();
    t.strictSame(await shown(page, slot), own, 'where the form was');
    await page.goBack();
    t.strictSame(await shown(page, slot), own, 'among the open times');
    await page.goForward();
    await page.reload();
    t.strictSame(await shown(page, slot), own, 'forward and reload');
    await page.goForward();
    t.equal(page.url(), checkout);
    t.ok(await page.locator('body.pending').isVisible());
    t.strictSame(await pendingSlots(pages.service.context), [slotKey(slot)]);
  },
);

journey(
  'after a hold is let go on either page, going back shows its time as open',
  async (t, { pages, slot, page }) => {
    await holdFromTimes(page, slot);
    await page.click('button[value=release]');
    await page.waitForSelector('body.cancelled');
    await page.goBack();
    t.ok(
      await page.locator('body.cancelled').isVisible(),
      'the checkout page says that it is let go',
    );
    await page.goBack();
    t.equal(await page.locator(holdButton).count(), 1, 'the form can be sent again');
    await page.goBack();
    t.strictSame(await shown(page, slot), open);

    await holdFromTimes(page, slot);
    await page.goBack();
    await page.click('.own-hold button[value=release]');
    t.equal(new URL(page.url()).pathname, '/book');
    t.strictSame(await shown(page, slot), open);
    await page.goBack();
    t.strictSame({ ...(await shown(page, slot)), open: true }, open);
    t.equal(await page.locator(holdButton).count(), 1);
    t.strictSame(await pendingSlots(pages.service.context), []);
  },
);

journey(
  'after a hold is confirmed, no page says that it is still to be confirmed',
  async (t, { slot, page }) => {
    await holdFromTimes(page, slot);
    await page.click('button[value=confirm]');
    await page.waitForSelector('body.confirmed');
    await page.goBack();
    t.ok(await page.locator('body.confirmed').isVisible());
    await page.goBack();
    t.strictSame(await shown(page, slot), taken, 'where the form was');
    await page.goBack();
    t.strictSame(await shown(page, slot), taken, 'among the open times');
    await page.goForward();
    await page.reload();
    t.strictSame(await shown(page, slot), taken, 'forward and reload');
  },
);

journey(
  'a reload of a page of mistakes shows them again with everything typed, and holds nothing',
  async (t, { pages, slot, page }) => {
    await openForm(page, pages.url, slot);
    await fillForm(page, { email: 'nonsense', name: 'Ada P' });
    await page.click(holdButton);
    for (const time of ['at first', 'once more']) {
      t.equal(await page.locator('[aria-invalid=true]').count(), 1, time);
      t.equal(await page.inputValue('[name=email]'), 'nonsense', time);
      t.equal(await page.inputValue('[name=name]'), 'Ada P', time);
      await page.reload();
    }
    t.strictSame(await pendingSlots(pages.service.context), []);
    await fillForm(page);
    await page.click(holdButton);
    await page.waitForSelector('body.pending');
    await page.reload();
    t.strictSame(await pendingSlots(pages.service.context), [slotKey(slot)]);
  },
);

void t.test(
  'going back to a page of mistakes, and forward to it, shows the slot as it is then',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
    const page = await openPage(t, pages);
    await page.goto(`${pages.url}/book`);
    await openForm(page, pages.url, slot);
    await fillForm(page, { email: 'nonsense', phone: '1' });
    await page.click(holdButton);
    await page.waitForSelector('[aria-invalid=true]');
    await page.goBack();
    await page.goForward();
    t.equal(await page.locator(holdButton).count(), 1, 'forward leads to the form');
    await fillForm(page, { email: 'nonsense', phone: '1' });
    await page.click(holdButton);
    await page.click('.trouble a[href="#phone"]');
    await fillForm(page);
    await page.click(holdButton);
    await page.waitForSelector('body.pending');
    await page.goBack();
    t.strictSame(await shown(page, slot), own);
    t.strictSame(await pendingSlots(context), [slotKey(slot)]);
  },
);

void t.test(
  'without script, the browser asks before it sends a form again, which holds nothing more',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
    const page = await openPage(t, pages, { javaScriptEnabled: false });
    await openForm(page, pages.url, slot);
    await fillForm(page, { email: 'nonsense' });
    await page.click(holdButton);
    await page.waitForSelector('[aria-invalid=true]');
    await fillForm(page);
    await page.click(holdButton);
    await page.waitForSelector('body.pending');
    await t.rejects(page.goBack(), /ERR_CACHE_MISS/, 'what was answered then is not shown');
    await page.waitForURL(/^chrome-error:/);
    await page.reload();
    t.equal(await page.locator('[aria-invalid=true]').count(), 1);
    t.ok(await page.locator('.own-hold').isVisible(), 'the page says what is held now');
    t.strictSame(await pendingSlots(context), [slotKey(slot)]);
  },
);

void t.test('a page that the browser has kept is loaded again when it is shown', async (t) => {
  const pages = await startPages(t);
  const browser = await launchBrowser(t, { isWhole: true });
  if (pages === null || browser === null) return;
  const { context } = pages.service;
  const [slot, other] = (await someOpenSlots(context, 2)) as [Slot, Slot];
  const page = await openPage(t, { browser });
  await page.goto(`${pages.url}/book?from=${slot.date}`);
  // Loading the address of a page again, fragment and all, would load nothing.
  await page.evaluate(() => {
    location.hash = '#open-times';
  });
  t.strictSame(await shown(page, slot), open);
  await page.click(linkToForm(other));
  await page.waitForSelector(holdButton);
  await placeHold(context, callerNumber(2), holdRequest(slot), null);
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForSelector(linkToForm(other));
  await page.waitForSelector(linkToForm(slot), { state: 'detached' });
  const [entry] = await page.evaluate(() =>
    performance.getEntriesByType('navigation').map((each) => each.toJSON() as { type: string }),
  );
  t.equal(entry?.type, 'navigate', 'the browser had kept the page');
  t.strictSame(await shown(page, slot), taken);
});
