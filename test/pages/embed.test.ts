import type { Frame } from 'playwright-core';
import t from 'tap';
import { loadConfig } from '../../src/config/config.js';
import { pagesPerMinute } from '../../src/config/limits.js';
import { linkToBook } from '../../src/web/book-link.js';
import { postBook } from '../support/book-form.js';
import { everyBooking, fillForm } from '../support/book-pages.js';
import { holdForPerson } from '../support/holds.js';
import { openPage } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import { originMismatch } from '../support/service-log.js';
import { generous, startService } from '../support/service.js';
import {
  embeddedTests,
  frameOf,
  openWebsite,
  waitUntilFits,
  websitePage,
} from '../support/website.js';

const frameTest = await embeddedTests(t);

/** Clicks in the frame once it fits: what moves under the pointer is not clicked. */
async function pressIn(frame: Frame, selector: string): Promise<void> {
  await waitUntilFits(frame);
  await frame.click(selector);
}

frameTest(
  'in a frame, where its cookies are blocked, a person makes one hold',
  async (t, pages) => {
    const { website, context, url } = pages;
    website.show('/cookie', ({ headers }) => ({
      body: headers.cookie ?? 'none',
      headers: { 'set-cookie': 'seen=1; SameSite=None; Secure' },
    }));
    const foreign = `${website.originAtService}/cookie`;
    website.show('/framed', () => ({ body: `<iframe src="${foreign}"></iframe>` }));
    const page = await openPage(t, pages, { viewport: { width: 390, height: 800 } });
    await page.goto(foreign);
    await page.reload();
    t.equal(await page.textContent('body'), 'seen=1', 'the browser keeps the cookie');
    await page.goto(`${website.origin}/framed`);
    const framed = page.frameLocator('iframe').locator('body');
    // Each context of the browser is a private window, which blocks the cookies of other sites' frames.
    t.equal(await framed.textContent(), 'none', 'but sends none from a frame');

    await page.goto(website.origin);
    const frame = await frameOf(page);
    const form = page.waitForResponse((each) => each.url().startsWith(`${url}/book?date=`));
    await pressIn(frame, 'a.time');
    await frame.waitForSelector('form.person');
    t.equal(await (await form).headerValue('set-cookie'), null, 'no cookie is set');
    t.equal(page.url(), `${website.origin}/`, 'the form is in the frame');
    await fillForm(frame);
    await waitUntilFits(frame);
    await frame.dblclick('button[value=hold]');
    await page.waitForSelector('body.pending');
    t.match(page.url(), `${url}/checkout/`, 'the window is the checkout page');
    t.equal(page.frames().length, 1, 'which is in no frame');
    const bookings = await everyBooking(context);
    t.match(bookings, [{ status: 'pending', email: 'ada@example.com' }]);
    t.equal(bookings.length, 1);
    await page.goto(`${url}/book`);
    t.ok(await page.isVisible('#own-hold'), 'the whole window knows the hold as its own');
  },
);

frameTest('a mistake in the form of a frame is shown in the whole window', async (t, pages) => {
  const page = await openWebsite(t, pages);
  const frame = await frameOf(page);
  await pressIn(frame, 'a.time');
  await frame.waitForSelector('form.person');
  await fillForm(frame, { email: 'ada' });
  await pressIn(frame, 'button[value=hold]');
  await page.waitForSelector('#email-mistake');
  t.equal(page.url(), `${pages.url}/book`);
  t.equal(await page.inputValue('[name=name]'), 'Ada Park');
});

frameTest('links to /book stay in the frame, all others leave it', async (t, pages) => {
  const page = await openWebsite(t, pages);
  const frame = await frameOf(page);
  const targets = () =>
    frame.$$eval('a[href]', (links) =>
      (links as HTMLAnchorElement[]).map(({ protocol, pathname, target }) => ({
        isFramable: /^https?:$/.test(protocol) && pathname === '/book',
        target: target || document.querySelector('base')?.target,
      })),
    );
  for (const stop of ['a.time', 'a.button', null]) {
    for (const { isFramable, target } of await targets()) {
      t.equal(target, isFramable ? '_self' : '_top');
    }
    if (stop === null) break;
    await pressIn(frame, stop);
    await frame.waitForSelector(stop === 'a.time' ? 'form.person' : '.open-times');
  }
  const website = page.url();
  await pressIn(frame, 'a[href^="mailto:"] >> nth=0');
  t.equal(page.url(), website, 'a mail leaves the website as it is');
  t.ok(await frame.isVisible('.open-times'));
  await pressIn(frame, 'a[href="/guide"]');
  await page.waitForURL(`${pages.url}/guide`);
});

