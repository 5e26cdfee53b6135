import t from 'tap';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { slotKey } from '../../src/calendar/slots.js';
import { accessibilityViolations, holdForPerson, openPage, startPages } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

void t.test('without JavaScript the page shows the current calendar and figures', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const slots = await someOpenSlots(context, 2);
  const held = await holdForPerson(pages);
  await confirmCheckout(context, held.token);
  await holdForPerson(pages);

  const page = await openPage(t, pages, { javaScriptEnabled: false });
  await page.goto(pages.url);
  t.equal(await page.locator('h1').innerText(), 'Night Heron Tattoo');
  t.equal(await page.locator('#days > li').count(), 31);
  t.equal(await page.locator('#days .slots > li').count(), 93, 'three slots a day');
  const cell = (index: number) => page.locator(`[data-key="${slotKey(slots[index]!)}"]`);
  t.match(await cell(0).innerText(), /taken/);
  t.match(await cell(1).innerText(), /held until \d+:\d\d\s[AP]M/);
  const open = await page.locator('#days .slot.open').count();
  t.equal(await page.locator('[data-key="figure open"] dd').innerText(), String(open));
  t.equal(await page.locator('[data-key="figure held"] dd').innerText(), '1');
  t.equal(await page.locator('[data-key="figure taken"] dd').innerText(), '1');
  const text = await page.locator('body').innerText();
  for (const said of [
    '418 SE Alder Row',
    'Tue – Sat',
    '9 AM – 8 PM',
    'Mon\nclosed',
    'Load it again',
  ]) {
    t.match(text, said);
  }
  t.equal(await page.locator('#changes li').count(), 3);
});

void t.test('a day with a closure shows every slot as closed', async (t) => {
  const service = await startTestService(t);
  const { context, app } = service;
  const [slot] = await someOpenSlots(context, 1);
  await context.database
    .insertInto('closures')
    .values({ from_date: slot!.date, to_date: slot!.date, time_slot: null })
    .execute();
  await context.board.refresh();
  const { body } = await app.inject('/');
  const day = body.slice(body.indexOf(`datetime="${slot!.date}"`)).split('</ul>')[0]!;
  t.match(body, /<li class="day shut">/);
  t.equal((day.match(/>closed</g) ?? []).length, 3, day);
});

void t.test('axe finds no violation, light or dark, from phone to wall screen', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  await confirmCheckout(context, (await holdForPerson(pages)).token);
  await holdForPerson(pages);
  for (const [colorScheme, width] of [
    ['light', 390],
    ['dark', 1280],
    ['light', 1920],
  ] as const) {
    const page = await openPage(t, pages, { colorScheme, viewport: { width, height: 1080 } });
    await page.goto(pages.url);
    await page.waitForSelector('.counting');
    t.strictSame(await accessibilityViolations(page), [], `${colorScheme}, ${width}`);
    await page.evaluate(() => document.body.classList.add('stale'));
    t.strictSame(await accessibilityViolations(page), [], `stale, ${colorScheme}, ${width}`);
    t.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      `nothing is wider than ${width}`,
    );
    if (width < 1920) continue;
    t.ok(
      await page.evaluate(() => document.documentElement.scrollHeight <= 1080),
      'a wall screen shows everything at once',
    );
  }
});

void t.test('no text overflows its box on any screen width', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  await holdForPerson(pages);
  const page = await openPage(t, pages);
  await page.goto(pages.url);
  await page.waitForSelector('.counting');
  for (const width of [320, 390, 768, 1024, 1247, 1248, 1440, 1855, 1856, 1920, 2560, 3840]) {
    await page.setViewportSize({ width, height: Math.round((width * 9) / 16) });
    const cut = await page
      .locator('.slots .slot, h3, .figures dd, .changes li')
      .evaluateAll((all) =>
        all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.outerHTML),
      );
    t.strictSame(cut, [], `${width} pixels`);
  }
});

void t.test('text at 200 % is not cut off on a phone', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  await holdForPerson(pages);
  const page = await openPage(t, pages, { viewport: { width: 390, height: 844 } });
  await page.goto(pages.url);
  await page.waitForSelector('.counting');
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const cut = await page
    .locator('.slots .slot:visible, .figures dd')
    .evaluateAll((all) =>
      all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.outerHTML),
    );
  t.strictSame(cut, []);
  const figure = page.locator('.figures .open dd');
  const { lines, text } = await figure.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return { lines: range.getClientRects().length, text: each.textContent };
  });
  t.equal(lines, 1, `${text} is one number`);
});

void t.test('the page is rendered once per state, and an unchanged one gets 304', async (t) => {
  const { app, context } = await startTestService(t);
  const [first, second] = await Promise.all([app.inject('/'), app.inject('/')]);
  const { etag } = first.headers;
  t.equal(second.headers.etag, etag);
  t.match(first.headers, {
    'cache-control': 'no-cache',
    'content-security-policy': /default-src 'none'/,
    vary: /accept-encoding/,
  });
  t.notMatch(first.headers['content-security-policy'], /unsafe-/);
  for (const url of ['/', '/present']) {
    for (const [condition, status] of [
      [String(etag), 304],
      [String(etag).slice(2), 304],
      [`"other", ${String(etag)}`, 304],
      ['*', 304],
      ['"other"', 200],
      [`"other${String(etag).slice(3)}`, 200],
    ] as const) {
      const again = await app.inject({ url, headers: { 'if-none-match': condition } });
      t.equal(again.statusCode, status, `${url} ${condition}`);
      t.equal(again.body === '', status === 304);
    }
  }
  t.ok(
    first.body.includes((await app.inject('/present')).body),
    'the page contains the part that changes',
  );

  const held = await holdForPerson({ service: { context } as never });
  const changed = await app.inject({ url: '/', headers: { 'if-none-match': String(etag) } });
  t.equal(changed.statusCode, 200, 'a change is visible at once');
  t.match(changed.body, /held<span class="until"> until/);
  for (const personal of ['Ada', 'example.com"', '5555550142', held.id, held.token]) {
    t.notMatch(changed.body, personal);
  }
});

void t.test(
  'the page lists the latest changes, newest first, including those before the start',
  async (t) => {
    const service = await startTestService(t);
    const { context, app } = service;
    const changes = async (): Promise<string[]> => {
      const { body } = await app.inject('/present');
      const lines = [...body.matchAll(/class="what">(?:[^<]*) (is [a-z ]+)</g)];
      return lines.map(([, what]) => what!);
    };
    t.strictSame(await changes(), []);
    const pages = { service };
    const confirmed = await holdForPerson(pages);
    await confirmCheckout(context, confirmed.token);
    t.strictSame(await changes(), ['is taken', 'is held']);
    await holdForPerson(pages);
    t.strictSame(await changes(), ['is held', 'is taken', 'is held']);
    await releaseCheckout(context, confirmed.token, 'confirmed');
    await service.shiftClock(15 * 60_000);
    t.strictSame(await changes(), [
      'is free again',
      'is free again',
      'is held',
      'is taken',
      'is held',
    ]);
  },
);

void t.test('hostile text of the studio is shown as text', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>\u202E${'x'.repeat(900)}`;
  await context.database
    .updateTable('studio')
    .set({ name: hostile, description: hostile, street: hostile, city: hostile })
    .execute();
  await context.board.refresh();
  const page = await openPage(t, pages, { viewport: { width: 390, height: 800 } });
  await page.goto(pages.url);
  t.equal(
    await page.locator('img, script:not([src]):not([type="application/ld+json"])').count(),
    0,
  );
  t.ok((await page.locator('h1').textContent())?.includes(hostile));
  t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
});
