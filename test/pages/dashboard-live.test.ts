import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import type { Context } from '../../src/context.js';
import { releaseCheckout } from '../../src/domain/checkout.js';
import { slotKey, type Slot } from '../../src/calendar/slots.js';
import { createTestDatabase } from '../support/database.js';
import { launchBrowser } from '../support/browser.js';
import { holdForPerson, openPage, postHold, startPages, type Pages } from '../support/pages.js';
import { freePort, spawnService } from '../support/process.js';
import { someOpenSlots } from '../support/requests.js';
import { soonMs } from '../support/seconds.js';
import { generous } from '../support/service.js';

const cell = (slot: Slot, state: string): string => `li.${state}[data-key="${slotKey(slot)}"]`;

/** Resolves when the page shows that it is live. */
async function untilLive(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#connection')?.textContent === 'Live');
}

/** An open dashboard that is live, and a slot that is open there; null without a browser. */
async function openDashboard(
  t: Test,
): Promise<{ pages: Pages; context: Context; page: Page; slot: Slot } | null> {
  const pages = await startPages(t);
  if (pages === null) return null;
  const { context } = pages.service;
  const [slot] = await someOpenSlots(context, 1);
  const page = await openPage(t, pages);
  await page.goto(pages.url);
  await untilLive(page);
  return { pages, context, page, slot: slot! };
}

void t.test('a hold and its expiry change the cell of the slot within seconds', async (t) => {
  const lifetimeSeconds = 8;
  const pages = await startPages(t, { HOLD_LIFETIME_SECONDS: String(lifetimeSeconds) });
  if (pages === null) return;
  const [slot] = await someOpenSlots(pages.service.context, 1);
  const page = await openPage(t, pages);
  const fetched = page.waitForResponse(/\/present$/);
  await page.goto(pages.url);
  await untilLive(page);
  await fetched;
  await page.waitForSelector(`${cell(slot!, 'open')} a`);
  await page.evaluate(() => {
    const source = new EventSource('/api/public/events');
    const events: { open: number; at: number }[] = [];
    source.addEventListener('availability', (event: MessageEvent<string>) => {
      const { total_open } = JSON.parse(event.data) as { total_open: number };
      events.push({ open: total_open, at: performance.timeOrigin + performance.now() });
    });
    Object.assign(window, { events });
  });
  const events = () =>
    page.evaluate(() => (window as unknown as { events: { open: number; at: number }[] }).events);
  await page.waitForFunction(() => (window as unknown as { events: unknown[] }).events.length > 0);
  const openBefore = (await events())[0]!.open;

  await postHold(pages.url, slot!);
  const heldAt = performance.now();
  await page.waitForSelector(cell(slot!, 'held'), { timeout: soonMs });
  t.comment(`the cell showed the hold after ${Math.round(performance.now() - heldAt)} ms`);
  t.equal((await events()).at(-1)?.open, openBefore - 1, 'the stream reports the hold');
  await page.waitForSelector(`${cell(slot!, 'held')} .left`);
  t.match(await page.locator(`${cell(slot!, 'held')} .left`).innerText(), /^0:0\d$/);
  t.equal(await page.locator(`${cell(slot!, 'held')} a`).count(), 0, 'it leads nowhere');
  t.match(await page.locator('#changes li').first().innerText(), /is held/);
  t.match(await page.locator('#news').textContent(), /is held$/, 'screen readers announce it');

  await page.waitForSelector(`${cell(slot!, 'open')} a`);
  const lateMs = performance.now() - heldAt - lifetimeSeconds * 1_000;
  t.ok(lateMs < soonMs, `the expiry showed ${Math.round(lateMs)} ms after its instant`);
  t.equal((await events()).at(-1)?.open, openBefore);
  t.match(await page.locator('#changes li').first().innerText(), /is free again/);
});

void t.test('a confirmed slot is shown as taken, and no other cell is replaced', async (t) => {
  const opened = await openDashboard(t);
  if (opened === null) return;
  const { pages, page, slot } = opened;
  const held = await holdForPerson(pages);
  await page.waitForSelector(`${cell(slot!, 'held')}.counting`);
  await page.evaluate(() => {
    document
      .querySelectorAll('#days li')
      .forEach((each) => each.setAttribute('title', 'untouched'));
  });
  const person = await openPage(t, pages);
  await person.goto(held.url);
  await person.click('button[value=confirm]');
  await page.waitForSelector(cell(slot!, 'taken'), { timeout: 5_000 });
  t.equal(await page.locator('#days .slots > li:not([title=untouched])').count(), 1);
  t.equal(await page.locator('[data-key="figure taken"] dd').innerText(), '1');
});

