import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { pressesFrom, section } from '../support/console-presses.js';
import { openConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, tabTo, type Pages } from '../support/pages.js';
import { freePort } from '../support/process.js';
import { answer, startReceiver, type Receiver } from '../support/receiver.js';
import { startWebhookService, type Subscriber, type WebhookService } from '../support/webhooks.js';

interface Opened {
  service: WebhookService;
  pages: Pages;
  page: Page;
  receiver: Receiver;
  subscriber: Subscriber;
}

/** A subscription with one delivery that failed, after two attempts, and whose receiver works by now. */
async function start(t: Test): Promise<Opened | null> {
  const browser = await launchBrowser(t);
  if (browser === null) return null;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startWebhookService(t, {
    PORT: String(port),
    PUBLIC_BASE_URL: url,
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0',
  });
  const receiver = await startReceiver(answer(500), answer(500), answer(204));
  t.teardown(() => receiver.close());
  const { sweeper } = await service.startBackground();
  await sweeper.stop();
  const subscriber = await service.subscribe(receiver, ['hold.created']);
  await service.hold();
  await service.untilDelivery(subscriber, ({ status }) => status === 'failed');
  const pages = { service, browser, url };
  return { service, pages, receiver, subscriber, page: await openConsole(t, pages) };
}

function audited({ context }: WebhookService) {
  return context.database
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('action', 'in', ['webhooks disable', 'webhooks enable', 'webhooks redeliver'])
    .orderBy('position')
    .execute();
}

t.test('what failed is sent again in two presses, and arrives at once', async (t) => {
  const opened = await start(t);
  if (opened === null) return;
  const { service, pages, page, receiver, subscriber } = opened;
  const other = await openConsole(t, pages, {}, 'Grace');
  await other.goto(`${pages.url}/console/webhooks`);

  const presses = await pressesFrom(page, pages.url);
  await presses.press(section(page, 'Webhooks'));
  t.match(await page.locator('.webhooks').innerText(), /127\.0\.0\.1:\d+\/hook[^]*1 failed/);
  t.strictSame(await accessibilityViolations(page), []);
  await presses.press(page.getByRole('button', { name: 'Send failed deliveries again' }));
  await page.waitForURL('**/console/webhooks?done=redelivered');
  t.equal(presses.count(), 2);
  const again = await receiver.request(3);
  t.equal(again.headers['webhook-id'], receiver.requests[0]?.headers['webhook-id']);
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');

  await other.getByRole('button', { name: 'Send failed deliveries again' }).click();
  t.match(await other.getByRole('alert').innerText(), /nothing to send again/);
  t.equal(receiver.requests.length, 3);
  const rows = await audited(service);
  t.match(rows, [
    {
      actor: /^Ada \(console/,
      action: 'webhooks redeliver',
      details: { deliveries: 1, subscription_ids: [subscriber.id] },
    },
  ]);
  t.equal(rows.length, 1);
});

t.test('one subscription is disabled and enabled, and one event is sent again', async (t) => {
  const opened = await start(t);
  if (opened === null) return;
  const { service, pages, page, receiver, subscriber } = opened;
  const other = await openConsole(t, pages, {}, 'Grace');
  const path = `${pages.url}/console/webhooks/${subscriber.id}`;
  for (const each of [page, other]) await each.goto(path);

  for (const each of [page, other]) {
    await each.locator('.jobs summary').click();
    await each.getByRole('button', { name: 'Disable', exact: true }).click();
  }
  await page.getByText('Disabled. Nothing is sent to it.').waitFor();
  t.match(await other.getByRole('alert').innerText(), /had been disabled before/);
  t.match(await service.read(subscriber), { status: 'disabled', disabled_reason: 'studio' });
  t.equal(await page.getByRole('button', { name: /Send/ }).count(), 0, 'nothing is sent to it');

  const late = await openConsole(t, pages);
  await late.goto(path);
  for (const each of [page, late]) {
    await each.getByRole('button', { name: 'Enable' }).click();
  }
  t.match(await late.getByRole('alert').innerText(), /is not disabled/);
  await page.getByRole('button', { name: /^Send again\s+event/ }).click();
  await page.waitForURL('**?done=redelivered');
  await receiver.request(3);
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  const actions = (await audited(service)).map(({ action }) => action);
  t.strictSame(actions, ['webhooks disable', 'webhooks enable', 'webhooks redeliver']);
});

t.test('by keyboard alone, and without script on a phone', async (t) => {
  const opened = await start(t);
  if (opened === null) return;
  const { service, pages, page, receiver, subscriber } = opened;
  await page.goto(`${pages.url}/console`);
  await tabTo(page, 'a[href="/console/webhooks"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/webhooks');
  receiver.behave(answer(500));
  await tabTo(page, '.redeliver button');
  await page.keyboard.press('Enter');
  await page.waitForURL('**?done=redelivered');
  await receiver.request(3);
  await service.untilDelivery(subscriber, ({ status }) => status === 'failed');

  receiver.behave(answer(204));
  const phone = await openConsole(t, pages, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await section(phone, 'Webhooks').click();
  await expectFits(t, phone);
  await phone.locator('.webhooks a').click();
  await expectFits(t, phone);
  await phone.getByRole('button', { name: 'Send failed deliveries again' }).click();
  await receiver.request(5);
  t.strictSame(await accessibilityViolations(page), []);
});

t.test('no page shows a secret of a subscription, nor the query of its address', async (t) => {
  const opened = await start(t);
  if (opened === null) return;
  const { service, pages, page, subscriber } = opened;
  await service.context.database
    .updateTable('webhook_subscriptions')
    .set({ url: 'https://hooks.example.com/in?token=hidden-words' })
    .execute();
  for (const path of ['', `/${subscriber.id}`]) {
    await page.goto(`${pages.url}/console/webhooks${path}`);
    t.match(await page.getByRole('main').innerText(), 'hooks.example.com/in?…');
    const html = await page.content();
    for (const secret of ['hidden-words', subscriber.secret, subscriber.manageToken]) {
      t.notOk(html.includes(secret));
    }
  }
  const unknown = '00000000-0000-4000-8000-000000000000';
  const answered = await page.goto(`${pages.url}/console/webhooks/${unknown}`);
  t.equal(answered?.status(), 404);
});
