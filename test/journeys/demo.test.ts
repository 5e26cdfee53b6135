import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { createTransport, type SendMailOptions } from 'nodemailer';
import t, { type Test } from 'tap';
import { startMailbox } from '../../scripts/demo/mailbox.js';
import { launchBrowser } from '../support/browser.js';
import { until } from '../support/embedded.js';
import { openLiveStream } from '../support/live-stream.js';
import { accessibilityViolations, openPage } from '../support/pages.js';
import { compiledFile } from '../support/project.js';

const leftovers = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('tattoo-studio-demo-')).sort();

void t.test(
  'the demo fills a week, changes by itself, and leaves no data at a Ctrl-C that arrives twice, as through npm',
  async (t) => {
    const before = await leftovers();
    const demo = spawn(process.execPath, [compiledFile('scripts/demo.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => demo.kill('SIGKILL'));
    const ended = once(demo, 'exit');
    let url = '';
    const lines = createInterface({ input: demo.stdout });
    await new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        url ||= /http:[^\s/]*\/\/[^\s/]+/.exec(line)?.[0] ?? '';
        if (line.includes('Ctrl-C ends the demo')) resolve();
      });
    });
    // A busy machine sheds requests.
    await until(async () => (await fetch(url)).status === 200);
    const viewing = await openLiveStream(t, url);
    const isUnderWay = await viewing.next(
      ({ event, data }) =>
        event === 'pulse' && data.pending_holds > 0 && data.confirmed_upcoming > 10,
    );
    t.ok(isUnderWay, 'a week is booked, and a time is held');
    demo.kill('SIGINT');
    const isServed = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => !(await isServed()));
    demo.kill('SIGINT');
    t.strictSame(await ended, [0, null]);
    t.strictSame(await leftovers(), before);
  },
);

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
  const read = async (path = '') => (await fetch(mailbox.url + path)).text();
  return { url: mailbox.url, send, read };
}

void t.test(
  'a mail is shown with its HTML, plain text and calendar part, newest first',
  async (t) => {
    const { url, send, read } = await start(t);
    const empty = await read();
    t.match(empty, 'Nothing has arrived yet');
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
    t.match(await read(), /Booked.*hello@nightheron.*Your session.*Ada Park/s);
    const first = await read('/mails/1');
    t.match(first, /<iframe[^>]* srcdoc="[^"]*your booking/);
    t.match(first, /See http:\/\/127\.0\.0\.1:1\/checkout\/x\s*<\/pre>/);
    t.match(first, 'METHOD:REQUEST');
    const second = await read('/mails/2');
    t.notMatch(second, '<iframe');
    t.match(second, /<details open>.*Who: Ada/s);
  },
);

void t.test(
  'a hostile mail runs and loads nothing; every page is accessible and fits a phone',
  async (t) => {
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
    const html = '<html lang="en"><head><title>x</title></head><p>Hello</p>';
    await send({ subject: 'Your session has moved', html, text: 'Hello' });
    for (const colorScheme of ['light', 'dark'] as const) {
      const viewport = { width: 390, height: 844 };
      const page = await openPage(
        t,
        { browser },
        { viewport, colorScheme, reducedMotion: 'reduce' },
      );
      // The policy is what stops the mail, and says so.
      page.removeAllListeners('console');
      const requested: string[] = [];
      page.on('requestfinished', (request) => requested.push(request.url()));
      await page.goto(`${url}/mails/1`);
      await page.frameLocator('iframe').locator('#shown').waitFor();
      t.equal(await page.locator('h1').innerText(), hostile);
      t.equal(await page.locator('script, img').count(), 0);
      t.ok(requested.every((address) => /^(http:\/\/127\.0\.0\.1|about:|data:)/.test(address)));
      await page.goto(url);
      t.strictSame(await accessibilityViolations(page), []);
      for (const address of [url, `${url}/mails/2`]) {
        await page.goto(address);
        t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
      }
    }
  },
);