void t.test('the focus stays on a time that is taken, freed or both meanwhile', async (t) => {
  const opened = await openDashboard(t);
  if (opened === null) return;
  const { pages, context, page, slot } = opened;
  await page.locator(`${cell(slot!, 'open')} a`).focus();
  const { token } = await holdForPerson(pages);
  await page.waitForSelector(`${cell(slot!, 'held')}:focus`);
  await releaseCheckout(context, token, 'pending');
  await page.waitForSelector(`${cell(slot!, 'open')} a:focus`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/book?date=${slot!.date}&time_slot=*`);
});

void t.test(
  'a page whose stream is refused says so, reconnects by itself and is live again',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const page = await openPage(t, pages);
    await page.clock.install();
    let refusal = 503;
    const refuse = '**/api/public/events';
    let attempts = 0;
    await page.route(refuse, (route) => {
      attempts += 1;
      return route.fulfill({ status: refusal, headers: { 'retry-after': '1' } });
    });
    await page.goto(pages.url);
    await page.waitForSelector('body.stale');
    t.match(await page.locator('#connection').innerText(), /Not live yet; trying again/);
    t.equal(await page.locator('#connection').getAttribute('role'), 'status');
    refusal = 429;
    while (attempts < 4) await page.clock.runFor(2_000);
    await page.unroute(refuse);
    const [slot] = await someOpenSlots(context, 1);
    await holdForPerson(pages);
    await page.clock.fastForward(60_000);
    await untilLive(page);
    t.equal(await page.locator('body.stale').count(), 0);
    await page.clock.runFor(2_000);
    await page.waitForSelector(cell(slot!, 'held'));
  },
);

void t.test(
  'a page whose stream is silent is marked as stale, with the time since when',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const page = await openPage(t, pages);
    await page.clock.install();
    await page.goto(pages.url);
    await untilLive(page);
    // The stream stays open without events, as after the loss of the network.
    await page.route('**/api/public/events', (route) => route.abort());
    await page.clock.runFor(41_000);
    await page.waitForSelector('body.stale');
    t.match(
      await page.locator('#connection').innerText(),
      /^Not live since \d+:\d\d\s[AP]M; trying again/,
    );
    await page.unroute('**/api/public/events');
    await page.clock.fastForward(120_000);
    await untilLive(page);
  },
);

void t.test(
  'a page whose refresh is never answered is marked as stale and tries again',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const [slot] = await someOpenSlots(pages.service.context, 1);
    const page = await openPage(t, pages);
    await page.addInitScript(() => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 20);
    });
    const fetched = page.waitForResponse(/\/present$/);
    await page.goto(pages.url);
    await untilLive(page);
    await fetched;
    // The next request never gets a response, as after a change of networks.
    await page.route('**/present', () => undefined, { times: 1 });
    await postHold(pages.url, slot!);
    await page.waitForSelector('body.stale');
    await page.waitForSelector(cell(slot!, 'held'));
    await untilLive(page);
  },
);

void t.test('a hidden page closes its stream, and is up to date again when visible', async (t) => {
  const opened = await openDashboard(t);
  if (opened === null) return;
  const { pages, context, page, slot } = opened;
  t.equal(context.liveStream.viewerCount(), 1);
  const setVisibility = (state: string) =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', {
        value: visibilityState,
        configurable: true,
      });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await setVisibility('hidden');
  while (context.liveStream.viewerCount() > 0) await fetch(`${pages.url}/healthz`);
  await holdForPerson(pages);
  const refreshed = page.waitForResponse('**/present');
  await setVisibility('visible');
  await refreshed;
  await page.waitForSelector(cell(slot!, 'held'));
});

void t.test('an open page reconnects after a restart of the service', async (t) => {
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const { connectionString } = await createTestDatabase(t);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    ...generous,
    DATABASE_URL: connectionString,
    SECRET_KEY: 'a secret that only the tests know, of enough length',
    PORT: String(port),
  };
  const first = await spawnService(t, environment);
  const page = await openPage(t, { browser });
  await page.goto(url);
  await untilLive(page);
  t.equal(await first.end('SIGTERM'), 0);
  await page.waitForSelector('body.stale');
  await spawnService(t, environment);
  await untilLive(page);
  const open = page.locator('#days .slot.open').last();
  const [date, ...time] = (await open.getAttribute('data-key'))!.split(' ');
  const slot = { date: date!, timeSlot: time.join(' ') as Slot['timeSlot'] };
  await postHold(url, slot);
  await page.waitForSelector(cell(slot, 'held'));
});
