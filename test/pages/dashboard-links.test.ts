import t from 'tap';
import { bookingLabel } from '../../src/calendar/slot-label.js';
import { parseSlotKey } from '../../src/calendar/slots.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { holdForPerson, loadCost, openPage, startPages } from '../support/pages.js';

void t.test('every open time leads to its form, and no other time leads anywhere', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  await confirmCheckout(context, (await holdForPerson(pages)).token);
  await holdForPerson(pages);
  const page = await openPage(t, pages, { javaScriptEnabled: false });
  await page.goto(pages.url);
  const openCells = page.locator('#days .slot.open');
  const cells = await openCells.evaluateAll((all) =>
    all.map((each) => ({
      key: each.getAttribute('data-key') ?? '',
      links: [...each.querySelectorAll('a')].map((link) => link.getAttribute('href')),
    })),
  );
  t.ok(cells.length > 10, `${cells.length} open times`);
  for (const { key, links } of cells) {
    const { date, timeSlot } = parseSlotKey(key);
    const [hour] = timeSlot.split(':');
    const href = `/book?date=${date}&time_slot=${hour}%3A00+${timeSlot.slice(-2)}`;
    t.strictSame(links, [href], key);
  }
  t.equal(await page.locator('#days a').count(), cells.length);
  for (const state of ['held', 'taken', 'closed']) {
    t.ok((await page.locator(`#days .slot.${state}`).count()) > 0, `there are ${state} times`);
  }

  const [first] = cells;
  const { date, timeSlot } = parseSlotKey(first!.key);
  const day = bookingLabel({ date, timeSlot }).replace(/, \d+ at .*/, '');
  const name = `${timeSlot.replace(':00', '')} on ${day}, open`;
  const link = page.getByRole('link', { name, exact: true });
  t.equal(await link.getAttribute('href'), first!.links[0]);
  const [inner, outer] = [await link.boundingBox(), await openCells.first().boundingBox()];
  t.ok(
    inner!.width >= outer!.width && inner!.height >= outer!.height && inner!.height >= 24,
    'the whole cell is pressed',
  );
  t.equal(await page.locator('.next-open a').getAttribute('href'), first!.links[0], 'the next one');
  t.equal(await page.getByRole('link', { name: 'Choose a time' }).getAttribute('href'), '/book');
  t.equal(await page.getByRole('link', { name: 'the guide' }).getAttribute('href'), '/guide.md');
  t.equal(await page.getByRole('link', { name: 'the reference' }).getAttribute('href'), '/docs');
});

void t.test('the dashboard loads under 50 kB', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const page = await openPage(t, pages, { javaScriptEnabled: false });
  const { requests, bytes } = await loadCost(page, pages.url);
  const script = await page.locator('script[src]').getAttribute('src');
  const { body } = await pages.service.app.inject({
    url: script!,
    headers: { 'accept-encoding': 'br' },
  });
  t.equal(requests.length, 3, requests.join(' '));
  t.ok(requests.every((each) => each.startsWith(`${pages.url}/`)));
  const total = bytes + Buffer.byteLength(body);
  t.ok(total > 1_000 && total < 50_000, `${total} bytes`);
  t.comment(`${total} bytes in ${requests.length + 1} requests`);
});
