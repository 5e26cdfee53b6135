import type { Page } from 'playwright-core';
import t from 'tap';
import { linkToAdd } from '../../src/console/links.js';
import { studioToday } from '../../src/domain/studio/settings.js';
import { addDays } from '../../src/schedule/dates.js';
import { openConsole } from '../support/console.js';
import { tabTo } from '../support/pages.js';
import { generous, startService } from '../support/service.js';
import { insertRows } from './rows.js';

/** Where Tab leads to, and what is typed there; `Enter` and the like are pressed. */
type Step = [selector: string, ...typed: string[]];

/** Walks from `/console` with the keyboard alone. Enter opens a page, but on a summary. */
async function walk(page: Page, url: string, steps: Step[], shown: string): Promise<void> {
  await page.goto(`${url}/console`);
  for (const [selector, ...typed] of steps) {
    await page.locator(selector).first().waitFor({ state: 'attached' });
    await tabTo(page, selector);
    const opensPage = typed.at(-1) === 'Enter' && !selector.includes('summary');
    const loaded = opensPage ? page.waitForEvent('load') : null;
    for (const each of typed) {
      if (['Enter', 'Space', 'ArrowDown'].includes(each)) await page.keyboard.press(each);
      else await page.keyboard.type(each);
    }
    await loaded;
  }
  await page.getByText(shown).first().waitFor();
}

const service = await startService(t, generous, { browser: true });
if (service !== null) {
  const { url } = service;
  const { cora, free } = await insertRows(service.context);
  const toAdd = free[0]!;
  const tomorrow = addDays(await studioToday(service.context), 1);
  const page = await openConsole(t, service);
  const section = (name: string): Step => [`nav a[href="/console/${name}"]`, 'Enter'];
  const booking = (id: string): Step => [`a[href="/console/bookings/${id}"]`, 'Enter'];

  const journeys: [name: string, shown: string, ...steps: Step[]][] = [
    [
      'a booking is cancelled',
      'Cancelled. The slot is free again.',
      booking(cora.id),
      ['details:has(form[action$="/cancel"]) > summary', 'Enter'],
      ['#reason', 'The artist is ill'],
      ['form[action$="/cancel"] button', 'Enter'],
    ],
    [
      'a booking is added',
      'Added.',
      [`a[href="/console?date=${toAdd.date}"]`, 'Enter'],
      [`a[href="${linkToAdd(toAdd)}"]`, 'Enter'],
      ['#name', 'Walter Walk-In', 'Enter'],
    ],
    [
      'one session is closed',
      'Closed. These sessions',
      [`main a[href="/console/closures/new?date=${tomorrow}"]`, 'Enter'],
      ['#time_slot', 'ArrowDown'],
      ['#reason', 'Dentist', 'Enter'],
    ],
    [
      'the week is changed',
      'Saved. People see the new hours.',
      section('hours'),
      ['input[name="sessions-2"][value="9:00 AM"]', 'Space', 'Enter'],
    ],
    ['older changes follow', 'Newest', section('audit'), ['a[rel=next]', 'Enter']],
  ];
  for (const [name, shown, ...steps] of journeys) {
    t.test(`by keyboard alone, ${name}`, async (t) => {
      await walk(page, url, steps, shown);
      t.notMatch(new URL(page.url()).pathname, /^\/console$/);
    });
  }

  t.test('a new address for a calendar is selected as soon as it has the focus', async (t) => {
    await page.goto(`${url}/console/calendars`);
    await page.locator('#feed-label').fill('Phone');
    await page.getByRole('button', { name: 'Make the address' }).click();
    await page.locator('.new-address input').waitFor();
    await tabTo(page, '.new-address input');
    const selected = await page.evaluate(() => {
      const { activeElement: field } = document;
      return field instanceof HTMLInputElement && field.selectionEnd === field.value.length;
    });
    t.ok(selected, 'ready to copy');
  });
}
