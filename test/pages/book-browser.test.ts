import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import type { Slot } from '../../src/schedule/slots.js';
import { timeOfDay } from '../../src/schedule/words.js';
import { linkToBook } from '../../src/web/book-link.js';
import { ada, everyBooking, fillForm, holdButton, pressAndWait } from '../support/book-pages.js';
import { livingOf } from '../support/bookings.js';
import { launchBrowser } from '../support/browser.js';
import { holdForPerson } from '../support/holds.js';
import { browserTests, expectFits, openPage, phone, tabTo } from '../support/pages.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import type { BrowserService } from '../support/service.js';

const browserTest = await browserTests(t);

browserTest(
  'on a phone, by keyboard and without script, a person books from the dashboard with few keys',
  async (t, page, { context, url }) => {
    let presses = 0;
    const press = async (wanted: string) => {
      await expectFits(t, page);
      presses += await tabTo(page, wanted);
      const loaded = page.waitForEvent('load');
      await page.keyboard.press('Enter');
      await loaded;
    };
    await page.goto(url);
    await press('a[href^="/book?date="]');
    for (const [name, text] of Object.entries(ada)) {
      presses += await tabTo(page, `[name=${name}]`);
      await page.keyboard.type(text);
    }
    await press(holdButton);
    await press('button[value=confirm]');
    await page.waitForSelector('body.confirmed');
    await expectFits(t, page);
    t.ok(presses <= 12, `Tab is pressed ${presses} times`);
    const { name, email } = ada;
    const [booking, ...others] = await everyBooking(context);
    t.match(booking, { status: 'confirmed', channel: 'page', name, email, idea: null });
    t.strictSame(others, []);
  },
  { ...phone, javaScriptEnabled: false },
);

browserTest(
  'on a small phone, a person books a time of next month from the front page in five presses',
  async (t, page, { context, url }) => {
    await page.goto(url);
    const choose = (await page.getByText('Choose a time').boundingBox())!;
    t.ok(choose.y + choose.height < 664, 'what comes first is seen first');
    const steps = ['a[href="/book"]', 'nav[aria-label=Months] li:nth-child(2) a', 'a.time'];
    for (const step of steps) await pressAndWait(page, step);
    await fillForm(page);
    for (const step of [holdButton, 'button[value=confirm]']) await pressAndWait(page, step);
    await page.waitForSelector('body.confirmed');
    const { today } = await context.board.read();
    const date = (await everyBooking(context)).at(-1)!.date;
    t.not(date.slice(0, 7), today.slice(0, 7));
  },
  { ...phone, viewport: { width: 390, height: 664 } },
);

const linkToForm = (slot: Slot) => `.open-times a[href="${linkToBook(slot)}"]`;
const own = { own: true, open: false };
const open = { own: false, open: true };
const taken = { own: false, open: false };

/** What the page says to this browser: whether it holds a time, and whether `slot` is open. */
async function shown(page: Page, slot: Slot): Promise<typeof own> {
  return {
    own: (await page.locator('.own-hold').count()) > 0,
    open: (await page.locator(linkToForm(slot)).count()) > 0,
  };
}

/** Opens the open times, and a slot among them. */
async function openTimes(page: Page, { context, url }: BrowserService): Promise<Slot> {
  const [slot] = await someOpenSlots(context, 1);
  await page.goto(`${url}/book?from=${slot.date}`);
  return slot;
}

async function send(page: Page, changes: Partial<typeof ada> = {}): Promise<void> {
  await fillForm(page, changes);
  await page.click(holdButton);
}

async function holdFromTimes(page: Page, slot: Slot): Promise<void> {
  await page.click(linkToForm(slot));
  await send(page);
  await page.waitForSelector('body.pending');
}

browserTest('after a hold, going back shows it as one’s own', async (t, page, pages) => {
  const slot = await openTimes(page, pages);
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
  t.strictSame(await livingOf(pages.context, slot), ['pending']);
});

browserTest('after a hold is let go, going back shows its time as open', async (t, page, pages) => {
  const slot = await openTimes(page, pages);
  await holdFromTimes(page, slot);
  await page.click('button[value=release]');
  await page.waitForSelector('body.cancelled');
  await page.goBack();
  t.ok(await page.locator('body.cancelled').isVisible(), 'the checkout page says so');
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
  t.equal(await page.locator(holdButton).count(), 1);
  t.equal(await page.locator('.own-hold').count(), 0);
  t.strictSame(await livingOf(pages.context, slot), []);
});

