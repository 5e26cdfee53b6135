import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { sections } from '../../src/console/console-page.js';
import type { Context } from '../../src/context.js';
import { addCalendarFeed } from '../../src/domain/calendar-feeds.js';
import { addBooking } from '../../src/domain/studio-bookings.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { openConsole, startConsole } from '../support/console.js';
import { now } from '../support/mail-rows.js';
import {
  accessibilityViolations,
  expectFits,
  loadCost,
  openPage,
  type Pages,
} from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';

/** Calendars with long labels: one that is busy from an instant on for three days, one that fails. */
async function insertCalendars(context: Context, busyFrom: number): Promise<void> {
  const label = 'Guest artists of the whole street, in Portland and elsewhere';
  const host = `${'calendars-of-everybody.'.repeat(4)}example.com`;
  const at = await now(context, -7_200);
  const busy = await insertCalendar(context, { label, host });
  await setBusy(context, busy, [busyFrom, busyFrom + 3 * 86_400_000]);
  const failing = { failing_since: at, last_error: 'not_a_calendar', last_status_code: 200 };
  await insertCalendar(context, { label: 'x'.repeat(60), host, ...failing });
  await addCalendarFeed(context, 'test', { label, hasDetails: true });
  await context.board.refresh();
}

/** The addresses of all pages of a console that has a booking, which is in conflict with a calendar. */
async function everyPath({ service: { context } }: Pages): Promise<string[]> {
  const [slot] = await someOpenSlots(context, 1);
  const name = 'Maximilian von Hohenstein-Lichtenberg-Braunschweig';
  const idea = 'A night heron on the left forearm, about 12 cm, fine lines. '.repeat(30);
  const person = { name, idea, phone: '5035550142', email: `${'m'.repeat(50)}@example.com` };
  const added = await addBooking(context, 'test', slot!, person);
  if (added.outcome !== 'added') throw new Error(added.outcome);
  await insertCalendars(context, added.booking.starts_at.getTime());
  const booking = `/console/bookings/${added.booking.id}`;
  return [
    ...Object.values(sections).map(({ path }) => path),
    `/console?date=${slot!.date}`,
    booking,
    `${booking}/move`,
    '/console/bookings/new',
    `/console/closures/new?date=${slot!.date}`,
    '/console/no-such-page',
  ];
}

async function expectSound(t: Test, page: Page, address: string): Promise<void> {
  const answer = await page.goto(address);
  t.equal(answer?.status(), address.endsWith('no-such-page') ? 404 : 200, address);
  for (const summary of await page.locator('main summary').all()) await summary.click();
  t.strictSame(await accessibilityViolations(page), [], `axe on ${address}`);
  await expectFits(t, page);
}

void t.test('axe finds nothing on any page, and none is wider than the screen', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages } = started;
  const paths = await everyPath(pages);
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    const page = await openConsole(t, pages, { viewport: { width, height: 900 }, colorScheme });
    for (const path of paths) await expectSound(t, page, `${pages.url}${path}`);
  }
});

void t.test('no page weighs more than 100 kB in a fresh browser', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages } = started;
  const storageState = await started.page.context().storageState();
  for (const path of await everyPath(pages)) {
    const page = await openPage(t, pages, { storageState });
    const { bytes } = await loadCost(page, `${pages.url}${path}`);
    t.ok(bytes <= 100_000, `${path}: ${bytes} bytes`);
    await page.context().close();
  }
});
