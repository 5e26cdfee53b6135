import type { Locator, Request } from 'playwright-core';
import t from 'tap';
import { endConsoleSessions } from '../../src/access/console-sessions.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { addDays } from '../../src/schedule/dates.js';
import { slotKey, slotStartsAt } from '../../src/schedule/slots.js';
import { dateWords } from '../../src/schedule/words.js';
import { addPerson, consoleLink, openConsole } from '../support/console.js';
import { postHold } from '../support/http-requests.js';
import { age, openPage } from '../support/pages.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { type BrowserService, generous, startService } from '../support/service.js';
import { startWebsite } from '../support/website.js';

const service = await startService(t, generous, { browser: true });
if (service !== null) testBrowser(service);

function testBrowser(service: BrowserService): void {
  const { context, shiftClock, url } = service;

  t.test('a second press before the answer comes does not use the link up', async (t) => {
    const page = await openPage(t, service);
    await page.goto(await consoleLink(service));
    let posts = 0;
    let answer = () => {};
    const pressedTwice = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/console/sign-in/*', async (route) => {
      posts += 1;
      const response = await route.fetch({ maxRedirects: 0 });
      await pressedTwice;
      await route.fulfill({ response });
    });
    const { x, y } = (await page.locator('button').boundingBox())!;
    // The locator's own click would wait for the answer.
    await page.mouse.click(x + 5, y + 5);
    await page.mouse.click(x + 5, y + 5);
    answer();
    await page.waitForURL(`${url}/console`);
    t.equal(posts, 1);
  });

  t.test('after a download, the page takes the next press at once', async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const { id } = await addPerson(service, slot, { name: 'Ada Copied' });
    const page = await openConsole(t, service);
    await page.goto(`${url}/console/bookings/${id}`);
    await page.getByText('Copy for the person…').click();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'JSON of this booking' }).click();
    await downloaded;
    await page.getByRole('button', { name: 'Page of this booking' }).click();
    await page.waitForURL(`${url}/console/bookings/${id}/copy`);
    t.equal(await page.locator('h2.booking').count(), 1);
  });

  t.test('a hold made elsewhere appears, is announced, keeps the focus, and lapses', async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const page = await openConsole(t, service);
    await page.goto(`${url}/console?date=${slot.date}`);
    const cell = page.locator(`[data-key="week ${slotKey(slot)}"]`);
    const card = page.locator(`[data-key="${slotKey(slot)}"]`);
    await card.getByRole('link', { name: /^Add/ }).focus();
    const { id } = await postHold(url, slot);
    await card.getByRole('link', { name: 'Ada Park', exact: true }).waitFor();
    t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Ada Park');
    t.match(await page.locator('#news').textContent(), /Ada Park/);
    t.match(await cell.innerText(), /Ada Park\s+held/);
    await age(service, id, 900);
    await cell.getByText('open').waitFor();
  });

  t.test('an open page of a session that was ended shows how to sign in', async (t) => {
    const page = await openConsole(t, service, {}, 'To end');
    const { id } = await context.database
      .selectFrom('console_sessions')
      .select('id')
      .where('name', '=', 'To end')
      .executeTakeFirstOrThrow();
    await endConsoleSessions(context, 'test', [id]);
    const [slot] = await someOpenSlots(context, 1);
    await postHold(url, slot);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    t.notMatch(await page.locator('body').innerText(), /Ada Park/);
  });

  t.test('on a phone, everyday jobs take few presses, fields included', async (t) => {
    const [slot] = await everyOpenSlot(context, 1);
    const email = 'ida@example.com';
    await addPerson(service, slot!, { name: 'Ida Nguyễn', email });
    const page = await openConsole(t, service, {
      ...{ viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true },
    });
    let presses = 0;
    const tap = async (place: Locator, typed?: string) => {
      presses += 1;
      await place.tap();
      if (typed !== undefined) await place.fill(typed);
    };
    const job = async (most: number, act: () => Promise<void>, shown: string) => {
      await page.goto(`${url}/console`);
      presses = 0;
      await act();
      await page.getByText(shown).first().waitFor();
      t.ok(presses <= most, `${shown}: ${presses} presses`);
    };
    const link = (name: string | RegExp) => page.getByRole('link', { name }).first();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const find = async () => {
      await tap(link('Bookings'));
      await tap(page.locator('#text'), 'nguyen');
      await page.keyboard.press('Enter');
      await tap(link('Ida Nguyễn'));
    };
    await job(3, find, email);
    await page.goBack();
    await page.getByText('1 found').waitFor();
    t.equal(await page.locator('#text').inputValue(), 'nguyen', 'and Back shows the search again');
    const correct = async () => {
      await tap(link('Ida Nguyễn'));
      await tap(link('Correct'));
      await tap(page.locator('#email'), 'ida.nguyen@example.com');
      await tap(button('Save the corrections'));
    };
    await job(4, correct, 'ida.nguyen@example.com');
    const closeWeek = async () => {
      await tap(link('Hours'));
      await tap(link('Close dates'));
      await tap(page.locator('#from'), addDays(slot!.date, 7));
      await tap(page.locator('#to'), addDays(slot!.date, 13));
      await tap(button('Close'));
    };
    await job(6, closeWeek, 'Closed. These sessions can no longer be booked.');
  });

  t.test('a session that ends while one types keeps what was typed', async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const { id } = await addPerson(service, slot, { name: 'Nora' });
    const page = await openConsole(t, service, {}, 'To end, too');
    await page.goto(`${url}/console/bookings/${id}`);
    await page.getByText('Add a note…').click();
    await page.locator('#note').fill('Prefers mornings');
    await context.database
      .deleteFrom('console_sessions')
      .where('name', '=', 'To end, too')
      .execute();
    // An event elsewhere does not take it away, either.
    const refused = page.waitForResponse((response) => response.status() === 401);
    await addPerson(service, (await someOpenSlots(context, 1))[0]);
    await refused;
    await page.getByRole('button', { name: 'Save the note' }).click();
    await page.getByText('Nothing was sent, and what you typed is still here').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(await consoleLink(service));
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('heading', { name: /^Today/ }).waitFor();
    await page.getByRole('button', { name: 'Save the note' }).click();
    await page.getByText('The note is saved.').waitFor();
    t.match(await page.locator('.facts').first().innerText(), /Prefers mornings/);
  });

  t.test('a page whose connection is lost says so, and no longer when it is back', async (t) => {
    const page = await openConsole(t, service);
    await page.context().setOffline(true);
    await page.locator('#stale').waitFor({ state: 'visible' });
    await page.context().setOffline(false);
    await page.locator('#stale').waitFor({ state: 'hidden' });
    t.equal(page.url(), `${url}/console`);
  });

  t.test('a page that is refused is fetched once for an event, not again and again', async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const { id } = await addPerson(service, slot);
    await cancelByStudio(context, 'test', id);
    const page = await openConsole(t, service);
    const address = `${url}/console/bookings/${id}/move`;
    // The page that is still open may be refreshing itself.
    const isRefresh = (request: Request) =>
      request.url() === address && request.resourceType() === 'fetch';
    let fetched = 0;
    page.on('request', (request) => {
      if (isRefresh(request)) fetched += 1;
    });
    // A stream of one event, which is not opened again.
    const body = 'retry: 3600000\nevent: availability\ndata: {}\n\n';
    await page.route('**/api/public/events', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body }),
    );
    await page.clock.install();
    const refresh = page.waitForResponse((response) => isRefresh(response.request()));
    const answer = await page.goto(address);
    t.equal(answer?.status(), 409);
    t.equal((await refresh).status(), 409);
    for (let pauses = 0; pauses < 5; pauses += 1) {
      await page.clock.runFor(3_100);
      await page.evaluate(() => fetch('/healthz').then(({ status }) => status));
    }
    t.equal(fetched, 1);
  });

  t.test('a visit from a mail, another website or a bookmark is still signed in', async (t) => {
    const page = await openConsole(t, service);
    const { origin, show } = await startWebsite(t);
    show('/', () => ({ body: `<a href="${url}/console/sign-ins">mail</a>` }));
    await page.goto(origin);
    await page.getByRole('link', { name: 'mail' }).click();
    await page.getByRole('heading', { name: 'Sign-ins' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${url}/console`);
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  t.test('another website can neither post to the console, nor frame or read it', async (t) => {
    const page = await openConsole(t, service);
    const form = `<form method="post" action="${url}/console/sign-out"><button>Win</button></form>`;
    const { origin, show } = await startWebsite(t);
    show('/', () => ({ body: form }));
    show('/frame', () => ({ body: `<iframe src="${url}/console"></iframe>` }));
    await page.goto(origin);
    const posting = page.waitForResponse(`${url}/console/sign-out`);
    await page.getByRole('button', { name: 'Win' }).click();
    t.match((await posting).status(), /^40[13]$/);

    const tab = await page.context().newPage();
    await tab.goto(`${origin}/frame`);
    const frame = tab.frames().find((each) => each !== tab.mainFrame())!;
    t.equal(await frame.locator('nav').count(), 0);
    t.match(frame.url(), /^chrome-error:/);
    const read = await tab.evaluate(
      (address) =>
        fetch(address, { credentials: 'include' })
          .then((answer) => answer.text())
          .catch(String),
      `${url}/console`,
    );
    t.match(read, /TypeError/);
  });

  t.test('a page of today is no longer called that after midnight', async (t) => {
    const slots = await everyOpenSlot(context, 3);
    const { calendar } = await context.board.read();
    const { date } = slots.find(({ timeSlot }) => timeSlot === '5:00 PM')!;
    const { epochMs } = slotStartsAt(calendar.timezone, date, '5:00 PM');
    const evening = epochMs - Date.now() + 6 * 3_600_000;
    await shiftClock(evening);
    const page = await openConsole(t, service);
    await page.goto(`${url}/console?date=${date}`);
    t.match(await page.locator('h1').innerText(), /^Today, /);
    await shiftClock(evening + 2 * 3_600_000);
    await postHold(url, slots.at(-1)!);
    const { weekday, month, day } = dateWords(date);
    const name = `${weekday}, ${month} ${day}`;
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    await shiftClock(0);
  });
}
