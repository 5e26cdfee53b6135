import { sql } from 'kysely';
import t from 'tap';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import {
  accessibilityViolations,
  age,
  holdForPerson,
  moveUrl,
  openPage,
  startPages,
  type Pages,
} from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';

/** The address of a page in each state. */
async function everyState(pages: Pages): Promise<Record<string, string>> {
  const { context } = pages.service;
  const pending = await holdForPerson(pages);
  const confirmed = await holdForPerson(pages);
  await confirmCheckout(context, confirmed.token);
  const released = await holdForPerson(pages);
  await releaseCheckout(context, released.token, 'pending');
  const cancelled = await holdForPerson(pages);
  await confirmCheckout(context, cancelled.token);
  await releaseCheckout(context, cancelled.token, 'confirmed');
  const gone = await holdForPerson(pages);
  await age(pages, gone.id, 901);
  await confirmCheckout(context, (await holdForPerson(pages)).token);
  const past = await holdForPerson(pages);
  await confirmCheckout(context, past.token);
  await context.database
    .updateTable('bookings')
    .set({ starts_at: new Date(0), date: '1970-01-01' })
    .where('id', '=', past.id)
    .execute();
  const limited = await holdForPerson(pages);
  await confirmCheckout(context, limited.token);
  await context.database
    .updateTable('bookings')
    .set({ moves_once_confirmed: 2, moved_at: sql<Date>`confirmed_at + interval '1 minute'` })
    .where('id', '=', limited.id)
    .execute();
  const [, open] = await someOpenSlots(context, 2);
  const expired = await holdForPerson(pages);
  await age(pages, expired.id, 901);
  return {
    pending: pending.url,
    confirmed: confirmed.url,
    released: released.url,
    cancelled: cancelled.url,
    gone: gone.url,
    past: past.url,
    expired: expired.url,
    limited: limited.url,
    'choosing a time': `${confirmed.url}/move`,
    'refused a time': moveUrl(pending.url, confirmed.slot),
    'asked to move': moveUrl(confirmed.url, open!),
    'refused to move': `${limited.url}/move`,
    unknown: `${pages.url}/checkout/unknown`,
    truncated: `${pages.url}/checkout`,
    extended: `${expired.url}/and.so/on`,
  };
}

void t.test('axe finds no violation in any state, light or dark, wide or narrow', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const states = await everyState(pages);
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    const page = await openPage(t, pages, { colorScheme, viewport: { width, height: 800 } });
    for (const [name, url] of Object.entries(states)) {
      await page.goto(url);
      if (name === 'confirmed') await page.click('summary');
      t.strictSame(await accessibilityViolations(page), [], `${name}, ${colorScheme}, ${width}`);
    }
  }
});

void t.test(
  'every state has its own title and offers only the actions that it allows',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const states = await everyState(pages);
    const page = await openPage(t, pages, { javaScriptEnabled: false });
    const actions: Record<string, string[]> = {
      pending: ['confirm', 'release'],
      confirmed: ['cancel'],
      expired: ['hold_again'],
      limited: ['cancel'],
      'asked to move': ['move'],
    };
    for (const [name, url] of Object.entries(states)) {
      await page.goto(url);
      const offered = await page
        .locator('button')
        .evaluateAll((buttons) => buttons.map((button) => (button as HTMLButtonElement).value));
      t.strictSame(offered, actions[name] ?? [], name);
      t.equal(await page.locator('h1').count(), 1);
      t.match(
        await page.title(),
        await page.locator('h1').innerText(),
        'the title contains the heading',
      );
      t.match(await page.locator('body').innerText(), 'Night Heron Tattoo');
      const files = await page.locator('a[href$="calendar.ics"]').count();
      t.equal(
        files,
        ['confirmed', 'cancelled', 'limited'].includes(name) ? 1 : 0,
        'the calendar file',
      );
    }
    await page.goto(states['cancelled']!);
    const another = page.getByRole('link', { name: 'See what is open and book it' });
    t.equal(await another.getAttribute('href'), '/book');
    await page.goto(states['confirmed']!);
    const text = await page.locator('main').innerText();
    for (const said of [
      /Pacific (Standard|Daylight) Time/,
      '418 SE Alder Row',
      'Nothing now',
      '18 or older',
    ]) {
      t.match(text, said);
    }
    const map = new URL((await page.getByText('Open the map').getAttribute('href'))!);
    t.match(map.searchParams.get('query'), /418 SE Alder Row, Portland, OR 97214/);
  },
);

void t.test('a database failure shows an error page for people, with a reference', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { url } = await holdForPerson(pages);
  const page = await openPage(t, pages);
  pages.service.expectLog(/relation .+ does not exist/);
  await pages.service.context.database.schema.alterTable('bookings').renameTo('away').execute();
  await page.goto(url);
  t.match(await page.locator('h1').innerText(), 'Something went wrong on our side');
  t.match(await page.locator('main').innerText(), /Reference: [0-9a-f-]{36}/);
  t.notMatch(await page.content(), /relation|bookings|select/i, 'no internals');
  t.strictSame(await accessibilityViolations(page), []);
});

void t.test('the confirmed page prints the session without buttons', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { confirmed } = await everyState(pages);
  const page = await openPage(t, pages, { colorScheme: 'dark' });
  await page.goto(confirmed!);
  await page.emulateMedia({ media: 'print' });
  t.equal(
    await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    'rgb(255, 255, 255)',
  );
  t.ok(await page.locator('.when').isVisible());
  t.ok(await page.getByText('You must be 18 or older').isVisible());
  for (const selector of ['form', 'a[href$="calendar.ics"]', 'details']) {
    t.notOk(await page.locator(selector).first().isVisible(), `${selector} is not printed`);
  }
});
