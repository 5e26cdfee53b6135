import t from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { forgetPerson } from '../../src/domain/personal-data.js';
import { reminderToken } from '../../src/platform/reminder-token.js';
import { bookingRow } from '../support/bookings.js';
import {
  accessibilityViolations,
  holdForPerson,
  openPage,
  startPages,
  tabTo,
} from '../support/pages.js';
import { pressButton } from '../support/person.js';
import { startTestService, type TestService } from '../support/service.js';

async function confirmed(service: Pick<TestService, 'context'>, email: string) {
  const held = await holdForPerson({ service }, { email });
  await confirmCheckout(service.context, held.token);
  const path = `/reminders/${reminderToken(service.context.keyring, held.id)}`;
  return { ...held, path };
}

const stoppedAt = async ({ context }: Pick<TestService, 'context'>, id: string) =>
  (await bookingRow(context, id)).reminders_stopped_at;

void t.test(
  'by keyboard and without script, one press stops reminders and another takes it back',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { service } = pages;
    const { id, path } = await confirmed(service, 'ada@example.com');
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage(t, pages, {
        javaScriptEnabled: false,
        viewport: { width: 390, height: 844 },
        colorScheme,
      });
      await page.goto(pages.url + path);
      t.equal(await stoppedAt(service, id), null, 'opening it does nothing');
      for (const [action, shown] of [
        ['stop', 'We no longer remind a•••@example.com of sessions by e-mail.'],
        ['resume', 'We remind a•••@example.com of sessions by e-mail.'],
      ] as const) {
        await tabTo(page, `button[value=${action}]`);
        const loaded = page.waitForEvent('load');
        await page.keyboard.press('Enter');
        await loaded;
        t.match(await page.locator('main').innerText(), shown);
        t.equal((await stoppedAt(service, id)) === null, action === 'resume');
        t.equal(page.url(), pages.url + path);
        t.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
          'no wider than the screen',
        );
      }
    }
    const page = await openPage(t, pages);
    for (const action of ['stop', 'resume']) {
      await page.goto(pages.url + path);
      t.strictSame(await accessibilityViolations(page), []);
      await page.click(`button[value=${action}]`);
    }
  },
);

void t.test(
  'it applies to every booking of the mailbox, later ones too, and to no other mailbox',
  async (t) => {
    const service = await startTestService(t);
    const { path, id } = await confirmed(service, 'ada@gmail.com');
    const same = await confirmed(service, 'A.da@gmail.com');
    const other = await confirmed(service, 'bao@gmail.com');
    const pending = await holdForPerson({ service });
    const done = await pressButton(service, path, 'stop');
    t.match(done, { statusCode: 303, headers: { location: path } });
    const at = await stoppedAt(service, id);
    t.ok(at);
    t.ok(await stoppedAt(service, same.id));
    t.equal(await stoppedAt(service, other.id), null);
    t.equal(await stoppedAt(service, pending.id), null);

    t.equal((await pressButton(service, path, 'stop')).statusCode, 303);
    t.strictSame(await stoppedAt(service, id), at, 'the first press counts');
    t.match(await service.app.inject(same.path), { body: /No more reminders/ });
    const later = await confirmed(service, 'ad.a+tattoo@gmail.com');
    t.match(await service.app.inject(later.path), { body: /No more reminders/ });
    await pressButton(service, later.path, 'resume');
    t.equal(await stoppedAt(service, id), null);
    t.equal(await stoppedAt(service, same.id), null);
  },
);

void t.test('a foreign post, an unknown link and a forgotten person change nothing', async (t) => {
  const service = await startTestService(t);
  const { app, context } = service;
  const { path, id } = await confirmed(service, 'ada@example.com');
  for (const headers of [{}, { origin: 'https://evil.example' }]) {
    t.equal((await pressButton(service, path, 'stop', headers)).statusCode, 403);
  }
  t.equal((await pressButton(service, path, 'cancel')).statusCode, 400);
  const accept = 'text/html';
  for (const url of [
    '/reminders',
    '/reminders/',
    '/reminders/unknown',
    `/reminders/${path.at(-1)}${path.slice(-42)}`,
    `${path}/more`,
  ]) {
    const unknown = await app.inject({ url, headers: { accept } });
    t.match(unknown, { statusCode: 404, body: /We do not know this link/ }, url);
  }
  t.equal((await pressButton(service, '/reminders/unknown', 'stop')).statusCode, 404);
  t.equal(await stoppedAt(service, id), null);

  const head = await app.inject({ method: 'HEAD', url: path });
  t.match(head, {
    statusCode: 200,
    body: '',
    headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' },
  });
  t.match(await app.inject({ method: 'DELETE', url: path }), {
    statusCode: 405,
    headers: { allow: 'GET, HEAD, POST' },
  });

  await forgetPerson(context, 'test', { id }, { cancelBookings: true });
  const forgotten = await app.inject(path);
  t.match(forgotten, { statusCode: 200, body: /have been erased/ });
  t.notMatch(forgotten.body, /<button/);
  t.equal((await pressButton(service, path, 'stop')).statusCode, 303);
  t.equal(await stoppedAt(service, id), null);
});
