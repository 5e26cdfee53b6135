import type { Page } from 'playwright-core';
import t from 'tap';
import { slotKey, type Slot } from '../../src/schedule/slots.js';
import { releaseCheckout } from '../support/checkouts.js';
import { holdForPerson } from '../support/holds.js';
import { postHold } from '../support/http-requests.js';
import { browserTests } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import type { BrowserService } from '../support/service.js';

const browserTest = await browserTests(t);

const cell = (slot: Slot, state: string): string => `li.${state}[data-key="${slotKey(slot)}"]`;
const stream = '**/api/public/events';
/** How far the service's clock is ahead. */
let ahead = 0;

async function untilLive(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#connection')?.textContent === 'Live');
}

/** Opens the dashboard, and resolves with a slot that is open there once it is live. */
async function openDashboard(page: Page, { context, url }: BrowserService): Promise<Slot> {
  const [slot] = await someOpenSlots(context, 1);
  const fetched = page.waitForResponse('**/present');
  await page.goto(url);
  await untilLive(page);
  await fetched;
  await page.waitForSelector(`${cell(slot, 'open')} a`);
  return slot;
}

browserTest('the cell of a slot follows its hold to the end', async (t, page, pages) => {
  const slot = await openDashboard(page, pages);
  const link = (await page.locator(`${cell(slot, 'open')} a`).boundingBox())!;
  const whole = (await page.locator(cell(slot, 'open')).boundingBox())!;
  t.ok(link.width >= whole.width && link.height >= whole.height, 'the whole cell is pressed');
  t.ok(link.height >= 24);
  await page.evaluate(() => {
    const days = document.querySelectorAll('#days li');
    for (const each of Array.from(days)) each.setAttribute('title', 'untouched');
  });
  await postHold(pages.url, slot);
  const held = page.locator(cell(slot, 'held'));
  await held.locator('.left').waitFor();
  t.match(await held.locator('.left').innerText(), /^1\d:\d\d$/);
  t.equal(await held.locator('a').count(), 0, 'it leads nowhere');
  t.match(await page.locator('#changes li').first().innerText(), /is held/);
  t.match(await page.locator('#news').textContent(), /is held$/, 'screen readers announce it');
  t.equal(await page.locator('#days .slots > li:not([title=untouched])').count(), 1, 'no other');

  await pages.shiftClock((ahead += 15 * 60_000));
  await page.waitForSelector(`${cell(slot, 'open')} a`);
  t.match(await page.locator('#changes li').first().innerText(), /is free again/);
});

browserTest('the focus stays on a time that is taken, then freed', async (t, page, pages) => {
  const slot = await openDashboard(page, pages);
  await page.locator(`${cell(slot, 'open')} a`).focus();
  const { token } = await holdForPerson(pages);
  await page.waitForSelector(`${cell(slot, 'held')}:focus`);
  await releaseCheckout(pages.context, token, 'pending');
  await page.waitForSelector(`${cell(slot, 'open')} a:focus`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/book?date=${slot.date}&time_slot=*`);
});

browserTest('a page whose stream is refused connects again', async (t, page, pages) => {
  await page.clock.install();
  let refusal = 503;
  let attempts = 0;
  await page.route(stream, (route) => {
    attempts += 1;
    return route.fulfill({ status: refusal, headers: { 'retry-after': '1' } });
  });
  await page.goto(pages.url);
  await page.waitForSelector('body.stale');
  const connection = page.locator('#connection');
  t.match(await connection.innerText(), /Not live yet; trying again/);
  t.equal(await connection.getAttribute('role'), 'status');
  refusal = 429;
  while (attempts < 4) await page.clock.runFor(2_000);
  await page.unroute(stream);
  const { slot } = await holdForPerson(pages);
  await page.clock.fastForward(60_000);
  await untilLive(page);
  t.equal(await page.locator('body.stale').count(), 0);
  await page.clock.runFor(2_000);
  await page.waitForSelector(cell(slot, 'held'));
});

browserTest('a page says at once that the browser is offline', async (t, page, pages) => {
  await page.goto(pages.url);
  await untilLive(page);
  await page.context().setOffline(true);
  await page.waitForSelector('body.stale');
  t.match(await page.locator('#connection').innerText(), /^Not live since/);
  await page.context().setOffline(false);
  await untilLive(page);
});

browserTest('a page whose stream is silent says since when', async (t, page, pages) => {
  await page.clock.install();
  await page.goto(pages.url);
  await untilLive(page);
  // The stream stays open without events, as after the loss of the network.
  await page.route(stream, (route) => route.abort());
  await page.clock.fastForward(41_000);
  await page.waitForSelector('body.stale');
  const text = await page.locator('#connection').innerText();
  t.match(text, /^Not live since \d+:\d\d\s[AP]M; trying again/);
  await page.unroute(stream);
  await page.clock.fastForward(120_000);
  await untilLive(page);
});

browserTest('a page whose refresh is never answered tries again', async (t, page, pages) => {
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 20);
  });
  await page.clock.install();
  const slot = await openDashboard(page, pages);
  // The next request never gets a response, as after a change of networks.
  await page.route('**/present', () => undefined, { times: 1 });
  await postHold(pages.url, slot);
  await page.waitForSelector('body.stale');
  await page.clock.fastForward(6_000);
  await page.waitForSelector(cell(slot, 'held'));
  await untilLive(page);
});

browserTest('a hidden page closes its stream, and catches up', async (t, page, pages) => {
  const slot = await openDashboard(page, pages);
  const { liveStream } = pages.context;
  t.equal(liveStream.viewerCount(), 1);
  const setVisibility = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await setVisibility('hidden');
  while (liveStream.viewerCount() > 0) await fetch(`${pages.url}/healthz`);
  await holdForPerson(pages);
  await setVisibility('visible');
  await page.waitForSelector(cell(slot, 'held'));
});
