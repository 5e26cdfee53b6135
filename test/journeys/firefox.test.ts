import type { Page } from 'puppeteer-core';
import t from 'tap';
import { slotOf } from '../../src/schedule/slots.js';
import { ada, everyBooking, holdButton } from '../support/book-pages.js';
import { bookingRow } from '../support/bookings.js';
import { consoleLink } from '../support/console.js';
import { launchFirefox } from '../support/firefox.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const openPage = await launchFirefox(t);
const service = await startService(t, generous, { isReachable: true });
const { context, url } = service;

/** Presses the last of what leads to another page, and resolves when that is loaded. */
async function press(page: Page, selector: string): Promise<void> {
  const target = (await page.$$(selector)).at(-1);
  if (target === undefined) throw new Error(`${page.url()} has no ${selector}`);
  await Promise.all([page.waitForNavigation(), target.click()]);
}

async function textOf(page: Page, selector = 'main'): Promise<string> {
  const text = page.$eval(selector, (element) => element.textContent);
  return ((await text) ?? '').replace(/\s+/gu, ' ');
}

t.test('a person books, confirms, moves and cancels', { skip: openPage === null }, async (t) => {
  const page = await openPage!(t);
  await page.goto(`${url}/book`);
  await press(page, 'a.time');
  for (const [name, text] of Object.entries(ada)) await page.type(`[name=${name}]`, text);
  await press(page, holdButton);
  const [held] = await everyBooking(context);
  t.match(held, { name: ada.name, status: 'pending' });

  const other = await openPage!(t);
  await other.goto(page.url());
  await page.close();
  await press(other, 'button[value=confirm]');
  t.match(await textOf(other, 'h1'), /confirmed/);
  t.equal((await bookingRow(context, held!.id)).status, 'confirmed');

  await press(other, 'a.button[href$="/move"]');
  await press(other, 'a.time');
  await press(other, 'button[value=move]');
  const moved = await bookingRow(context, held!.id);
  t.notSame(slotOf(moved), slotOf(held!));
  t.ok(await other.$(`time.when[datetime^="${moved.date}"]`), 'it is shown at the new time');

  await other.locator('summary').click();
  await press(other, 'button[value=cancel]');
  t.equal((await bookingRow(context, held!.id)).status, 'cancelled');
});

t.test('an owner adds, finds and cancels a booking', { skip: openPage === null }, async (t) => {
  const page = await openPage!(t);
  const [slot] = await someOpenSlots(context, 1);
  await page.goto(await consoleLink(service));
  await press(page, 'form button');
  await page.goto(`${url}/console?date=${slot!.date}`);
  await press(page, `a[href*="/bookings/new?date=${slot!.date}"]`);
  await page.type('[name=name]', 'Walter Walk-In');
  await press(page, 'button::-p-text(Add the booking)');
  const [{ id } = { id: '' }] = await context.database
    .selectFrom('bookings')
    .selectAll()
    .where('name', '=', 'Walter Walk-In')
    .execute();

  await press(page, 'nav a[href="/console/bookings"]');
  await page.type('[name=text]', 'walter');
  await press(page, 'button::-p-text(Search)');
  await press(page, `a[href="/console/bookings/${id}"]`);
  t.match(await textOf(page), 'Walter Walk-In');

  await page.locator('summary::-p-text(Cancel)').click();
  await press(page, 'button::-p-text(Cancel this booking)');
  t.match(await textOf(page), 'Cancelled. The slot is free again.');
  t.equal((await bookingRow(context, id)).status, 'cancelled');
});