browserTest('after a confirmation, no page says that it is missing', async (t, page, pages) => {
  const slot = await openTimes(page, pages);
  await holdFromTimes(page, slot);
  await page.click('button[value=confirm]');
  await page.waitForSelector('body.confirmed');
  const methods: string[] = [];
  page.on('request', (request) => methods.push(request.method()));
  await page.reload();
  await page.waitForSelector('body.confirmed');
  await page.goBack();
  t.ok(await page.locator('body.confirmed').isVisible());
  await page.goBack();
  t.strictSame(await shown(page, slot), own, 'where the form was');
  t.equal(await page.locator('.own-hold h2').innerText(), 'You have booked this time');
  t.equal(await page.locator('.trouble').count(), 0, 'nobody else has taken it');
  await page.goBack();
  t.strictSame(await shown(page, slot), taken, 'among the open times');
  await page.goForward();
  await page.reload();
  t.strictSame(await shown(page, slot), own, 'forward and reload');
  await page.click('.own-hold a');
  await page.waitForSelector('body.confirmed');
  t.notOk(methods.includes('POST'), 'nothing was sent again');
});

/** A page of mistakes, which a reload shows again. */
async function sendMistakes(t: Test, page: Page, pages: BrowserService): Promise<Slot> {
  const slot = await openTimes(page, pages);
  await page.click(linkToForm(slot));
  await send(page, { email: 'nonsense', name: 'Ada P' });
  for (const time of ['at first', 'once more']) {
    t.equal(await page.locator('[aria-invalid=true]').count(), 1, time);
    t.equal(await page.inputValue('[name=email]'), 'nonsense', time);
    t.equal(await page.inputValue('[name=name]'), 'Ada P', time);
    await page.reload();
  }
  t.strictSame(await livingOf(pages.context, slot), []);
  return slot;
}

browserTest('back and forward lead to the form, not to its mistakes', async (t, page, pages) => {
  const slot = await sendMistakes(t, page, pages);
  await page.goBack();
  await page.goForward();
  t.equal(await page.locator(holdButton).count(), 1);
  t.equal(await page.locator('[aria-invalid=true]').count(), 0);
  await send(page, { email: 'nonsense', phone: '1' });
  await page.click('.trouble a[href="#phone"]');
  await send(page);
  await page.waitForSelector('body.pending');
  await page.reload();
  t.strictSame(await livingOf(pages.context, slot), ['pending']);
  await page.goBack();
  t.strictSame(await shown(page, slot), own);
});

browserTest(
  'without script, a form sent again holds nothing more',
  async (t, page, pages) => {
    const slot = await sendMistakes(t, page, pages);
    await send(page);
    await page.waitForSelector('body.pending');
    await t.rejects(page.goBack(), /ERR_CACHE_MISS/, 'what was answered then is not shown');
    await page.waitForURL(/^chrome-error:/);
    await page.reload();
    t.equal(await page.locator('[aria-invalid=true]').count(), 1);
    t.ok(await page.locator('.own-hold').isVisible(), 'the page says what is held now');
    t.strictSame(await livingOf(pages.context, slot), ['pending']);
  },
  { javaScriptEnabled: false },
);

browserTest('a page that the browser has kept is loaded again when shown', async (t, _, pages) => {
  const browser = await launchBrowser(t, 'whole');
  if (browser === null) return;
  const { context } = pages;
  const [slot, other] = await someOpenSlots(context, 2);
  const page = await openPage(t, { browser });
  await page.goto(`${pages.url}/book?from=${slot.date}`);
  // Loading the address of a page again, fragment and all, would load nothing.
  await page.evaluate(() => {
    location.hash = '#open-times';
  });
  t.strictSame(await shown(page, slot), open);
  // Not to a form: a cookie that changes makes the browser drop what it has kept.
  await page.click('.masthead a');
  await page.waitForURL(`${pages.url}/`);
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

const zones = { 'Asia/Tokyo': true, 'America/Los_Angeles': false };
for (const [timezoneId, isElsewhere] of Object.entries(zones)) {
  browserTest(
    `in ${timezoneId}, a person reads ${isElsewhere ? 'their own clock, too' : 'no other clock'}`,
    async (t, page, pages) => {
      const [, slot] = await someOpenSlots(pages.context, 2);
      const { token } = await holdForPerson(pages);
      for (const path of ['/', '/book', linkToBook(slot), `/checkout/${token}`]) {
        await page.goto(`${pages.url}${path}`, { waitUntil: 'networkidle' });
        const time = page.locator('time[data-zone]').first();
        const start = Date.parse((await time.getAttribute('datetime'))!);
        const words = (await time.innerText()).replaceAll('\u00a0', ' ');
        t.match(words, /[AP]M P[DS]T|Pacific/, `${path} names the zone`);
        const own = timeOfDay(timezoneId, start).replace(/.[AP]M/, '');
        const expected = new RegExp(` ${own}.*on your clock`, 's');
        t.equal(expected.test(words), isElsewhere, `${path}: ${words}`);
        await expectFits(t, page);
      }
    },
    { ...phone, timezoneId },
  );
}
