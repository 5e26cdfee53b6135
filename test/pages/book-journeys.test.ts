import t from 'tap';
import type { Page } from 'playwright-core';
import { slotKey, slotOf, type Slot } from '../../src/calendar/slots.js';
import { placeHold } from '../../src/domain/holds.js';
import { linkToBook } from '../../src/pages/book-link.js';
import {
  ada,
  everyBooking,
  fillForm,
  holdButton,
  holdInBrowser,
  linkToForm,
  openForm,
  openSameFormTwice,
  pendingSlots,
  shown,
} from '../support/book-pages.js';
import { age, expectFits, openPage, startPages, tabTo } from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';

/**
 * The keystroke-level model of Card, Moran and Newell: an average typist takes 0.28 s for a key, of which
 * a capital and an at sign take two, and a person thinks for 1.35 s before acting on a page.
 */
const secondsPerKey = 0.28;
const secondsOfThought = 1.35;

const keysOf = (text: string): number => [...text].length + (text.match(/[A-Z@]/g)?.length ?? 0);

void t.test(
  'on a phone, by keyboard and without script, a person books from the dashboard in less than a minute',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const viewport = { width: 390, height: 844 };
    const page = await openPage(t, pages, { javaScriptEnabled: false, viewport });
    let keys = 0;
    let thoughts = 0;
    const think = async () => {
      await expectFits(t, page);
      thoughts += 1;
    };
    const press = async (wanted: string) => {
      keys += (await tabTo(page, wanted)) + 1;
      const loaded = page.waitForEvent('load');
      await page.keyboard.press('Enter');
      await loaded;
      await think();
    };
    await page.goto(pages.url);
    await think();
    await press('a[href^="/book?date="]');
    for (const [name, text] of Object.entries(ada)) {
      keys += (await tabTo(page, `[name=${name}]`)) + keysOf(text);
      await page.keyboard.type(text);
    }
    await press(holdButton);
    await press('button[value=confirm]');

    await page.waitForSelector('body.confirmed');
    const seconds = keys * secondsPerKey + thoughts * secondsOfThought;
    t.comment(`${keys} keys on ${thoughts} pages: ${seconds.toFixed(1)} s`);
    t.ok(seconds <= 60, `${keys} keys on ${thoughts} pages take ${seconds} s`);
    const { name, email } = ada;
    t.match(await everyBooking(context), { length: 1 });
    t.match(await everyBooking(context), [
      { status: 'confirmed', channel: 'page', name, email, idea: null },
    ]);
  },
);

for (const javaScriptEnabled of [false, true]) {
  const script = javaScriptEnabled ? 'with' : 'without';
  void t.test(`a form that is sent twice makes one hold, ${script} script`, async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [first, second] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    const page = await openPage(t, pages, { javaScriptEnabled });
    const tabs = await openSameFormTwice(page, pages.url, first);
    await Promise.all(tabs.map((tab) => tab.click(holdButton)));
    await Promise.all(tabs.map((tab) => tab.waitForSelector('body.pending')));
    t.equal(tabs[0].url(), tabs[1].url(), 'two tabs lead to one hold');
    t.strictSame(await pendingSlots(context), [slotKey(first)]);

    const pressing = await openPage(t, pages, { javaScriptEnabled });
    await openForm(pressing, pages.url, second);
    await fillForm(pressing, personNumber(2));
    await pressing.dblclick(holdButton);
    await pressing.waitForSelector('body.pending');
    t.strictSame(await pendingSlots(context), [slotKey(first), slotKey(second)].sort());
  });
}

void t.test('a corrected form makes another hold, once the first is let go', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const page = await openPage(t, pages, { javaScriptEnabled: false });
  const [tab, other] = await openSameFormTwice(page, pages.url, slot);
  await tab.click(holdButton);
  await tab.waitForSelector('body.pending');
  await other.fill('[name=email]', 'ada.park@example.com');
  const answer = other.waitForResponse((each) => each.request().method() === 'POST');
  await other.click(holdButton);
  t.equal((await answer).status(), 409);
  t.equal(await other.inputValue('[name=email]'), 'ada.park@example.com');
  t.match(await everyBooking(context), { length: 1 }, 'the first is not given up unasked');
  await other.click('button[value=replace]');
  await other.waitForSelector('body.pending');
  t.not(other.url(), tab.url());
  t.match(await everyBooking(context), [
    { status: 'cancelled', email: ada.email },
    { status: 'pending', email: 'ada.park@example.com' },
  ]);
  await tab.reload();
  t.ok(await tab.locator('body.cancelled').isVisible(), 'the first page says so');
});

