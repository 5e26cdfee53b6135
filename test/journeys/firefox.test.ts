import t, { type Test } from 'tap';
import { slotOf } from '../../src/schedule/slots.js';
import { ada, everyBooking, holdButton } from '../support/book-pages.js';
import { bookingRow } from '../support/bookings.js';
import { consoleLink } from '../support/console.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { shiftDate } from '../support/shift-date.js';
import { hasTools, importTool } from '../support/tools.js';

/** What is used here of puppeteer-core, a package of scripts/tools. */
interface Puppeteer {
  launch(options: {
    browser: 'firefox';
    executablePath: string;
    timeout: number;
    protocolTimeout: number;
  }): Promise<{
    createBrowserContext(): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>;
    close(): Promise<void>;
  }>;
}

interface Page {
  url(): string;
  goto(url: string): Promise<unknown>;
  $(selector: string): Promise<object | null>;
  $$(selector: string): Promise<{ click(): Promise<void> }[]>;
  $eval<Value>(selector: string, read: (element: Element) => Value): Promise<Value>;
  type(selector: string, text: string): Promise<void>;
  locator(selector: string): { click(): Promise<void> };
  waitForNavigation(): Promise<unknown>;
  close(): Promise<void>;
  setDefaultTimeout(milliseconds: number): void;
  setViewport(size: { width: number; height: number }): Promise<void>;
  evaluateOnNewDocument<Value>(run: (value: Value) => void, value: Value): Promise<unknown>;
  on(event: 'pageerror', listener: (error: unknown) => void): void;
  on(event: 'dialog', listener: (dialog: { message(): string }) => void): void;
}

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
  await page.goto(`${url}/console?date=${slot.date}`);
  await press(page, `a[href*="/bookings/new?date=${slot.date}"]`);
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

const shiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS']);

/**
 * Opens pages of fresh profiles in a real Firefox, on a phone. Its pages show the run's clock, and
 * what fails in one fails the test. Null, with the test marked as skipped, on a machine that has none.
 * Over WebDriver BiDi: Playwright drives no Firefox but one of its own.
 */
export async function launchFirefox(t: Test): Promise<((t: Test) => Promise<Page>) | null> {
  const executablePath = process.env['TEST_FIREFOX'];
  if (executablePath === undefined || !hasTools()) {
    t.pass('there is no Firefox, or no puppeteer to drive it', { skip: true });
    return null;
  }
  const { default: puppeteer } = await importTool<{ default: Puppeteer }>('puppeteer-core');
  // A busy machine: see `patienceMs`.
  const timeout = 120_000;
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    timeout,
    protocolTimeout: timeout,
  });
  t.teardown(() => browser.close());
  return async (t) => {
    const context = await browser.createBrowserContext();
    // First of all, so that no page connects again to a service that stops.
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(timeout);
    page.on('pageerror', (error) => t.fail(`a script failed: ${String(error)}`));
    page.on('dialog', (dialog) => t.fail(`a dialog appeared: ${dialog.message()}`));
    await page.evaluateOnNewDocument(shiftDate, shiftMs);
    await page.setViewport({ width: 390, height: 664 });
    return page;
  };
}
