import { createTransport, type SendMailOptions } from 'nodemailer';
import t, { type Test } from 'tap';
import { startMailbox } from '../../scripts/demo/mailbox.js';
import { launchBrowser } from '../support/browser.js';
import { accessibilityViolations, openPage } from '../support/pages.js';

async function start(t: Test) {
  const mailbox = await startMailbox();
  t.teardown(() => mailbox.stop());
  const { hostname: host, port } = new URL(mailbox.smtpUrl);
  const transport = createTransport({ host, port: Number(port), pool: true, maxConnections: 1 });
  t.teardown(() => transport.close());
  const send = (mail: SendMailOptions) =>
    transport.sendMail({
      from: { name: 'Night Heron', address: 'booking@nightheron.example' },
      to: { name: 'Ada Park', address: 'ada@example.com' },
      ...mail,
    });
  return { url: mailbox.url, send };
}

void t.test(
  'a mail is shown with its HTML, plain text and calendar part, newest first',
  async (t) => {
    const { url, send } = await start(t);
    const empty = await (await fetch(url)).text();
    t.match(empty, /Nothing has arrived yet/);
    for (const [, href] of empty.matchAll(/rel="stylesheet" href="([^"]+)"/g)) {
      t.equal((await fetch(url + href)).status, 200, 'styled');
    }
    await send({
      subject: 'Your session is confirmed',
      html: '<!doctype html><html><head><title>x</title></head><body><p>See <a href="http://127.0.0.1:1/checkout/x">your booking</a>.</p></body></html>',
      text: 'See http://127.0.0.1:1/checkout/x',
      alternatives: [
        {
          contentType: 'text/calendar; charset=utf-8; method=REQUEST',
          content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n',
        },
      ],
    });
    await send({ subject: 'Booked', to: 'hello@nightheron.example', text: 'Who: Ada' });
    const list = await (await fetch(url)).text();
    t.match(list, /Booked.*hello@nightheron.*Your session.*Ada Park/s);
    const first = await (await fetch(`${url}/mails/1`)).text();
    t.match(first, /<iframe[^>]* srcdoc="[^"]*your booking/);
    t.match(first, /See http:\/\/127\.0\.0\.1:1\/checkout\/x\s*<\/pre>/);
    t.match(first, 'METHOD:REQUEST');
    const second = await (await fetch(`${url}/mails/2`)).text();
    t.notMatch(second, '<iframe');
    t.match(second, /<details open>.*Who: Ada/s);
  },
);

void t.test('only the last 200 mails are kept', async (t) => {
  const { url, send } = await start(t);
  for (let number = 1; number <= 201; number += 1) await send({ subject: `mail ${number}.` });
  const list = await (await fetch(url)).text();
  t.equal(list.match(/href="\/mails\//g)?.length, 200);
  t.match(list, 'mail 201.');
  t.notMatch(list, 'mail 1.');
  t.equal((await fetch(`${url}/mails/1`, { redirect: 'manual' })).status, 302);
});

void t.test('a hostile mail runs nothing and loads nothing', async (t) => {
  const { url, send } = await start(t);
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const hostile = `"><script>alert(1)</script><img src="http://evil.example/x" onerror="alert(2)">`;
  await send({
    subject: hostile,
    to: { name: hostile, address: 'ada@example.com' },
    html: `<html><head></head><body>${hostile}<p id="shown">text</p></body></html>`,
    text: hostile,
  });
  const page = await openPage(t, { browser }).then((opened) => {
    // The policy is what stops it, and says so.
    opened.removeAllListeners('console');
    return opened;
  });
  const requested: string[] = [];
  page.on('requestfinished', (request) => requested.push(request.url()));
  await page.goto(`${url}/mails/1`);
  await page.frameLocator('iframe').locator('#shown').waitFor();
  t.equal(await page.locator('h1').innerText(), hostile);
  t.equal(await page.locator('script, img').count(), 0);
  t.ok(requested.every((address) => /^(http:\/\/127\.0\.0\.1|about:|data:)/.test(address)));
});

void t.test('the page has no accessibility violations, and fits a phone', async (t) => {
  const { url, send } = await start(t);
  const browser = await launchBrowser(t);
  if (browser === null) return;
  for (const subject of ['Your session is confirmed', 'Your session has moved']) {
    await send({
      subject,
      html: '<html lang="en"><head><title>x</title></head><p>Hello</p>',
      text: 'Hello',
    });
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPage(
      t,
      { browser },
      { viewport: { width: 390, height: 844 }, colorScheme, reducedMotion: 'reduce' },
    );
    await page.goto(url);
    t.strictSame(await accessibilityViolations(page), []);
    for (const address of [url, `${url}/mails/2`]) {
      await page.goto(address);
      t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    }
  }
});
