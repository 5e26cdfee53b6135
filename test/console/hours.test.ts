import type { Page } from 'playwright-core';
import t from 'tap';
import { changeWeek } from '../../src/domain/week.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { readWeek } from '../../src/repositories/studio-settings.js';
import { weekdayOf } from '../../src/calendar/dates.js';
import { hold } from '../support/board.js';
import { pressesFrom, section } from '../support/console-presses.js';
import { openConsole, startConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, tabTo, type Pages } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';

const started = await startConsole(t);

async function tuesday({ service }: Pages) {
  const [, day] = await readWeek(service.context.database);
  return day!;
}

async function save(page: Page): Promise<void> {
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Save the week' }).click(),
  ]);
}

if (started !== null) {
  const { pages, page } = started;
  const { context } = pages.service;
  const everyDay = [1, 2, 3, 4, 5, 6, 7];
  const usual = {
    weekdays: everyDay,
    hours: { opens: '09:00', closes: '20:00' },
    sessions: ['9:00 AM', '1:00 PM', '5:00 PM'] as const,
  };

  t.beforeEach(async () => void (await changeWeek(context, 'test', usual)));

  t.test("Tuesday's hours are three presses away, audited, and on the dashboard", async (t) => {
    const presses = await pressesFrom(page, pages.url);
    await presses.press(section(page, 'Hours'));
    await presses.press(page.getByLabel('Tuesday opens'));
    await page.getByLabel('Tuesday opens').fill('08:30');
    await presses.press(page.getByRole('button', { name: 'Save the week' }));
    await page.getByText('Saved. People see the new hours.').waitFor();
    t.equal(presses.count(), 3);
    t.match(await tuesday(pages), { opens: '08:30', closes: '20:00' });
    const [entry] = await listAuditRows(context.database, 1);
    t.match(entry, { actor: /Ada/, action: 'hours set' });
    t.strictSame(entry?.details, {
      days: [
        {
          weekday: 2,
          opens: '08:30',
          closes: '20:00',
          sessions: ['9:00 AM', '1:00 PM', '5:00 PM'],
        },
      ],
    });
    const info = await fetch(`${pages.url}/api/public/studio`);
    t.match(await info.text(), /"opens":"08:30"/);
    t.strictSame(await accessibilityViolations(page), []);
  });

  t.test('by keyboard alone, Enter and Space change the week', async (t) => {
    await page.goto(`${pages.url}/console`);
    await tabTo(page, 'a[href="/console/hours"]');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${pages.url}/console/hours`);
    await tabTo(page, 'input[name="sessions-2"][value="9:00 AM"]');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByText('Saved. People see the new hours.').waitFor();
    t.match(await tuesday(pages), { sessions: ['1:00 PM', '5:00 PM'] });
  });

  t.test('without script on a phone, a day is closed, and nothing scrolls sideways', async (t) => {
    const phone = await openConsole(t, pages, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    await phone.getByRole('link', { name: 'Hours' }).click();
    await phone.getByRole('group', { name: 'Tuesday' }).getByLabel('closed').check();
    await save(phone);
    t.match(await tuesday(pages), { opens: null, closes: null, sessions: [] });
    t.equal(await phone.getByLabel('Tuesday opens').inputValue(), '');
    await expectFits(t, phone);
  });

  t.test('what another session changed meanwhile is shown and not overwritten', async (t) => {
    const other = await openConsole(t, pages, {}, 'Grace');
    for (const each of [page, other]) await each.goto(`${pages.url}/console/hours`);
    await other.getByLabel('Tuesday closes').fill('18:00');
    await other.getByLabel('Friday closes').fill('21:00');
    await save(other);

    await page.getByLabel('Tuesday opens').fill('07:00');
    await page.getByLabel('Monday opens').fill('07:30');
    await save(page);
    await page.getByText('The week has changed').waitFor();
    t.match(await tuesday(pages), { opens: '09:00', closes: '18:00' }, 'nothing was written');
    await page.getByText('Changed meanwhile to: 09:00 to 18:00, sessions at').waitFor();
    t.equal(await page.getByLabel('Tuesday opens').inputValue(), '07:00', 'what was typed stays');
    t.equal(await page.getByLabel('Friday closes').inputValue(), '21:00', 'the rest is as it is');
    t.strictSame(await accessibilityViolations(page), []);

    await page.getByLabel('Tuesday closes').fill('18:00');
    await save(page);
    const [monday, second, , , friday] = await readWeek(context.database);
    t.match(
      [monday, second, friday],
      [{ opens: '07:30' }, { opens: '07:00', closes: '18:00' }, { closes: '21:00' }],
    );
  });

  t.test('two people who change different days both succeed', async (t) => {
    const other = await openConsole(t, pages, {}, 'Grace');
    for (const each of [page, other]) await each.goto(`${pages.url}/console/hours`);
    await other.getByLabel('Friday closes').fill('21:00');
    await save(other);
    await page.getByLabel('Tuesday closes').fill('19:00');
    await save(page);
    const week = await readWeek(context.database);
    t.match([week[1], week[4]], [{ closes: '19:00' }, { closes: '21:00' }]);
  });

  t.test('all mistakes stand beside their days, and nothing is saved or audited', async (t) => {
    const before = await listAuditRows(context.database, 1);
    await page.goto(`${pages.url}/console/hours`);
    await page.getByLabel('Tuesday opens').fill('21:00');
    await page.getByLabel('Wednesday opens').fill('10:00');
    await page.getByLabel('Thursday opens').fill('');
    await save(page);
    await page.getByText('On Tuesday the studio would close (20:00)').waitFor();
    await page.getByText('The session at 9:00 AM on Wednesday').waitFor();
    await page.getByText('Give both times').waitFor();
    t.equal(await page.getByLabel('Tuesday opens').inputValue(), '21:00');
    t.match(await tuesday(pages), { opens: '09:00' });
    t.strictSame(await listAuditRows(context.database, 1), before);
    t.strictSame(await accessibilityViolations(page), []);
  });

  t.test('saving an unchanged week writes and audits nothing', async (t) => {
    const before = await listAuditRows(context.database, 1);
    await page.goto(`${pages.url}/console/hours`);
    await save(page);
    await page.getByText('Nothing was changed.').waitFor();
    t.strictSame(await listAuditRows(context.database, 1), before);
  });

  t.test('bookings that the new week leaves outside are listed with links', async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const { booking } = await hold(context, slot!.date, slot!.timeSlot);
    await page.goto(`${pages.url}/console/hours`);
    await page.locator(`input[name="closed-${weekdayOf(slot!.date)}"]`).check();
    await save(page);
    await page.getByRole('heading', { name: 'Bookings outside these sessions' }).waitFor();
    t.equal(await page.locator(`main a[href="/console/bookings/${booking.id}"]`).count(), 1);
  });
}
