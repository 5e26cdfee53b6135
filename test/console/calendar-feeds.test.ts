import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { sections } from '../../src/console/console-page.js';
import { addPerson, newestActions } from '../support/console-bookings.js';
import { pressesFrom, section } from '../support/console-presses.js';
import { openConsole, startConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, tabTo, type Pages } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';

async function read(address: string): Promise<{ status: number; text: string }> {
  const response = await fetch(address);
  return { status: response.status, text: await response.text() };
}

/** The address that a page shows once. */
async function shownAddress(page: Page): Promise<string> {
  const field = page.locator('.new-address input');
  await field.waitFor();
  return field.inputValue();
}

/** Fails the test if an address, a later page, the log or the audit has the secret of a feed. */
async function expectShownOnce(t: Test, pages: Pages, page: Page, address: string): Promise<void> {
  const secret = /\/calendar\/(tsf_\w+)\.ics$/.exec(address)?.[1] ?? '';
  t.not(secret, '', 'an address has a secret');
  t.notOk(page.url().includes(secret), 'the address of the page');
  for (const { path } of Object.values(sections)) {
    await page.goto(`${pages.url}${path}`);
    t.notOk((await page.content()).includes(secret), path);
  }
  t.notOk(pages.service.logLines.join('').includes(secret), 'the log');
  const audit = await pages.service.context.database.selectFrom('audit_log').selectAll().execute();
  t.notOk(JSON.stringify(audit).includes(secret), 'the audit');
}

void t.test(
  'an address is made in two presses, shows the bookings, and is shown once',
  async (t) => {
    const started = await startConsole(t);
    if (started === null) return;
    const { pages, page } = started;
    const [slot] = await someOpenSlots(pages.service.context, 1);
    await addPerson(pages, slot!, { name: 'Grace Hopper', phone: '5035550142' });

    const presses = await pressesFrom(page, pages.url);
    await presses.press(section(page, 'Calendars'));
    await page.locator('#feed-label').fill('Phone');
    await page.getByLabel('Show names and phone numbers').check();
    await presses.press(page.getByRole('button', { name: 'Make the address' }));
    const address = await shownAddress(page);
    t.equal(presses.count(), 2);
    t.match(
      await page.locator('.new-address').innerText(),
      /not shown again.*Anyone who has it can read/,
    );
    t.equal(
      await page.getByRole('link', { name: 'Subscribe on this device' }).getAttribute('href'),
      address.replace('http:', 'webcal:'),
    );
    t.strictSame(await accessibilityViolations(page), []);
    const { status, text } = await read(address);
    t.equal(status, 200);
    t.match(text, /^BEGIN:VCALENDAR[^]*Grace Hopper/);

    await expectShownOnce(t, pages, page, address);
    await section(page, 'Calendars').click();
    t.match(await page.locator('.feeds').innerText(), /Phone\s+Names and phone numbers\s+created/);
    t.match(await newestActions(pages, 1), [{ actor: /^Ada/, action: 'calendar feed add' }]);

    await page.getByText('Make an address…').click();
    await page.locator('#feed-label').fill('Tablet');
    await page.getByRole('button', { name: 'Make the address' }).click();
    const initials = await read(await shownAddress(page));
    t.match(initials.text, /G\. ?H\./);
    t.notMatch(initials.text, /Grace|Hopper|555/);
  },
);

void t.test('an address that is replaced or removed is gone at once', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  await section(page, 'Calendars').click();
  await page.locator('#feed-label').fill('Phone');
  await page.getByRole('button', { name: 'Make the address' }).click();
  const first = await shownAddress(page);
  const other = await openConsole(t, pages, {}, 'Grace');
  await section(other, 'Calendars').click();

  const presses = await pressesFrom(page, pages.url);
  await presses.press(section(page, 'Calendars'));
  await page.getByText('New address for Phone…').click();
  t.match(await page.locator('.feeds details[open]').innerText(), 'stops at once');
  await page.getByRole('button', { name: 'Replace the address' }).click();
  const second = await shownAddress(page);
  t.not(second, first);
  t.equal((await read(first)).status, 404);
  t.equal((await read(second)).status, 200);
  await expectShownOnce(t, pages, page, second);

  // What follows the form, opened again, replaces nothing.
  await page.goto(`${pages.url}/console/calendars/feeds`);
  t.equal(page.url(), `${pages.url}/console/calendars`);
  await page.getByText('Remove Phone…').click();
  await page.getByRole('button', { name: 'Remove the address' }).click();
  await page.waitForURL('**?done=removed');
  t.equal((await read(second)).status, 404);

  await other.getByText('New address for Phone…').click();
  await other.getByRole('button', { name: 'Replace the address' }).click();
  t.match(await other.getByRole('alert').innerText(), 'had been removed before');
  const actions = (await newestActions(pages, 2)).map(({ action }) => action);
  t.strictSame(actions, ['calendar feed remove', 'calendar feed rotate']);
});

void t.test('by keyboard alone, and without script on a phone, an address is made', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  await page.goto(`${pages.url}/console`);
  await tabTo(page, 'a[href="/console/calendars"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/calendars');
  await tabTo(page, '#feed-label');
  await page.keyboard.type('Desk');
  await tabTo(page, 'input[name=details]');
  await page.keyboard.press('Space');
  await tabTo(page, '.calendar-form button');
  await page.keyboard.press('Enter');
  await shownAddress(page);
  await tabTo(page, '.new-address input');
  const selected = await page.evaluate(() => {
    const { activeElement: field } = document;
    return field instanceof HTMLInputElement && field.selectionEnd === field.value.length;
  });
  t.ok(selected, 'ready to copy');
  await tabTo(page, '.feeds summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '.feeds details[open] button');
  await page.keyboard.press('Enter');
  await page.getByText('The address is replaced.').waitFor();

  const phone = await openConsole(t, pages, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await section(phone, 'Calendars').click();
  await phone.getByText('Make an address…').click();
  await expectFits(t, phone);
  await phone.locator('#feed-label').fill('Phone');
  await phone.getByRole('button', { name: 'Make the address' }).click();
  t.equal((await read(await shownAddress(phone))).status, 200);
  await expectFits(t, phone);
});

void t.test('an address without a label is refused, and what was typed stays', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  await section(page, 'Calendars').click();
  for (const label of ['', 'x'.repeat(61)]) {
    await page.locator('#feed-label').fill(label);
    await page.getByLabel('Show names and phone numbers').check();
    await page.getByRole('button', { name: 'Make the address' }).click();
    await page.getByText('No address was made.').waitFor();
    t.match(await page.locator('#feed-label-mistake').innerText(), 'at most 60 characters');
    t.equal(await page.locator('#feed-label').inputValue(), label);
    t.ok(await page.getByLabel('Show names and phone numbers').isChecked());
    t.strictSame(await accessibilityViolations(page), []);
  }
  const { database } = pages.service.context;
  t.strictSame(await database.selectFrom('calendar_feeds').select('id').execute(), []);
});
