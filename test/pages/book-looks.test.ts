import t from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import { changeArtist } from '../../src/domain/studio/artists.js';
import { linkToBook } from '../../src/web/book-link.js';
import { addArtists } from '../support/artists.js';
import {
  holdButton,
  holdInBrowser,
  fillForm,
  openForm,
  pressAndWait,
} from '../support/book-pages.js';
import { browserTests, expectFits, expectGoodLook, openPage } from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const browserTest = await browserTests(t);

browserTest('the open times, the form and its mistakes look good', async (t, page, service) => {
  const { url } = service;
  const [slot, next] = await someOpenSlots(service.context, 2);
  await page.goto(`${url}/book`);
  await expectGoodLook(t, page, 'open times');
  await page.goto(`${url}/book?weekday=saturday&weekday=sunday&time=1%3A00+PM`);
  await page.click('summary');
  await expectGoodLook(t, page, 'open times, narrowed');
  await page.goto(`${url}/book`);
  for (const [width, text] of [
    [390, '100%'],
    [360, '130%'],
    [390, '200%'],
    [768, '100%'],
  ] as const) {
    await page.setViewportSize({ width, height: 664 });
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), text);
    await expectFits(t, page);
    const times = await page.locator('a.time').evaluateAll((all) =>
      all.map((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const { left } = each.getBoundingClientRect();
        const lines = range.getClientRects().length;
        const isCut = each.scrollWidth > each.clientWidth;
        return { left, time: each.textContent, isBroken: lines > 1 || isCut };
      }),
    );
    const at = `${width} pixels, ${text}`;
    t.strictSame(
      times.filter(({ isBroken }) => isBroken),
      [],
      `${at}: no time is broken`,
    );
    // A column of a day at a desk, one of a time on a phone.
    const columns = new Map(times.map(({ left, time }) => [time, left]));
    if (width < 768)
      t.ok(
        times.every(({ left, time }) => columns.get(time) === left),
        at,
      );
  }
  await page.goto(`${url}/book?date=today&time_slot=noon`);
  await expectGoodLook(t, page, 'not understood');
  await page.goto(`${url}/nowhere`);
  await expectGoodLook(t, page, 'no such page');
  await openForm(page, url, slot);
  await expectGoodLook(t, page, 'form');
  const mistakes = { name: ' ', email: 'nonsense', phone: '1' };
  await fillForm(page, { ...mistakes, pronouns: 'w'.repeat(41), idea: 'w'.repeat(2001) });
  await pressAndWait(page, holdButton);
  await expectGoodLook(t, page, 'all mistakes');
  t.equal(await page.locator('[aria-invalid=true]').count(), 5);
  t.ok(await page.locator('[role=alert]:focus').isVisible(), 'the browser begins at the list');

  await holdInBrowser(page, url, slot);
  await page.goto(`${url}/book`);
  await page.waitForSelector('.own-hold');
  await expectGoodLook(t, page, 'open times with an own hold');
  await openForm(page, url, next);
  await page.waitForSelector('.own-hold');
  await expectGoodLook(t, page, 'form with an own hold');
});

browserTest('the choice of an artist looks good, on each page', async (t, page) => {
  const service = await startService(t, generous, { browser: true });
  if (service === null) return;
  const { context, url } = service;
  await addArtists(context, 8);
  await changeArtist(context, 'ada@desk', 'jon', { about: 'Blackwork and lettering, large scale' });
  const [slot] = await someOpenSlots(context, 1);
  for (const width of [390, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${url}/book`);
    await expectGoodLook(t, page, `eight artists at ${width}`);
    await page.goto(`${url}/book?artist=jon`);
    await expectGoodLook(t, page, `one of them at ${width}`);
    await page.goto(`${url}${linkToBook(slot, { slug: 'jon' })}`);
    await expectGoodLook(t, page, `the form at ${width}`);
  }
  await fillForm(page);
  await pressAndWait(page, holdButton);
  await expectGoodLook(t, page, 'the others at the same time');
  await page.click('text=Zoë');
  await expectFits(t, page);
  await page.goBack();
  await page.click('text=Choose another time');
  await expectGoodLook(t, page, 'the times of a move');
});

browserTest('a time that is taken, or one’s own, looks good', async (t, page, service) => {
  const { url } = service;
  const [slot, own] = await someOpenSlots(service.context, 2);
  await openForm(page, url, slot);
  await fillForm(page);
  const request = holdRequest(slot, personNumber(1));
  await placeHold(service.context, callerNumber(1), request, null);
  await pressAndWait(page, holdButton);
  await page.waitForSelector('input[type=radio][name=slot]');
  await expectGoodLook(t, page, 'taken while the form was open');
  await openForm(page, url, slot);
  await expectGoodLook(t, page, 'taken before');

  await openForm(page, url, own);
  await fillForm(page, { email: 'ada.park@example.com' });
  await holdInBrowser(await page.context().newPage(), url, own);
  await pressAndWait(page, holdButton);
  await page.waitForSelector('button[value=replace]');
  await expectGoodLook(t, page, 'held by oneself while the form was open');
  await openForm(page, url, own);
  await expectGoodLook(t, page, 'held by oneself');
});

browserTest('where nothing is open, the page looks good', async (t, page, { browser }) => {
  const service = await startService(
    t,
    { ...generous, WRITES_PER_HOUR_ANONYMOUS: '1' },
    { browser: true },
  );
  if (service === null) return;
  const { url } = service;
  const [held, slot] = await someOpenSlots(service.context, 2);
  await holdInBrowser(await openPage(t, { browser }), url, held);
  await openForm(page, url, slot);
  await fillForm(page, personNumber(7));
  await pressAndWait(page, holdButton);
  await expectGoodLook(t, page, 'at a limit');
  t.equal(await page.locator(holdButton).count(), 1);

  await service.context.database.updateTable('week_days').set({ sessions: [] }).execute();
  await service.context.board.refresh();
  await page.goto(`${url}/book`);
  t.equal(await page.locator('.open-times').count(), 0);
  await expectGoodLook(t, page, 'nothing open');
});
