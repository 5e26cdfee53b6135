import t from 'tap';
import { addDays } from '../../src/calendar/dates.js';
import { slotKey, slotStartsAt } from '../../src/calendar/slots.js';
import { endConsoleSessions } from '../../src/access/console-sessions.js';
import { dateWords } from '../../src/calendar/words.js';
import { addBooking, recordNoShow } from '../../src/domain/studio-bookings.js';
import { consoleLink, openConsole, startConsole } from '../support/console.js';
import { age, holdForPerson, openPage, postHold, startPages } from '../support/pages.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { soonMs, withinASecond } from '../support/seconds.js';
import { studioOn } from '../support/studio.js';

void t.test('a fresh installation shows its day after one command and one press', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const studio = studioOn(context);
  const { url } = (await studio('console', 'link', '--name', 'Desk', '--json')).json<{
    url: string;
  }>();
  const page = await openPage(t, pages);
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${pages.url}/console`);
  t.match(await page.locator('h1').innerText(), /^Today, \w+, \w+ \d+$/);
  t.equal(await page.locator('.slots .slot').count(), 3);
  t.equal(await page.locator('.agenda .day').count(), 7);
  t.match(await page.locator('.who').innerText(), 'Desk');
});

void t.test('a second press before the answer comes does not use the link up', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const page = await openPage(t, pages);
  await page.goto(await consoleLink(pages.service));
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
  await page.waitForURL(`${pages.url}/console`);
  t.equal(posts, 1);
});

void t.test('a hold made elsewhere appears within a second, and goes when it lapses', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  const slots = await someOpenSlots(pages.service.context, 3);
  const took: number[] = [];
  for (const slot of slots) {
    const cell = page.locator(`[data-key="week ${slotKey(slot)}"]`);
    const isWithinWeek = (await cell.count()) > 0;
    if (!isWithinWeek) await page.goto(`${pages.url}/console?date=${slot.date}`);
    const { id } = await postHold(pages.url, slot);
    const at = performance.now();
    await cell.locator('a', { hasText: 'Ada Park' }).waitFor({ timeout: soonMs });
    took.push(performance.now() - at);
    t.match(await cell.innerText(), /held/);
    await age(pages, id, 900);
    await cell.getByText('open').waitFor({ timeout: soonMs });
  }
  withinASecond(t, took);
});

void t.test('a change of the day keeps the focus, and is announced', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  const [slot] = await someOpenSlots(pages.service.context, 1);
  await page.goto(`${pages.url}/console?date=${slot!.date}`);
  const card = page.locator(`[data-key="${slotKey(slot!)}"]`);
  await card.getByRole('link', { name: /^Add/ }).focus();
  await postHold(pages.url, slot!);
  await card.getByRole('link', { name: 'Ada Park' }).waitFor({ timeout: soonMs });
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Ada Park');
  t.match(await page.locator('#news').textContent(), /Ada Park/);
});

void t.test('an open page of a session that was ended shows how to sign in', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  const { context } = pages.service;
  const { id } = await context.database
    .selectFrom('console_sessions')
    .select('id')
    .executeTakeFirstOrThrow();
  await endConsoleSessions(context, 'test', [id]);
  const [slot] = await someOpenSlots(context, 1);
  await postHold(pages.url, slot!);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: soonMs });
  t.notMatch(await page.locator('body').innerText(), /Ada Park/);
});

void t.test('a page whose connection is lost says so, and no longer when it is back', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  await page.context().setOffline(true);
  await page.locator('#stale').waitFor({ state: 'visible' });
  await page.context().setOffline(false);
  await page.locator('#stale').waitFor({ state: 'hidden' });
  t.equal(page.url(), `${pages.url}/console`);
});

void t.test('any day is shown with who came, who did not, and what was free', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  const { context, shiftClock } = pages.service;
  const [slot] = await someOpenSlots(context, 1);
  const added = await addBooking(context, 'test', slot!, { name: 'Grace Hopper' });
  if (added.outcome !== 'added') throw new Error(added.outcome);
  await holdForPerson(pages);
  const ahead = added.booking.starts_at.getTime() - context.clock.now();
  await shiftClock(ahead + 60_000);
  await recordNoShow(context, 'test', added.booking.id, { undo: false });
  const signedIn = await openConsole(t, pages);
  await signedIn.goto(`${pages.url}/console?date=${slot!.date}`);
  t.match(await signedIn.locator('h1').innerText(), /^Today/);
  t.match(await signedIn.locator('.slot.missed').innerText(), /Grace Hopper[^]*did not come/);
  const { weekday, month, day } = dateWords(addDays(slot!.date, -1));
  await signedIn.goto(`${pages.url}/console?date=${addDays(slot!.date, -1)}`);
  t.equal(await signedIn.locator('h1').innerText(), `${weekday}, ${month} ${day}`);
  t.equal(await signedIn.getByRole('link', { name: /^Add a booking/ }).count(), 0, 'it is over');
  await page.close();
});

void t.test('a page of today is no longer called that after midnight', async (t) => {
  const started = await startPages(t);
  if (started === null) return;
  const { context, shiftClock } = started.service;
  const slots = await everyOpenSlot(context, 3);
  const { calendar } = await context.board.read();
  const { date } = slots.find(({ timeSlot }) => timeSlot === '5:00 PM')!;
  const { epochMs } = slotStartsAt(calendar.timezone, date, '5:00 PM');
  const evening = epochMs - Date.now() + 6 * 3_600_000;
  await shiftClock(evening);
  const page = await openConsole(t, started);
  await page.goto(`${started.url}/console?date=${date}`);
  t.match(await page.locator('h1').innerText(), /^Today, /);
  await shiftClock(evening + 2 * 3_600_000);
  await postHold(started.url, slots.at(-1)!);
  const { weekday, month, day } = dateWords(date);
  await page
    .getByRole('heading', { name: `${weekday}, ${month} ${day}`, exact: true, level: 1 })
    .waitFor();
});
