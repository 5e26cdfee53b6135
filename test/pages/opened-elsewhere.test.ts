import { randomUUID } from 'node:crypto';
import { load } from 'cheerio';
import t from 'tap';
import { recordPublicBaseUrl } from '../../src/repositories/installation.js';
import { bookForm, postBook } from '../support/book-form.js';
import { holdInBrowser, pressAndWait } from '../support/book-pages.js';
import { launchBrowser } from '../support/browser.js';
import { consoleLink, signIn } from '../support/console.js';
import { openPage } from '../support/pages.js';
import { addAuthenticator, addPasskey } from '../support/passkeys.js';
import { freePort } from '../support/process.js';
import { someOpenSlots } from '../support/requests.js';
import { proxyMissing, startReverseProxy } from '../support/reverse-proxies.js';
import { originMismatch } from '../support/service-log.js';
import { generous, startService, type TestService } from '../support/service.js';
import { studioOn } from '../support/studio.js';

const skip = proxyMissing('nginx');

async function statuses({ context: { database } }: TestService): Promise<string[]> {
  const rows = await database.selectFrom('bookings').select('status').execute();
  return rows.map(({ status }) => status);
}

t.test(
  'behind nginx that sets no-referrer, forms that post `Origin: null` work',
  { skip },
  async (t) => {
    const browser = await launchBrowser(t);
    if (browser === null) return;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = await startService(t, { ...generous, PUBLIC_BASE_URL: url });
    const settings = 'add_header Referrer-Policy no-referrer always;';
    await startReverseProxy(t, 'nginx', { target: service.url, port, settings });
    const page = await openPage(t, { browser });
    const posted: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.allHeaders());
    });

    const [slot] = await someOpenSlots(service.context, 1);
    await holdInBrowser(page, url, slot!);
    await pressAndWait(page, 'button[value=confirm]');
    t.strictSame(await statuses(service), ['confirmed']);

    await page.goto(await consoleLink(service));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out all the same' }).click();
    await page.getByText('studio console link').waitFor();
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    t.match(await Promise.all(posted), Array(4).fill(headers));
  },
);

t.test('an address that is not PUBLIC_BASE_URL is named by page, log and doctor', async (t) => {
  const service = await startService(t);
  service.expectLog(originMismatch);
  const url = 'http://127.0.0.1:9999';
  const own = 'http://studio.test';
  const doctor = async (publicBaseUrl: string) => {
    const set = { PUBLIC_BASE_URL: publicBaseUrl };
    const report = await studioOn(service.context, set)('doctor', '--json');
    const { checks } = report.json<{ checks: { check: string }[] }>();
    return checks.find(({ check }) => check === 'address');
  };
  t.match(await doctor(own), { status: 'ok' });
  const [slot] = await someOpenSlots(service.context, 1);
  // As a browser does that has opened the form there.
  const headers = { origin: url, 'sec-fetch-site': 'same-origin' };
  const send = () => postBook(service, bookForm(slot!), { headers });
  for (const page of [await send(), await send()]) {
    const text = load(page.body)('main').text();
    t.match(text, `This page was not opened at the studio’s own address, ${own}, and`);
    t.match(text, 'set PUBLIC_BASE_URL to the address');
  }
  t.strictSame(await statuses(service), []);

  const lines = () => service.logLines.filter((line) => originMismatch.test(line));
  t.match(
    lines().map((line) => JSON.parse(line) as object),
    [{ level: 'warn', origin: url, public_base_url: own }],
  );
  const message = `was opened at ${url}, not at ${own}. If that address is yours, set PUBLIC_BASE_URL`;
  t.match(await doctor(own), { status: 'warning', message });
  await recordPublicBaseUrl(service.context.database, url);
  t.match(await doctor(url), { status: 'ok' }, 'once the service has started with it');
  await recordPublicBaseUrl(service.context.database, own);
  await service.shiftClock(3_601_000);
  await send();
  t.equal(lines().length, 2, 'an hour later');
  await service.shiftClock(90_100_000);
  t.match(await doctor(own), { status: 'ok' }, 'a day later');

  const signedIn = await signIn(service);
  const refused = await signedIn.post('/console/sign-out', {}, { origin: url });
  t.match(refused, { statusCode: 403, body: 'open at an address other than PUBLIC_BASE_URL' });
});

t.test('a local start works as localhost, with passkeys, and as 127.0.0.1', async (t) => {
  const service = await startService(t, generous, { browser: true });
  if (service === null) return;
  const { url } = service;
  for (const opened of [url, url.replace('127.0.0.1', 'localhost')]) {
    const page = await openPage(t, service);
    const [slot] = await someOpenSlots(service.context, 1);
    await holdInBrowser(page, opened, slot!);
    await pressAndWait(page, 'button[value=confirm]');
    await page.goto((await consoleLink(service)).replace(url, opened));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${opened}/console`);
    const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
    if (opened === url) {
      await signOut.click();
      await page.getByRole('button', { name: 'Sign out all the same' }).waitFor();
      continue;
    }
    await addAuthenticator(page);
    await addPasskey(page);
    await signOut.click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await signOut.waitFor();
  }
  t.strictSame(await statuses(service), ['confirmed', 'confirmed']);
});

t.test('only a local start has two names, and the browser must name one', async (t) => {
  const local = { ...generous, PUBLIC_BASE_URL: 'http://localhost:1' };
  const service = await startService(t, local);
  const foreign = await startService(t, { ...local, HOST: '0.0.0.0' });
  for (const each of [service, foreign]) each.expectLog(originMismatch);
  const [slot] = await someOpenSlots(service.context, 1);
  const release = bookForm(slot!, { action: 'release', hold: randomUUID() });
  const same = { 'sec-fetch-site': 'same-origin' };
  const cases: [TestService, Record<string, string>, number][] = [
    [service, { origin: 'http://localhost:1' }, 303],
    [service, { origin: 'http://127.0.0.1:1', ...same }, 303],
    [service, { origin: 'null', ...same }, 303],
    [service, { origin: 'null' }, 403],
    [service, { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    [service, { origin: 'http://127.0.0.1:2', ...same }, 403],
    [service, { origin: 'https://127.0.0.1:1', ...same }, 403],
    [service, { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'cross-site' }, 403],
    [service, { origin: 'https://evil.example', ...same }, 403],
    [service, { origin: 'chrome-extension://evil', ...same }, 403],
    [foreign, { origin: 'http://127.0.0.1:1', ...same }, 403],
  ];
  for (const [at, headers, status] of cases) {
    const answer = await postBook(at, release, { headers });
    t.equal(answer.statusCode, status, JSON.stringify(headers));
  }
});
