import t from 'tap';
import { addDays } from '../../src/calendar/dates.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { openConsole, startConsole } from '../support/console.js';
import { addPerson } from '../support/console-bookings.js';
import { accessibilityViolations, expectFits, holdForPerson } from '../support/pages.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';

t.test(
  'bookings are listed by date and found by name, e-mail, phone and id; nothing personal gets into an address or the log',
  async (t) => {
    const started = await startConsole(t);
    if (started === null) return;
    const { pages, page } = started;
    const { context, logLines } = pages.service;
    const slots = await everyOpenSlot(context, 2);
    const heron = await addPerson(pages, slots[60]!, {
      name: 'Zoë Heron_Smith',
      email: 'Zoe+tattoo@example.com',
      phone: '(971) 555-0199',
      idea: 'A secret crane',
    });
    const gone = await addPerson(pages, slots[61]!, { name: 'Gone' });
    await cancelByStudio(context, 'test', gone.id, { reason: 'A private reason' });
    for (const slot of slots.slice(0, 55)) await addPerson(pages, slot, { name: 'Somebody' });
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));

    const list = `${pages.url}/console/bookings`;
    const rows = page.locator('.booking-rows li');
    await page.goto(list);
    t.equal(await rows.count(), 50);
    await page.getByRole('link', { name: 'Later' }).click();
    await page.getByRole('link', { name: 'Earlier' }).waitFor();
    t.equal(await rows.count(), 6);
    t.same(await accessibilityViolations(page), []);
    await page.goto(list);
    await page.getByLabel('From').fill(heron.date);
    await page.getByLabel('To').fill(addDays(heron.date, 14));
    await page.getByLabel('Status').selectOption('cancelled');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/status=cancelled/);
    t.match(await rows.allInnerTexts(), [/Gone/]);
    await page.goto(`${list}?from=nonsense&to=2026-02-31&status=__proto__&page=-3`);
    t.equal(await rows.count(), 50, 'what is no filter is ignored');

    for (const text of [
      'zoë',
      'heron_s',
      'ZOE+TATTOO@example.com',
      '(971) 555-0199',
      '+1 971 555 0199',
      '\u202A+1 (971) 555\u00A00199\u202C',
      '0199',
      heron.id.slice(0, 8),
      heron.id,
    ]) {
      await page.getByRole('searchbox').fill(text);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByText('1 found').waitFor();
      t.match(await rows.innerText(), /Zoë Heron_Smith/, text);
      t.equal(page.url(), list);
      t.equal(await page.getByRole('searchbox').inputValue(), text);
      await page.goto(list);
    }
    for (const [text, answer] of [
      ['%', 'Nothing was found.'],
      ['heron%smith', 'Nothing was found.'],
      ['\\', 'Nothing was found.'],
      ['  ', 'Nothing was found.'],
      ['somebody', 'The first 50 found'],
    ] as const) {
      await page.getByRole('searchbox').fill(text);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByText(answer).waitFor();
    }
    t.same(await accessibilityViolations(page), []);
    await page.goto(`${list}/${heron.id}`);

    const personal = /zo[eë]|heron|0199|555|secret|private|somebody/i;
    for (const address of addresses) t.notMatch(decodeURIComponent(address), personal);
    for (const line of logLines) t.notMatch(line, /zo[eë]|heron_|5550199|crane|private reason/i);
  },
);

t.test(
  'names and ideas that are markup or change the direction of text are only text',
  async (t) => {
    const started = await startConsole(t);
    if (started === null) return;
    const { pages } = started;
    const [slot] = await someOpenSlots(pages.service.context, 1);
    const markup = '</title><img src=x onerror=alert(1)>"\'<script>alert(2)</script>';
    const { id } = await holdForPerson(pages, {
      name: `\u202e${markup}`,
      idea: `\u202e</textarea>${markup}\n${'w'.repeat(900)}`,
      pronouns: '\u2067<b>they</b>',
    });
    t.ok(slot);
    const page = await openConsole(t, pages, { viewport: { width: 390, height: 844 } });
    const path = `${pages.url}/console/bookings/${id}`;
    for (const address of [
      `${pages.url}/console`,
      `${pages.url}/console/bookings`,
      path,
      `${path}/move`,
    ]) {
      await page.goto(address);
      t.match(await page.locator('#work').innerText(), /<script>alert\(2\)<\/script>/);
      t.equal(await page.locator('img, b, main script').count(), 0);
      await expectFits(t, page);
    }
    await page.goto(path);
    t.equal(await page.locator('.facts bdi', { hasText: 'onerror' }).count(), 1);
    await page.goto(`${pages.url}/console/bookings`);
    await page.getByRole('searchbox').fill(`"><img src=x>${markup}`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Nothing was found.').waitFor();
    t.equal(await page.locator('img').count(), 0);
  },
);
