import t from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { linkToBook } from '../../src/pages/book-link.js';
import { holdForPerson, loadCost, openPage, startPages } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';

const markup = `"'><script>alert(1)</script><img src=x onerror=alert(2)></title><b>&amp;${'`'}`;
const bidirectional = '\u202E\u2067gnihtyna\u200F';
const long = (text: string, length: number): string => text.repeat(length).slice(0, length);

void t.test(
  'hostile text in every field is shown as text and does not break the layout',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const held = await holdForPerson(pages, {
      name: long(markup + bidirectional, 120),
      pronouns: long(markup, 40),
      idea: long(bidirectional + markup, 2_000),
    });
    await context.database
      .updateTable('bookings')
      .set({ email: `${markup}${bidirectional}@${markup}` })
      .where('id', '=', held.id)
      .execute();
    const hostile = long(`${markup}${bidirectional}`, 2_000);
    await context.database
      .updateTable('studio')
      .set({
        name: hostile,
        description: hostile,
        street: hostile,
        city: hostile,
        region: hostile,
        postal_code: hostile,
        country: hostile,
        email: hostile,
        phone: hostile,
        website: `javascript:alert("${hostile}")`,
        notices: JSON.stringify([{ title: hostile, text: hostile }]),
      })
      .execute();
    await context.board.refresh();

    const page = await openPage(t, pages, { viewport: { width: 390, height: 800 } });
    const shown = { pending: held.url, confirmed: held.url, 'the open times': `${held.url}/move` };
    for (const [state, url] of Object.entries(shown)) {
      if (state === 'confirmed') await confirmCheckout(context, held.token);
      await page.goto(url);
      t.equal(await page.locator('body > .page').count(), 1, `${state}: the page is complete`);
      t.equal(await page.locator('img, b:not(#digits b), script:not([src])').count(), 0, state);
      const text = await page.locator('main').textContent();
      t.ok(text?.includes(hostile), `${state}: the studio's words are shown unchanged`);
      t.ok(text?.includes(markup), `${state}: the address is shown unchanged`);
      t.ok((await page.title()).includes('<script>'), `${state}: the title too`);
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
      t.notOk(links.includes('javascript:'), `${state}: no link runs a script`);
      t.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
        `${state}: no wider than the screen`,
      );
    }
  },
);

void t.test('no page has inline scripts or styles, and no policy allows them', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { url } = await holdForPerson(pages);
  const page = await openPage(t, pages);
  for (const address of [url, `${url}/move`, `${pages.url}/checkout/unknown`, pages.url]) {
    const answer = await page.goto(address);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    t.match(policy, "default-src 'none'");
    t.notMatch(policy, /unsafe-|\*/);
    const html = (await answer?.text()) ?? '';
    t.notMatch(
      html,
      /<script(?![^>]* src=|(?: type="application\/ld\+json")>)|<style|\sstyle=|\son[a-z]+=/i,
    );
  }
});

void t.test(
  'open times, form and checkout page each load under 50 kB in three requests to their own origin',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { url: checkout } = await holdForPerson(pages);
    const [slot] = await someOpenSlots(pages.service.context, 1);
    for (const url of [`${pages.url}/book`, `${pages.url}${linkToBook(slot!)}`, checkout]) {
      const { requests, bytes } = await loadCost(await openPage(t, pages), url);
      t.equal(requests.length, 3, requests.join(' '));
      t.ok(requests.every((each) => each.startsWith(`${pages.url}/`)));
      t.ok(bytes > 1_000 && bytes < 50_000, `${bytes} bytes`);
    }
  },
);

void t.test('assets are compressed as the browser accepts and cached permanently', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { app } = pages.service;
  const { url } = await holdForPerson(pages);
  const path = new URL(url).pathname;
  const html = (await app.inject(path)).body;
  const [style] = /\/assets\/page-[\w-]+\.css/.exec(html) ?? [];
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
    ['br;q=0', undefined],
    [undefined, undefined],
  ]) {
    for (const address of [style!, path]) {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const answer = await app.inject({ url: address, headers });
      t.equal(answer.statusCode, 200);
      t.equal(answer.headers['content-encoding'], encoding, `${address} for ${accepted}`);
      t.match(answer.headers.vary, /accept-encoding/i);
    }
  }
  const asset = await app.inject(style!);
  t.match(asset.headers, {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': /text\/css/,
    'x-content-type-options': 'nosniff',
  });
});
