import type { Page } from 'playwright-core';
import t from 'tap';
import { changeNotice } from '../../src/domain/notices.js';
import { maxNotices } from '../../src/domain/studio-fields.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { readStudio } from '../../src/repositories/studio-settings.js';
import { openConsole, startConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, holdForPerson, openPage } from '../support/pages.js';

const started = await startConsole(t);

async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).click()]);
}

if (started !== null) {
  const { pages, page } = started;
  const { context } = pages.service;
  const address = `${pages.url}/console/studio`;
  const studio = () => readStudio(context.database);
  const original = await studio();

  t.beforeEach(async () => {
    const { id: _, notices, ...texts } = original;
    await changeStudio(context, 'test', { ...texts, notices: JSON.stringify(notices) });
  });

  t.test('a changed detail is audited, and on the dashboard', async (t) => {
    const dashboard = await openPage(t, pages);
    await page.goto(address);
    await page.getByLabel('Name').fill('Day Heron');
    await page.getByLabel('Country').fill('de');
    await press(page, 'Save the details');
    await page.getByText('Saved. People see it now.').waitFor();
    t.match(await studio(), { name: 'Day Heron', country: 'DE', city: original.city });
    t.match(await listAuditRows(context.database, 1), [
      { actor: /Ada/, action: 'info set', details: { changed: ['name', 'country'] } },
    ]);
    await dashboard.goto(pages.url);
    await dashboard.getByText('Day Heron').first().waitFor();
    t.strictSame(await accessibilityViolations(page), []);
  });

  t.test('of two people, only who changes the same detail is refused, and sees why', async (t) => {
    const other = await openConsole(t, pages, {}, 'Grace');
    for (const each of [page, other]) await each.goto(address);
    await other.getByLabel('Name').fill('Night Owl');
    await press(other, 'Save the details');
    await page.getByLabel('City').fill('Salem');
    await press(page, 'Save the details');
    t.match(await studio(), { name: 'Night Owl', city: 'Salem' }, 'different details');

    await page.goto(address);
    await other.goto(address);
    await other.getByLabel('Description').fill('First line.\nSecond line.');
    await press(other, 'Save the details');
    await page.getByLabel('Description').fill('Mine.');
    await page.getByLabel('City').fill('Eugene');
    await press(page, 'Save the details');
    await page.getByText('The same details have changed').waitFor();
    await page.getByText('Changed meanwhile to: First line.').waitFor();
    t.match(await studio(), { description: 'First line.\nSecond line.', city: 'Salem' });
    t.equal(await page.getByLabel('Description').inputValue(), 'Mine.');
    t.equal(await page.getByLabel('City').inputValue(), 'Eugene');
    t.strictSame(await accessibilityViolations(page), []);
    await press(page, 'Save the details');
    t.match(await studio(), { description: 'Mine.', city: 'Eugene' });
  });

  t.test('all mistakes stand beside their fields; without script on a phone', async (t) => {
    const phone = await openConsole(t, pages, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    await phone.goto(address);
    const wrong = {
      Name: ['', 'Give a text of 1 to 120 characters.'],
      Description: ['x'.repeat(2001), 'Give a text of 1 to 2,000 characters.'],
      Country: ['Germany', 'Give a two-letter ISO country code'],
      'E-mail address': ['me', 'Give an e-mail address'],
      Website: ['nightheron', 'Give an address such as'],
      'Time zone': ['berlin', 'such as Europe/Berlin'],
    };
    for (const [label, [typed]] of Object.entries(wrong)) {
      await phone.getByLabel(label).fill(typed!);
    }
    await press(phone, 'Save the details');
    for (const [label, [typed, sentence]] of Object.entries(wrong)) {
      await phone.getByText(sentence!).waitFor();
      t.equal(await phone.getByLabel(label).inputValue(), typed);
    }
    t.strictSame(await studio(), original);
    await expectFits(t, phone);
  });

  t.test('another time zone warns of the bookings that keep their instant', async () => {
    await holdForPerson(pages);
    await page.goto(address);
    await page.getByLabel('Time zone').fill('america/new_york');
    await press(page, 'Save the details');
    await page.getByText('1 upcoming booking was made in another time zone').waitFor();
  });

  t.test('notices are added, changed and removed, and people see them', async (t) => {
    const held = await holdForPerson(pages, { email: 'notices@example.com' });
    const person = await openPage(t, pages);
    await page.goto(address);
    await page.getByText('Add a notice…').click();
    const adding = page.locator('details[open]');
    await adding.getByLabel('Title').fill('Parking');
    await adding.getByLabel('Text').fill('In the yard.');
    await press(page, 'Add this notice');
    await person.goto(held.url);
    await person.getByText('In the yard.').waitFor();

    await page.getByText('Change Parking…').click();
    await page.locator('details[open]').getByLabel('Text').fill('On the street.\nFree at night.');
    await press(page, 'Save this notice');
    t.match((await studio()).notices.at(-1), {
      title: 'Parking',
      text: 'On the street.\nFree at night.',
    });
    t.match(await listAuditRows(context.database, 1), [
      { actor: /Ada/, action: 'info set', details: { changed: ['notices'] } },
    ]);
    await page.getByText('Remove Parking…').click();
    await press(page, 'Remove this notice');
    t.strictSame((await studio()).notices, original.notices);
  });

  t.test('a notice that another session changed is shown and not overwritten', async (t) => {
    const [first] = original.notices;
    await page.goto(address);
    await page.getByText(`Change ${first!.title}…`).click();
    await page.locator('details[open]').getByLabel('Text').fill('Mine.');
    await changeNotice(context, 'test', { from: first!, to: { ...first!, text: 'Theirs.' } });
    await press(page, 'Save this notice');
    await page.getByText('The notice has changed since you opened this page.').waitFor();
    await page.getByText('Theirs.').waitFor();
    t.equal(await page.locator('details[open]').getByLabel('Text').inputValue(), 'Mine.');
    t.match((await studio()).notices[0], { text: 'Theirs.' });
    t.strictSame(await accessibilityViolations(page), []);
    await press(page, 'Save this notice');
    t.match((await studio()).notices[0], { text: 'Mine.' });
  });

  t.test('notices have bounds, and no two have one title', async (t) => {
    const [first] = original.notices;
    await page.goto(address);
    await page.getByText('Add a notice…').click();
    await page.locator('details[open]').getByLabel('Title').fill(first!.title);
    await press(page, 'Add this notice');
    await page.getByText('Give a text of 1 to 1,000 characters.').waitFor();
    await page.locator('details[open]').getByLabel('Text').fill('Again.');
    await press(page, 'Add this notice');
    await page.getByText('Another notice has this title.').waitFor();
    t.strictSame(await accessibilityViolations(page), []);

    for (let number = original.notices.length; number < maxNotices; number += 1) {
      await changeNotice(context, 'test', {
        from: null,
        to: { title: `No. ${number}`, text: 'x' },
      });
    }
    await page.locator('details[open]').getByLabel('Title').fill('One more');
    await press(page, 'Add this notice');
    await page.getByText('Nothing was saved.').waitFor();
    t.equal((await studio()).notices.length, maxNotices);
  });
}
