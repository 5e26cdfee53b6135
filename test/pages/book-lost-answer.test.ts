import type { LightMyRequestResponse } from 'fastify';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import { correctByStudio } from '../../src/domain/studio/correction.js';
import type { Slot } from '../../src/schedule/slots.js';
import { sha256 } from '../../src/secrets/keyring.js';
import { linkToBook } from '../../src/web/book-link.js';
import { bookForm, postBook, tokenOf } from '../support/book-form.js';
import { everyBooking, fillForm, holdButton, openForm } from '../support/book-pages.js';
import { livingOf } from '../support/bookings.js';
import { launchBrowser } from '../support/browser.js';
import { confirmCheckout } from '../support/checkouts.js';
import { expectGoodLook, openPage } from '../support/pages.js';
import { freePort } from '../support/process.js';
import { startProxy } from '../support/proxy.js';
import { holdRequest, callerNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService, type TestService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const port = await freePort();
const proxy = await startProxy(t, port);
const service = await startService(t, {
  ...generous,
  PORT: String(port),
  PUBLIC_BASE_URL: `http://127.0.0.1:${proxy.port}`,
});
const { context } = service;
const url = context.config.publicBaseUrl;
const holding = 'You are holding a time';
const idea = 'a night heron on the left forearm';

/** Sends the form of a slot; the browser shows that nothing was answered. */
async function holdUnanswered(page: Page, slot: Slot): Promise<void> {
  await openForm(page, url, slot);
  await fillForm(page, { idea });
  proxy.loseAnswersTo('POST /book ');
  await page.click(holdButton);
  await page.waitForURL(/^chrome-error:/);
  proxy.restore();
}

async function expectOwn(t: Test, page: Page, { timeSlot }: Slot): Promise<void> {
  t.match(
    await page.locator('.own-hold').innerText(),
    new RegExp(`${holding}[^]*${timeSlot.slice(0, -3)}\\s`),
  );
  t.equal(await page.locator('.own-hold a').innerText(), 'Go on and confirm');
  t.equal(await page.locator('.trouble').count(), 0, 'nobody else has taken it');
}

for (const [kind, javaScriptEnabled] of [
  ['whole', true],
  [true, false],
] as const) {
  const how = javaScriptEnabled ? 'with the back-forward cache' : 'without script';
  t.test(`where the answer to a form is lost, its hold is one’s own, ${how}`, async (t) => {
    const browser = await launchBrowser(t, kind);
    if (browser === null) return;
    const page = await openPage(t, { browser }, { javaScriptEnabled });
    const [slot, other] = await someOpenSlots(context, 2);
    await holdUnanswered(page, slot);
    t.strictSame(await livingOf(context, slot), ['pending']);
    await page.goBack();
    await expectOwn(t, page, slot);
    await page.goto(`${url}/book`);
    await expectOwn(t, page, slot);
    if (javaScriptEnabled) await expectGoodLook(t, page, 'a hold of one’s own');

    const stranger = await openPage(t, { browser }, { javaScriptEnabled });
    await stranger.goto(url + linkToBook(slot));
    t.match(await stranger.locator('main').innerText(), 'is no longer free');
    t.equal(await stranger.locator('.own-hold').count(), 0);

    // It is the newest that is one's own: the answer to the first one has arrived by now.
    await holdUnanswered(page, other);
    await page.goBack();
    await expectOwn(t, page, other);
    await page.goto(url + linkToBook(slot));
    await expectOwn(t, page, slot);
    await page.click('.own-hold a');
    await page.waitForSelector('body.pending');
    await page.goto(`${url}/book`);
    await page.click('.own-hold button[value=release]');
    t.strictSame(await livingOf(context, other), []);
    await expectOwn(t, page, slot);
    await page.click('.own-hold button[value=release]');
    t.equal(await page.locator('.own-hold').count(), 0);

    const before = (await everyBooking(context)).length;
    await holdUnanswered(page, slot);
    await page.reload();
    await page.waitForSelector('body.pending');
    const bookings = await everyBooking(context);
    t.equal(bookings.length, before + 1, 'the form that is sent again holds nothing more');
    t.match(bookings.at(-1), { idea });
    await page.click('button[value=release]');
  });
}

const nonceOf = (html: string) => /name="nonce" value="([\w-]{36})"/.exec(html)?.[1] ?? 'none';
const cookiesOf = ({ cookies }: LightMyRequestResponse) =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
const open = (of: Pick<TestService, 'app'>, path: string, headers: Record<string, string> = {}) =>
  of.app.inject({ url: path, headers: { accept: 'text/html', ...headers } });

t.test('a form is remembered in the whole window alone, for a day, below /book', async (t) => {
  const secure = await startService(t, { ...generous, PUBLIC_BASE_URL: 'https://studio.test' });
  const [slot] = await someOpenSlots(context, 1);
  const form = linkToBook(slot);
  const answer = await open(secure, form, { 'sec-fetch-dest': 'document' });
  const nonce = nonceOf(answer.body);
  const attributes = { path: '/book', maxAge: 86_400, httpOnly: true, secure: true } as const;
  const name = `form-${nonce.slice(0, 8)}`;
  t.same(answer.cookies, [{ name, value: nonce, ...attributes, sameSite: 'Lax' }]);
  t.equal(answer.headers['cache-control'], 'no-store');
  const mistaken = await postBook(secure, { ...bookForm(slot), nonce, name: '' });
  t.equal(cookiesOf(mistaken), `${name}=${nonce}`, 'a form of a frame that has mistakes');

  const EMBED_ORIGINS = 'https://studio.example';
  const framable = await startService(t, { ...generous, EMBED_ORIGINS });
  for (const [of, destination, isSet] of [
    [framable, 'document', true],
    [framable, 'iframe', false],
    [framable, 'frame', false],
    [framable, 'empty', false],
    [framable, undefined, false],
    [secure, 'iframe', false],
    [secure, undefined, true],
  ] as const) {
    const headers = destination && { 'sec-fetch-dest': destination };
    const { cookies } = await open(of, form, headers);
    const { publicBaseUrl, embedOrigins } = of.context.config;
    t.equal(cookies.length, isSet ? 1 : 0, `${publicBaseUrl} in ${embedOrigins} ${destination}`);
  }
  for (const path of ['/book', '/book?date=x']) {
    t.equal((await open(secure, path)).cookies.length, 0, path);
  }
});

t.test('of the forms that are open, the last five are known', async (t) => {
  const slots = await someOpenSlots(context, 8);
  const person = visitor(service);
  const nonces: string[] = [];
  for (const slot of slots.slice(0, 6)) {
    await person.open(linkToBook(slot));
    nonces.push(nonceOf(person.answer.body));
  }
  t.strictSame([...person.cookies.values()], nonces.slice(1));
  // Two that were opened at once, each without the other's cookie.
  const cookie = [...person.cookies].map((each) => each.join('=')).join('; ');
  const both = await Promise.all([1, 2].map(() => open(service, linkToBook(slots[7]), { cookie })));
  for (const answer of both) {
    const { name, value } = answer.cookies.at(-1)!;
    t.match(answer.cookies[0], { name: `form-${nonces[1]!.slice(0, 8)}`, value: '', maxAge: 0 });
    person.cookies.set(name, value);
  }
  const kept = [...nonces.slice(3), ...both.map(({ body }) => nonceOf(body))];
  for (const [index, nonce] of [...nonces.slice(0, 3), ...kept].entries()) {
    const token = tokenOf(await postBook(service, { ...bookForm(slots[index]!), nonce }));
    const isKnown = kept.includes(nonce);
    await person.open('/book');
    t.equal(person.answer.body.includes(`/checkout/${token}`), isKnown, `form ${index}`);
    t.equal(person.cookies.get('hold'), isKnown ? token : undefined);
    person.cookies.delete('hold');
  }
});

t.test(
  'what is booked by a form is one’s own in its slot alone, and nothing is held',
  async (t) => {
    const [slot, other] = await someOpenSlots(context, 2);
    const form = bookForm(slot);
    const token = tokenOf(await postBook(service, form));
    await confirmCheckout(context, token);
    const cookie = `form-00000000=${String(form['nonce'])}`;
    const shown = await open(service, linkToBook(slot), { cookie });
    t.match(shown, { statusCode: 200, body: 'You have booked this time' });
    t.match(shown.body, `/checkout/${token}`);
    t.notMatch(shown.body, 'is no longer free');
    t.strictSame(shown.cookies, [], 'it is not remembered as a hold');
    for (const path of ['/book', linkToBook(other)]) {
      t.notMatch((await open(service, path, { cookie })).body, token, path);
    }
    t.match(await open(service, linkToBook(slot)), { statusCode: 409, body: 'is no longer free' });
    for (const action of ['hold', 'replace']) {
      const again = { ...form, action, idea: 'one more' };
      const posted = await postBook(service, again, { headers: { cookie } });
      t.match(posted, { statusCode: 409, body: 'You have booked this time' });
      t.match(posted.body, 'type="radio"');
      t.notMatch(posted.body, 'value="replace"');
    }
    t.strictSame(await livingOf(context, slot), ['confirmed']);
  },
);

t.test('a nonce finds nothing but a live hold of the form that had it', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const form = bookForm(slot);
  const nonce = String(form['nonce']);
  const token = tokenOf(await postBook(service, form));
  await placeHold(context, callerNumber(2), holdRequest(other), nonce);
  const isOwn = async (cookie: string) => {
    const { body, cookies } = await open(service, '/book', { cookie });
    return body.includes(holding) && cookies.some(({ value }) => value === token);
  };
  t.ok(await isOwn(`form-00000000=${nonce}`));
  const stored = (await everyBooking(context)).map(({ form_nonce_hash: hash }) => hash);
  t.strictSame(stored.slice(-2), [sha256(nonce), null], 'only a form has one');
  for (const cookie of [
    `form-00000000=${crypto.randomUUID()}`,
    `form-00000000=${sha256(nonce).toString('hex')}`,
    `form-00000000=`,
    `form-00000000=%E0%A4%A`,
    `form-0000000=${nonce}`,
    `form-${nonce}=${nonce}`,
    `nonce=${nonce}`,
    `hold=${nonce}`,
  ]) {
    t.notOk(await isOwn(cookie), cookie);
  }
  const cookie = `form-00000000=${nonce}`;
  const corrected = { ...form, idea: 'a smaller one' };
  const post = (fields: typeof form) => postBook(service, fields, { headers: { cookie } });
  const told = await post(corrected);
  t.match(told, { statusCode: 409, body: 'You already hold this time' });
  const replaced = await post({ ...corrected, action: 'replace' });
  t.equal(replaced.statusCode, 303);
  t.match(await livingOf(context, slot), ['pending']);
  t.notOk(await isOwn(cookie), 'the former is let go');
  const { body } = await open(service, linkToBook(slot), { cookie });
  t.match(body, `/checkout/${tokenOf(replaced)}`, 'and the corrected one is shown');
  const { id } = (await everyBooking(context)).at(-1)!;
  await correctByStudio(context, 'test', id, { email: 'grace@example.com' });
  const after = await open(service, '/book', { cookie });
  t.notMatch(after.body, holding, 'nor for who does not read the mail of its new address');
});
