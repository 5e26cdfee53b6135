import t from 'tap';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { changeWeek } from '../../src/domain/week.js';
import { pressesFrom, section } from '../support/console-presses.js';
import { openConsole, startConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, holdForPerson, tabTo } from '../support/pages.js';

t.test('the audit is one press away, says who did what, and leads to the booking', async (t) => {
  const opened = await startConsole(t);
  if (opened === null) return;
  const { pages, page } = opened;
  const { context } = pages.service;
  const { id } = await holdForPerson(pages);
  await cancelByStudio(context, 'ada@desk', id, { reason: null, sequence: null });
  await changeWeek(context, 'ada@desk', {
    weekdays: [2],
    hours: { opens: '08:00', closes: '22:00' },
  });

  const presses = await pressesFrom(page, pages.url);
  await presses.press(section(page, 'Audit'));
  await page.waitForURL('**/console/audit');
  t.equal(presses.count(), 1);
  const items = await page.locator('.audit > li').allInnerTexts();
  t.match(items[0], /ada@desk[^]*Changed hours[^]*tuesday opens 08:00 closes 22:00/s);
  t.match(items[1], new RegExp(`Cancelled a booking[^]*booking: ${id.slice(0, 8)} · was: pending`));
  t.match(items[2], /Ada \(console [0-9a-f]{8}\)[^]*Signed in/);
  t.strictSame(await accessibilityViolations(page), []);
  await page.getByRole('link', { name: id.slice(0, 8) }).click();
  await page.waitForURL(`**/console/bookings/${id}`);
});

t.test('older changes follow, by keyboard alone, and without script on a phone', async (t) => {
  const opened = await startConsole(t);
  if (opened === null) return;
  const { pages, page } = opened;
  const { context } = pages.service;
  await context.database
    .insertInto('audit_log')
    .values(
      Array.from({ length: 120 }, (_, number) => ({
        occurred_at: new Date('2025-06-01T12:00:00Z'),
        actor: `desk ${number}`,
        action: 'mail resend' as const,
        details: '{}',
      })),
    )
    .execute();
  const actors = async (each: typeof page) =>
    each.locator('.audit > li > p:nth-child(2)').allInnerTexts();
  await page.goto(`${pages.url}/console`);
  await tabTo(page, 'a[href="/console/audit"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/audit');
  const seen = await actors(page);
  for (const older of [1, 2]) {
    await tabTo(page, 'a[rel="next"]');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    seen.push(...(await actors(page)));
    t.match(await page.locator('time').first().innerText(), 'Jun 1, 2025', `page ${older}`);
  }
  t.equal(await page.getByRole('link', { name: 'Older' }).count(), 0);
  t.strictSame(
    seen.filter((actor) => actor.startsWith('desk')),
    Array.from({ length: 120 }, (_, number) => `desk ${119 - number}`),
    'each once, newest first',
  );
  const phone = await openConsole(t, pages, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await section(phone, 'Audit').click();
  await expectFits(t, phone);
  for (const before of ['x', '-1', '1e9', '99999999999999999999']) {
    await phone.goto(`${pages.url}/console/audit?before=${before}`);
    t.equal((await actors(phone)).length, 50, 'what is no position shows the newest');
  }
});
