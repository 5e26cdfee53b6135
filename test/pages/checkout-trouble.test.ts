import t from 'tap';
import { readBooking } from '../../src/domain/bookings.js';
import { bookingRow } from '../support/bookings.js';
import { age, holdForPerson, openPage, startPages } from '../support/pages.js';

void t.test('two tabs that confirm at once both show the session, confirmed once', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { id, url } = await holdForPerson(pages);
  const tabs = [await openPage(t, pages), await openPage(t, pages)];
  await Promise.all(tabs.map((tab) => tab.goto(url)));
  await Promise.all(tabs.map((tab) => tab.click('button[value=confirm]')));
  for (const tab of tabs) {
    await tab.waitForSelector('body.confirmed');
    t.equal(tab.url(), url);
  }
  const row = await bookingRow(pages.service.context, id);
  t.match(row, { status: 'confirmed', sequence: 1 }, 'one change, not two');
});

void t.test(
  'a tab that was left open updates when another tab has released the hold',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { url } = await holdForPerson(pages);
    const left = await openPage(t, pages);
    await left.goto(url);
    const other = await openPage(t, pages);
    await other.goto(url);
    await other.click('button[value=release]');
    await other.waitForSelector('body.cancelled');
    await left.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await left.waitForSelector('body.cancelled');
  },
);

void t.test(
  'after a confirmation that is a second late, one button holds the slot again',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { id, url } = await holdForPerson(pages, { idea: 'a heron', pronouns: 'they/them' });
    const page = await openPage(t, pages);
    await page.goto(url);
    await age(pages, id, 901);
    await page.click('button[value=confirm]');
    await page.waitForSelector('body.expired');
    t.match(await page.locator('main').innerText(), /still open and your details are kept/);
    await page.click('button[value=hold_again]');
    await page.waitForSelector('body.pending');
    await page.click('button[value=confirm]');
    await page.waitForSelector('body.confirmed');
    const confirmed = await pages.service.context.database
      .selectFrom('bookings')
      .select(['name', 'email', 'phone', 'idea', 'pronouns'])
      .where('status', '=', 'confirmed')
      .execute();
    t.strictSame(confirmed, [
      {
        name: 'Ada Park',
        email: 'ada@example.com',
        phone: '5555550142',
        idea: 'a heron',
        pronouns: 'they/them',
      },
    ]);
  },
);

void t.test(
  'the page of an expired hold says that another person holds the slot, and has no button',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const first = await holdForPerson(pages);
    await age(pages, first.id, 901);
    const page = await openPage(t, pages);
    await page.goto(first.url);
    const second = await holdForPerson(pages);
    // The page still shows the slot as open.
    await page.click('button[value=hold_again]');
    await page.waitForSelector('text=another person now holds this time');
    t.equal(await page.locator('button').count(), 0);
    t.equal((await readBooking(pages.service.context, second.id)).status, 'pending');
  },
);

void t.test(
  'back and reload after confirming repeat nothing and show the current state',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { id, url } = await holdForPerson(pages);
    const page = await openPage(t, pages);
    await page.goto(`${pages.url}/healthz`);
    await page.goto(url);
    await page.click('button[value=confirm]');
    await page.waitForSelector('body.confirmed');
    const confirmed = await readBooking(pages.service.context, id);

    const methods: string[] = [];
    page.on('request', (request) => methods.push(request.method()));
    await page.reload();
    await page.waitForSelector('body.confirmed');
    await page.goBack();
    await page.goForward();
    await page.waitForSelector('body.confirmed');
    t.notOk(methods.includes('POST'), 'nothing was sent again');
    t.strictSame(await readBooking(pages.service.context, id), confirmed);
  },
);
