import t from 'tap';
import { slotKey, slotOf, type Slot } from '../../src/calendar/slots.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { bookingRow } from '../support/bookings.js';
import {
  expectFits,
  holdForPerson,
  moveUrl,
  openPage,
  startPages,
  tabTo,
} from '../support/pages.js';
import { callerNumber, everyOpenSlot, holdRequest, someOpenSlots } from '../support/requests.js';
import { soonMs } from '../support/seconds.js';

const linkTo = ({ date, timeSlot }: Slot): string =>
  `a[href$="${new URLSearchParams({ date, time_slot: timeSlot }).toString()}"]`;

void t.test(
  'on a phone, by keyboard and without script, a hold and a session move to the last open time in four presses',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const viewport = { width: 390, height: 844 };
    const page = await openPage(t, pages, { javaScriptEnabled: false, viewport });
    for (const [state, said] of [
      ['pending', 'You can still change the time 4 times while it is held'],
      ['confirmed', 'You can still move it once, until'],
    ] as const) {
      const { id, token, url, slot } = await holdForPerson(pages);
      if (state === 'confirmed') await confirmCheckout(context, token);
      const before = await bookingRow(context, id);
      const last = (await everyOpenSlot(context)).at(-1)!;
      await page.goto(url);
      for (const wanted of [
        'a.button[href$="/move"]',
        '.open-times nav li:last-child a',
        linkTo(last),
        'button[value=move]',
      ]) {
        await expectFits(t, page);
        t.strictSame(slotOf(await bookingRow(context, id)), slot, 'nothing has changed yet');
        await tabTo(page, wanted);
        const loaded = page.waitForEvent('load');
        await page.keyboard.press('Enter');
        await loaded;
      }
      t.equal(page.url(), url);
      const after = await bookingRow(context, id);
      t.strictSame(slotOf(after), last);
      const { sequence, expires_at } = before;
      t.match(after, { status: state, sequence: sequence + 1, expires_at });
      const text = await page.locator('main').innerText();
      t.match(text, said);
      t.match(text, last.timeSlot);
      const isReplaced = /add the file again: it replaces that entry/.test(text);
      t.equal(isReplaced, state === 'confirmed', 'the calendar entry is to be replaced');
    }
  },
);

void t.test(
  'a time that is taken in between is refused with other times, and one of them can be had',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const { id, url, slot } = await holdForPerson(pages);
    const [wanted, other] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    const page = await openPage(t, pages, { javaScriptEnabled: false });
    await page.goto(moveUrl(url, wanted));
    await placeHold(context, callerNumber(2), holdRequest(wanted), null);
    const answer = page.waitForResponse((each) => each.request().method() === 'POST');
    await page.click('button[value=move]');
    t.equal((await answer).status(), 409);
    t.equal(await page.locator('h1').innerText(), 'That time has been taken');
    t.match(await page.locator('.trouble').innerText(), /Nothing is lost/);
    t.strictSame(slotOf(await bookingRow(context, id)), slot);
    t.equal(await page.locator(linkTo(wanted)).count(), 0);
    await page.click(linkTo(other));
    await page.click('button[value=move]');
    await page.waitForSelector('body.pending');
    t.strictSame(slotOf(await bookingRow(context, id)), other);
  },
);

void t.test('two tabs that move a hold at once move it once', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const { id, url } = await holdForPerson(pages);
  const [wanted] = await someOpenSlots(context, 1);
  const tabs = [await openPage(t, pages), await openPage(t, pages)];
  await Promise.all(tabs.map((tab) => tab.goto(moveUrl(url, wanted!))));
  await Promise.all(tabs.map((tab) => tab.click('button[value=move]')));
  for (const tab of tabs) {
    await tab.waitForSelector('body.pending');
    t.equal(tab.url(), url);
  }
  t.match(await bookingRow(context, id), { moves_while_pending: 1, sequence: 1 });
});

void t.test(
  'the page of a hold that is open in another tab shows the new time after a move',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { url } = await holdForPerson(pages);
    const wanted = (await everyOpenSlot(pages.service.context)).at(-1)!;
    const left = await openPage(t, pages);
    await left.goto(url);
    const other = await openPage(t, pages);
    await other.goto(moveUrl(url, wanted));
    await other.click('button[value=move]');
    await other.waitForSelector('body.pending');
    await left.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await left.waitForSelector(`time.when[datetime^="${wanted.date}"]`);
  },
);

void t.test('a move changes both cells of an open dashboard within seconds', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { url, slot } = await holdForPerson(pages);
  const [wanted] = await someOpenSlots(pages.service.context, 1);
  const cell = (of: Slot, state: string): string => `li.${state}[data-key="${slotKey(of)}"]`;
  const dashboard = await openPage(t, pages);
  await dashboard.goto(pages.url);
  await dashboard.waitForFunction(
    () => document.querySelector('#connection')?.textContent === 'Live',
  );
  await dashboard.waitForSelector(cell(slot, 'held'));
  const person = await openPage(t, pages);
  await person.goto(moveUrl(url, wanted!));
  await person.click('button[value=move]');
  await dashboard.waitForSelector(cell(wanted!, 'held'), { timeout: soonMs });
  t.ok(await dashboard.locator(cell(slot, 'open')).isVisible(), 'the former time is open again');
});
