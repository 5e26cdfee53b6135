import t, { type Test } from 'tap';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Slot } from '../../src/calendar/slots.js';
import { placeHold } from '../../src/domain/holds.js';
import {
  fillForm,
  holdButton,
  holdInBrowser,
  openForm,
  pressAndWait,
} from '../support/book-pages.js';
import {
  accessibilityViolations,
  expectFits,
  openPage,
  startPages,
  type Pages,
} from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const satisfies BrowserContextOptions[];

/** Runs `check` at a desk in the light and on a phone in the dark, each in a fresh browser profile. */
async function inEveryLook(
  t: Test,
  pages: Pages,
  run: (page: Page, check: (state: string, status: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const look of looks) {
    const page = await openPage(t, pages, look);
    let answered = 0;
    page.on('response', (answer) => {
      if (answer.request().isNavigationRequest()) answered = answer.status();
    });
    await run(page, async (state, status) => {
      const where = `${state}, ${look.colorScheme}, ${look.viewport.width}`;
      t.equal(answered, status, where);
      t.strictSame(await accessibilityViolations(page), [], where);
      t.equal(await page.locator('h1').count(), 1, where);
      t.match(await page.title(), await page.locator('h1').innerText(), where);
      await expectFits(t, page);
    });
  }
}

void t.test(
  'axe finds nothing among the open times, on the form, or with any mistake, and each fits the screen',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    await inEveryLook(t, pages, async (page, check) => {
      const [slot, next] = (await someOpenSlots(context, 2)) as [Slot, Slot];
      await page.goto(`${pages.url}/book`);
      await check('open times', 200);
      await page.goto(`${pages.url}/book?date=today&time_slot=noon`);
      await check('not understood', 400);
      await openForm(page, pages.url, slot);
      await check('form', 200);

      await fillForm(page, {
        name: ' ',
        email: 'nonsense',
        phone: '1',
        pronouns: 'w'.repeat(41),
        idea: 'w'.repeat(2001),
      });
      await pressAndWait(page, holdButton);
      await check('all mistakes', 400);
      t.equal(await page.locator('[aria-invalid=true]').count(), 5);

      await holdInBrowser(page, pages.url, slot);
      await page.goto(`${pages.url}/book`);
      await page.waitForSelector('.own-hold');
      await check('open times with an own hold', 200);
      await openForm(page, pages.url, next);
      await page.waitForSelector('.own-hold');
      await check('form with an own hold', 200);
    });
  },
);

void t.test('axe finds nothing on a page that says that a time is taken', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  let person = 10;
  await inEveryLook(t, pages, async (page, check) => {
    person += 1;
    const [slot, own] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    await openForm(page, pages.url, slot);
    await fillForm(page);
    await placeHold(context, callerNumber(person), holdRequest(slot, personNumber(person)), null);
    await pressAndWait(page, holdButton);
    await page.waitForSelector('input[type=radio][name=slot]');
    await check('taken while the form was open', 409);
    await openForm(page, pages.url, slot);
    await check('taken before', 409);

    await holdInBrowser(page, pages.url, own);
    await openForm(page, pages.url, own);
    await check('held by oneself', 200);
  });
});

void t.test('axe finds nothing where the slot of the form is already one’s own', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  await inEveryLook(t, pages, async (page, check) => {
    const [slot] = (await someOpenSlots(pages.service.context, 1)) as [Slot];
    await openForm(page, pages.url, slot);
    await fillForm(page, { email: 'ada.park@example.com' });
    const other = await page.context().newPage();
    await holdInBrowser(other, pages.url, slot);
    await pressAndWait(page, holdButton);
    await page.waitForSelector('button[value=replace]');
    await check('held by oneself while the form was open', 409);
  });
});

for (const [state, status, environment] of [
  ['the limit of a person', 429, { MAX_LIVE_BOOKINGS_PER_CALLER: '1' }],
  ['the limit of an internet connection', 429, { WRITES_PER_HOUR_ANONYMOUS: '1' }],
  ['the limit of pending holds', 503, { MAX_PENDING_HOLDS: '1' }],
] as const) {
  void t.test(`axe finds nothing on the page at ${state}, which keeps the form`, async (t) => {
    const pages = await startPages(t, environment);
    if (pages === null) return;
    const { context } = pages.service;
    pages.service.expectLog(
      /limit of pending holds reached/,
      /as many live bookings as one may place/,
    );
    const [held, slot] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    await holdInBrowser(await openPage(t, pages), pages.url, held);
    await inEveryLook(t, pages, async (page, check) => {
      await openForm(page, pages.url, slot);
      await fillForm(page, personNumber(7));
      await pressAndWait(page, holdButton);
      await check(state, status);
      t.equal(await page.inputValue('[name=email]'), personNumber(7).email);
      t.equal(await page.locator(holdButton).count(), 1);
    });
  });
}

void t.test('axe finds nothing where nothing is open', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  await context.database.deleteFrom('weekly_sessions').execute();
  await context.board.refresh();
  await inEveryLook(t, pages, async (page, check) => {
    await page.goto(`${pages.url}/book`);
    t.equal(await page.locator('.open-times').count(), 0);
    await check('nothing open', 200);
  });
});