void t.test(
  'the pages show a hold as one’s own in the browser that placed it, until it lapses',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [slot, next] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    const page = await openPage(t, pages, { javaScriptEnabled: false });
    const checkout = await holdInBrowser(page, pages.url, slot);
    const times = `${pages.url}/book?from=${slot.date}`;
    for (const address of [times, `${pages.url}${linkToBook(slot)}`]) {
      await page.goto(address);
      t.strictSame(await shown(page, slot), { own: true, open: false }, address);
    }
    await openForm(page, pages.url, next);
    t.ok(await page.locator('.own-hold').isVisible(), 'also on the form of another time');
    await page.click('.own-hold a');
    t.equal(page.url(), checkout, 'the person can go on');

    const stranger = await openPage(t, pages, { javaScriptEnabled: false });
    await stranger.goto(times);
    t.strictSame(await shown(stranger, slot), { own: false, open: false });
    await openForm(stranger, pages.url, slot);
    t.strictSame(await shown(stranger, slot), { own: false, open: false });

    const [booking] = await everyBooking(context);
    await age(pages, booking!.id, 901);
    await page.goto(times);
    t.strictSame(await shown(page, slot), { own: false, open: true }, 'after it has lapsed');

    await holdInBrowser(page, pages.url, slot);
    await page.goto(times);
    await page.click('.own-hold button[value=release]');
    t.strictSame(await shown(page, slot), { own: false, open: true }, 'the person can let it go');
    t.strictSame(await pendingSlots(context), []);
  },
);

void t.test('a page that shows an earlier hold does not let go of a later one', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const [first, second] = (await someOpenSlots(context, 2)) as [Slot, Slot];
  const page = await openPage(t, pages);
  await holdInBrowser(page, pages.url, first);
  const left = await page.context().newPage();
  await left.goto(`${pages.url}/book`);
  await page.click('button[value=release]');
  await page.waitForSelector('body.cancelled');
  await holdInBrowser(page, pages.url, second);
  await left.click('.own-hold button[value=release]');
  await left.waitForSelector('.own-hold');
  t.strictSame(await pendingSlots(context), [slotKey(second)]);
});

/** Characters that a page could take for its own, and text that is written from right to left. */
const hostile = {
  name: `Ada "><script>alert(1)</script> O’Park & 'Co'`,
  email: 'ada&eve+a@example.com',
  phone: '(555) 555-0142',
  pronouns: 'هي / היא </textarea>',
  idea: '\n\n  </textarea><b onmouseover=alert(1)>\n&lt;טקסט מימין לשמאל‏ 🦉\n\nlast ',
};

const typedIn = async (page: Page): Promise<typeof ada> => {
  const typed: Partial<typeof ada> = {};
  for (const name of Object.keys(ada) as (keyof typeof ada)[]) {
    typed[name] = await page.inputValue(`[name=${name}]`);
  }
  return typed as typeof ada;
};

void t.test(
  'a time that is taken in between is refused with everything typed and other times, one of which can be had',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
    const page = await openPage(t, pages, { javaScriptEnabled: false });
    await openForm(page, pages.url, slot);
    await fillForm(page, hostile);
    await placeHold(context, callerNumber(2), holdRequest(slot, personNumber(2)), null);
    for (const time of ['the first time', 'the second time']) {
      const answer = page.waitForResponse((each) => each.request().method() === 'POST');
      await page.click(holdButton);
      t.equal((await answer).status(), 409, time);
      t.strictSame(await typedIn(page), hostile, time);
      t.strictSame(await pendingSlots(context), [slotKey(slot)], 'nothing else is held');
    }
    const choice = page.locator('input[type=radio][name=slot]').nth(1);
    const wanted = await choice.inputValue();
    t.not(wanted, slotKey(slot));
    await choice.check();
    await page.click(holdButton);
    await page.waitForSelector('body.pending');
    const booking = (await everyBooking(context)).find(({ email }) => email === hostile.email)!;
    t.equal(slotKey(slotOf(booking)), wanted);
    const { name, pronouns, idea } = hostile;
    t.match(booking, { name, pronouns, idea: idea.trim(), channel: 'page' });
    await page.goto(`${pages.url}/book?from=${slot.date}`);
    t.equal(await page.locator(linkToForm(slot)).count(), 0);
  },
);