frameTest('an unlisted website cannot frame /book, and nobody the checkout', async (t, pages) => {
  const { website, url, browser } = pages;
  const { url: checkout } = await holdForPerson(pages);
  website.show('/checkout', () => ({ body: websitePage(`<iframe src="${checkout}"></iframe>`) }));
  const posting = `<form method="post" action="${url}/book" target="f"><input name="action" value="hold"></form>
    <iframe name="f"></iframe><script>document.forms[0].submit()</script>`;
  website.show('/post', () => ({ body: websitePage(posting) }));
  const { origin, originAtService } = website;
  for (const address of [`${originAtService}/`, `${origin}/checkout`, `${origin}/post`]) {
    const page = await browser.newPage();
    const refused = page.waitForEvent('console', (each) => /frame-ancestors/.test(each.text()));
    await page.goto(address);
    await refused;
    const frame = page.frames().find((each) => each !== page.mainFrame())!;
    await frame.waitForURL(/^chrome-error:/);
    t.pass(address);
    await page.close();
  }
});

t.test('only GET /book may be framed, and only where websites are listed', async (t) => {
  const listed = 'https://studio.example http://localhost:8080';
  const EMBED_ORIGINS = listed.replace(' ', ',');
  const embedded = await startService(t, { ...generous, EMBED_ORIGINS });
  embedded.expectLog(originMismatch);
  const alone = await startService(t);
  const headers = { accept: 'text/html' };
  const refusesFrames = {
    'x-frame-options': 'DENY',
    'content-security-policy': /; frame-ancestors 'none'$/,
  };
  const [slot] = await someOpenSlots(embedded.context, 1);
  for (const url of ['/book', '/book?from=2030-01-01', linkToBook(slot), '/book?date=1']) {
    const framable = await embedded.app.inject({ url, headers });
    t.notOk('x-frame-options' in framable.headers, url);
    const policy = String(framable.headers['content-security-policy']);
    t.ok(policy.endsWith(`; frame-ancestors 'self' ${listed}`), policy);
    const answer = await alone.app.inject({ url, headers });
    t.match(answer.headers, refusesFrames, `${url} with no website listed`);
  }
  const { token } = await holdForPerson(embedded);
  for (const url of ['/', `/checkout/${token}`, `/checkout/${token}/move`, '/checkout/unknown']) {
    t.match((await embedded.app.inject({ url, headers })).headers, refusesFrames, url);
  }
  for (const [origin, status] of [
    ['http://studio.test', 400],
    ['https://studio.example', 403],
  ] as const) {
    const answer = await postBook(embedded, { action: 'hold' }, { headers: { origin } });
    t.equal(answer.statusCode, status);
    t.match(answer.headers, refusesFrames, `a form from ${origin}`);
  }
});

t.test('an error in a frame is shown there, with links that leave it', async (t) => {
  const origin = 'https://studio.example';
  const { app } = await startService(t, { ...generous, EMBED_ORIGINS: origin });
  for (let count = 0; count < pagesPerMinute; count += 1) await app.inject('/checkout/unknown');
  const headers = { accept: 'text/html' };
  const answer = await app.inject({ url: '/book', headers });
  t.equal(answer.statusCode, 429);
  t.notOk('x-frame-options' in answer.headers);
  t.ok(answer.headers['content-security-policy']?.toString().endsWith(`'self' ${origin}`));
  t.match(answer.body, '<base target="_top"');
  t.match(answer.body, '/assets/book-');
  const elsewhere = await app.inject({ url: '/checkout/unknown', headers });
  t.equal(elsewhere.statusCode, 429);
  t.equal(elsewhere.headers['x-frame-options'], 'DENY');
  t.match(elsewhere.headers['content-security-policy'], /; frame-ancestors 'none'$/);
  t.notMatch(elsewhere.body, '<base');
});

t.test('/embed.js is at most 2 kB, and any website may load and cache it', async (t) => {
  const { app } = await startService(t);
  const { statusCode, headers, rawPayload } = await app.inject('/embed.js');
  t.equal(statusCode, 200);
  t.ok(rawPayload.length <= 2_000, `${rawPayload.length} bytes`);
  const cacheable = {
    'cache-control': 'public, max-age=3600',
    'cross-origin-resource-policy': 'cross-origin',
  };
  const type = { 'content-type': 'text/javascript; charset=utf-8' };
  t.match(headers, { ...cacheable, ...type, 'x-content-type-options': 'nosniff' });
  t.notOk('set-cookie' in headers);
  const condition = { 'if-none-match': headers.etag as string };
  const again = await app.inject({ url: '/embed.js', headers: condition });
  t.equal(again.statusCode, 304);
  t.match(again.headers, cacheable);
});

t.test('what is no origin of a website is refused at the start', async (t) => {
  const load = (text: string) => () => loadConfig({ EMBED_ORIGINS: text });
  const listed = ['https://studio.example', 'http://localhost:8080'];
  t.strictSame(load(listed.join(', '))().embedOrigins, listed);
  for (const wrong of [
    'studio.example',
    ...['/', '/book', ':443', ' https://other.example', ';script-src'].map(
      (end) => listed[0] + end,
    ),
    ...['https://Studio.example', 'https://*.studio.example', 'ftp://studio.example'],
    ...['null', '*', "'self'"],
  ]) {
    const message = `EMBED_ORIGINS must list origins such as https://app.example.com; "${wrong}" is none.`;
    t.throws(load(`https://first.example,${wrong}`), { name: 'ConfigError', message }, wrong);
  }
});
