import t from 'tap';
import { addDays } from '../../src/calendar/dates.js';
import { readBooking } from '../../src/domain/bookings.js';
import { changeWeek } from '../../src/domain/week.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { readBookingsToClose, readClosures, removeClosure } from '../../src/domain/closures.js';
import { studioToday } from '../../src/domain/studio-settings.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { hold, untilBoard } from '../support/board.js';
import { pressesFrom } from '../support/console-presses.js';
import { openConsole, startConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, openPage, tabTo } from '../support/pages.js';

const started = await startConsole(t);
if (started !== null) {
  const { pages, page } = started;
  const { context } = pages.service;
  const weekdays = [1, 2, 3, 4, 5, 6, 7];
  const hours = { opens: '09:00', closes: '20:00' };
  const sessions = ['9:00 AM', '1:00 PM', '5:00 PM'] as const;
  await changeWeek(context, 'test', { weekdays, hours, sessions });
  await untilBoard(context, ({ calendar }) => calendar.sessions[1].length === 3);
  const tomorrow = addDays(await studioToday(context), 1);
  const closeLink = `main a[href="/console/closures/new?date=${tomorrow}"]`;

  t.beforeEach(async () => {
    const slots = { fromDate: tomorrow, toDate: tomorrow, timeSlot: null };
    for (const { id } of await readBookingsToClose(context, slots)) {
      await cancelByStudio(context, 'test', id);
    }
    for (const { id } of await readClosures(context, { past: true })) {
      await removeClosure(context, 'test', id);
    }
    await context.board.refresh();
  });

  t.test('tomorrow is closed in two presses, and the dashboard shows it', async (t) => {
    const dashboard = await openPage(t, pages);
    const presses = await pressesFrom(page, pages.url);
    await presses.press(page.locator(closeLink));
    await presses.press(page.getByRole('button', { name: 'Close', exact: true }));
    await page.getByText('Closed. These sessions can no longer be booked.').waitFor();
    t.equal(presses.count(), 2);
    t.match(await readClosures(context, { past: false }), [
      { from_date: tomorrow, to_date: tomorrow, time_slot: null, reason: '' },
    ]);
    const [entry] = await listAuditRows(context.database, 1);
    t.match(entry, { actor: /Ada/, action: 'closures add', details: { from_date: tomorrow } });
    await dashboard.goto(pages.url);
    t.equal(await dashboard.locator(`a[href*="${tomorrow}"]`).count(), 0, 'no time to book');

    await page.getByText('Open again').click();
    await page.getByRole('button', { name: 'Remove the closure' }).click();
    await page.getByText('The closure is removed').waitFor();
    await dashboard.reload();
    t.not(await dashboard.locator(`a[href*="${tomorrow}"]`).count(), 0, 'times to book again');
  });

  t.test('by keyboard alone, one session of tomorrow is closed', async (t) => {
    await page.goto(`${pages.url}/console`);
    await tabTo(page, closeLink);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Close dates' }).waitFor();
    await tabTo(page, '#time_slot');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, '#reason');
    await page.keyboard.type('Dentist');
    await page.keyboard.press('Enter');
    await page.getByText('Closed. These sessions').waitFor();
    t.match(await readClosures(context, { past: false }), [
      { time_slot: '9:00 AM', reason: 'Dentist' },
    ]);
    const [entry] = await listAuditRows(context.database, 1);
    t.notMatch(JSON.stringify(entry), /Dentist/, 'the audit has no free text');
  });

  t.test('bookings stay unless asked for, and are listed; without script on a phone', async (t) => {
    const { booking } = await hold(context, tomorrow, '9:00 AM');
    const phone = await openConsole(t, pages, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    await phone.locator(closeLink).click();
    await phone.getByText('A booking is on these dates').waitFor();
    await expectFits(t, phone);
    await phone.getByRole('button', { name: 'Close', exact: true }).click();
    await phone.getByRole('heading', { name: 'Still booked on these dates' }).waitFor();
    t.equal(await phone.locator(`main a[href="/console/bookings/${booking.id}"]`).count(), 1);
    t.equal((await readBooking(context, booking.id)).status, 'pending');
  });

  t.test('a booking that the form did not show is not cancelled', async (t) => {
    const first = (await hold(context, tomorrow, '5:00 PM')).booking.id;
    await page.goto(`${pages.url}/console/closures/new?date=${tomorrow}`);
    await page.getByLabel('Cancel it').check();
    await page.getByLabel('Reason').fill('Flood');
    const second = (await hold(context, tomorrow, '1:00 PM')).booking.id;
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('are not those that the form showed').waitFor();
    await page.getByText('2 bookings are on these dates').waitFor();
    t.equal(await page.getByLabel('Reason').inputValue(), 'Flood');
    t.strictSame(await readClosures(context, { past: false }), []);
    for (const id of [first, second]) {
      t.equal((await readBooking(context, id)).status, 'pending');
    }
    t.strictSame(await accessibilityViolations(page), []);

    await page.getByLabel('Cancel them').check();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('heading', { name: 'Cancelled with the closure' }).waitFor();
    for (const id of [first, second]) {
      t.equal((await readBooking(context, id)).status, 'cancelled');
      t.equal(await page.locator(`main a[href="/console/bookings/${id}"]`).count(), 1);
    }
    t.strictSame(await accessibilityViolations(page), []);
  });

  t.test('mistakes stand beside their fields, and what was typed stays', async (t) => {
    await page.goto(`${pages.url}/console/closures/new?date=${tomorrow}`);
    await page.getByLabel('Last date').fill('2020-01-01');
    await page.getByLabel('Reason').fill('x'.repeat(201));
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('The last date comes before the first.').waitFor();
    await page.getByText('The reason can have at most 200 characters.').waitFor();
    t.equal(await page.getByLabel('Last date').inputValue(), '2020-01-01');
    t.strictSame(await accessibilityViolations(page), []);
    await page.getByLabel('First date').fill('2020-01-01');
    await page.getByLabel('Reason').fill('');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('2020-01-01 is in the past.').waitFor();
    t.strictSame(await readClosures(context, { past: true }), []);
  });

  t.test('dates that are closed already are not closed twice', async (t) => {
    for (const sentence of ['Closed. These sessions', 'These dates are closed already.']) {
      await page.goto(`${pages.url}/console/closures/new?date=${tomorrow}`);
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByText(sentence).waitFor();
    }
    t.equal((await readClosures(context, { past: false })).length, 1);
  });
}
