import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { sections } from '../../src/console/console-page.js';
import { slotKey, type Slot } from '../../src/calendar/slots.js';
import { addPerson, answerTo, newestActions } from '../support/console-bookings.js';
import { pressesFrom, section } from '../support/console-presses.js';
import { openConsole, startConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, tabTo, type Pages } from '../support/pages.js';
import { answer, startReceiver, type Behaviour, type Receiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { servesCalendar } from '../support/served-calendar.js';
import { anyHost, busyDuring } from '../support/watched-calendars.js';

interface Opened {
  pages: Pages;
  page: Page;
  receiver: Receiver;
  /** Of the calendar: a secret. */
  address: string;
  /** Two open slots; the calendar is busy during the first. */
  slots: [Slot, Slot];
}

const secret = 'only-the-owner-knows';

async function start(t: Test): Promise<Opened | null> {
  const started = await startConsole(t, anyHost);
  if (started === null) return null;
  const { context } = started.pages.service;
  const [busy, free] = await someOpenSlots(context, 2);
  const receiver = await startReceiver(await busyIn(started.pages, busy!));
  t.teardown(() => receiver.close());
  const address = `${receiver.origin}/${secret}/basic.ics?key=${secret}`;
  return { ...started, receiver, address, slots: [busy!, free!] };
}

/** The response of a calendar that is busy during a session. */
async function busyIn({ service: { context } }: Pages, slot: Slot): Promise<Behaviour> {
  const { calendar } = await context.board.read();
  return servesCalendar(busyDuring(calendar.timezone, slot));
}

async function watch({ pages, page, address }: Opened, label = 'Phone'): Promise<void> {
  await page.goto(`${pages.url}/console/calendars`);
  await page.locator('#watch-address').fill(address);
  await page.locator('#watch-label').fill(label);
  await page.getByRole('button', { name: 'Watch this calendar' }).click();
  await page.waitForURL('**/console/calendars?done=watched&calendar=*');
}

/** What the card of a slot says, on the page of its day. */
async function cardOf({ pages, page }: Opened, slot: Slot): Promise<string> {
  await page.goto(`${pages.url}/console?date=${slot.date}`);
  return page.locator(`.slots [data-key="${slotKey(slot)}"]`).innerText();
}

void t.test('a calendar that is watched in two presses closes its slot', async (t) => {
  const opened = await start(t);
  if (opened === null) return;
  const { pages, page, address, slots } = opened;
  const day = await openConsole(t, pages, {}, 'Grace');
  t.notMatch(await cardOf({ ...opened, page: day }, slots[0]), /busy/);
  const presses = await pressesFrom(page, pages.url);
  await presses.press(section(page, 'Calendars'));
  await page.locator('#watch-address').fill(address);
  await page.locator('#watch-label').fill('Phone');
  await presses.press(page.getByRole('button', { name: 'Watch this calendar' }));
  await page.getByText('Phone is watched and was read: 1 busy time to come.').waitFor();
  t.equal(presses.count(), 2);
  // A page of the day that is open shows it by itself.
  await day.getByText('busy in your calendar').waitFor();
  t.match(await page.locator('.watched').innerText(), /Phone\s+127\.0\.0\.1\s+Read .*1 busy time/);
  t.strictSame(await accessibilityViolations(page), []);

  t.match(await cardOf(opened, slots[0]), 'busy in your calendar');
  t.match(await page.locator(`[data-key="week ${slotKey(slots[0])}"]`).innerText(), /busy/);
  t.notMatch(await cardOf(opened, slots[1]), /busy/);
  await cardOf(opened, slots[0]);
  await page.locator(`.slots [data-key="${slotKey(slots[0])}"] a`).click();
  await page.getByText('Your calendar is busy then: only you can book it.').waitFor();

  await section(page, 'Calendars').click();
  await page.getByText('Stop watching Phone…').click();
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await page.getByText('No longer watched.').waitFor();
  t.match(await cardOf(opened, slots[0]), /open/);
  const actions = (await newestActions(pages, 2)).map(({ action }) => action);
  t.strictSame(actions, ['calendar watch remove', 'calendar watch add']);
});

void t.test('a busy time over a booking is a conflict wherever the booking is shown', async (t) => {
  const opened = await start(t);
  if (opened === null) return;
  const { pages, page, receiver, slots } = opened;
  const { id } = await addPerson(pages, slots[0], { name: 'Grace Hopper' });
  await watch(opened);
  const conflicts = page.locator('.conflicts > li');
  t.equal(await conflicts.count(), 1);
  t.match(await conflicts.innerText(), /Grace Hopper\s+Phone busy \d+(?: [AP]M)? – \d+ [AP]M/);
  t.strictSame(await accessibilityViolations(page), []);
  await conflicts.getByRole('link', { name: 'Grace Hopper' }).click();
  await page.waitForURL(`**/console/bookings/${id}`);
  t.match(
    await page.locator('.facts').first().innerText(),
    /Your calendar is busy then: Phone, \d/,
  );
  t.strictSame(await accessibilityViolations(page), []);
  t.match(await cardOf(opened, slots[0]), /Grace Hopper\s+Your calendar is busy then/);
  t.match(await page.locator(`[data-key="week ${slotKey(slots[0])}"]`).innerText(), /conflict/);

  receiver.behave(await busyIn(pages, slots[1]));
  await section(page, 'Calendars').click();
  await page.getByRole('button', { name: 'Read it now' }).click();
  await page.getByText('Phone was read: 1 busy time to come.').waitFor();
  t.equal(await conflicts.count(), 0);
  t.notMatch(await cardOf(opened, slots[0]), /busy/);
  await page.goto(`${pages.url}/console/bookings/${id}/move`);
  await page.locator(`button[value="${slotKey(slots[1])}"]`).click();
  await page.getByText('Moved. Your calendar is busy then.').waitFor();
  await page.getByText('Your calendar is busy then: Phone').waitFor();
});

void t.test('a calendar that cannot be read says why, and keeps what it closes', async (t) => {
  const opened = await start(t);
  if (opened === null) return;
  const { page, receiver, slots } = opened;
  await watch(opened);
  receiver.behave(answer(404));
  await page.getByRole('button', { name: 'Read it now' }).click();
  t.match(await page.getByRole('alert').innerText(), /^Phone could not be read\. .*\(404\)/);
  t.match(await page.locator('.watched').innerText(), /Failing since[^]*\(404\)[^]*1 busy time/);
  t.strictSame(await accessibilityViolations(page), []);
  t.match(await cardOf(opened, slots[0]), 'busy in your calendar');
});

void t.test(
  'no page shows the address of a watched calendar, nor what its events say',
  async (t) => {
    const opened = await start(t);
    if (opened === null) return;
    const { pages, page, address, receiver } = opened;
    await watch(opened);
    await page.getByText('Watch a calendar…').click();
    await page.locator('#watch-address').fill(address.replace(/^http:/, 'HTTP:'));
    await page.getByRole('button', { name: 'Watch this calendar' }).click();
    t.match(await page.getByRole('alert').innerText(), 'is watched already, as Phone.');
    t.notOk((await page.content()).includes(secret), 'a form with an address that is known');
    receiver.behave(answer(500));
    await page.getByRole('button', { name: 'Read it now' }).click();
    await page.getByText('Phone could not be read.').waitFor();
    for (const { path } of Object.values(sections)) {
      await page.goto(`${pages.url}${path}`);
      const html = await page.content();
      t.notOk(html.includes(secret), path);
      t.notOk(html.includes('What the event says'), path);
    }
    t.notOk(pages.service.logLines.join('').includes(secret), 'the log');
  },
);

void t.test(
  'an address that cannot be watched is refused with a sentence, and stays',
  async (t) => {
    const started = await startConsole(t, { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' });
    if (started === null) return;
    const { pages, page } = started;
    for (const [address, label, field, sentence] of [
      ['', '', 'address', /Give the address/],
      ['http://calendar.example.com/a.ics', 'Phone', 'address', /https:\/\/ or webcal:\/\//],
      ['my calendar', 'Phone', 'address', /Give the whole address/],
      ['webcal://127.0.0.1/a.ics', 'Phone', 'address', /public internet/],
      ['https://ada:pw@calendar.example.com/a.ics', '', 'address', /no user name/],
      ['https://calendar.example.com/a.ics', 'x'.repeat(61), 'label', /at most 60 characters/],
    ] as const) {
      await page.goto(`${pages.url}/console/calendars`);
      await page.locator('#watch-address').fill(address);
      await page.locator('#watch-label').fill(label);
      const button = page.getByRole('button', { name: 'Watch this calendar' });
      const response = await answerTo(page, () => button.click());
      t.equal(response.status(), 400, address);
      t.equal(response.headers()['cache-control'], 'no-store');
      t.match(await page.locator(`#watch-${field}-mistake`).innerText(), sentence);
      t.equal(await page.locator('#watch-address').inputValue(), address);
      t.equal(await page.locator('#watch-label').inputValue(), label);
      t.strictSame(await accessibilityViolations(page), []);
      await page.goto(`${pages.url}/console/calendars/watched`);
      t.equal(page.url(), `${pages.url}/console/calendars`, 'opened again');
      t.equal(await page.locator('#watch-address').inputValue(), '');
    }
    const { database } = pages.service.context;
    t.strictSame(await database.selectFrom('watched_calendars').select('id').execute(), []);
  },
);

void t.test(
  'by keyboard alone, and without script on a phone, a calendar is watched',
  async (t) => {
    const opened = await start(t);
    if (opened === null) return;
    const { pages, page, address, receiver } = opened;
    await page.goto(`${pages.url}/console`);
    await tabTo(page, 'a[href="/console/calendars"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/calendars');
    await tabTo(page, '#watch-address');
    await page.keyboard.type(address);
    await page.keyboard.press('Enter');
    await page.getByText('127.0.0.1 is watched and was read').waitFor();
    await tabTo(page, '.watched button');
    await page.keyboard.press('Enter');
    await page.getByText('127.0.0.1 was read').waitFor();

    const phone = await openConsole(t, pages, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    await section(phone, 'Calendars').click();
    await phone.getByText('Watch a calendar…').click();
    await phone.locator('#watch-address').fill(`${receiver.origin}/other.ics`);
    await phone.locator('#watch-label').fill('Other');
    await phone.getByRole('button', { name: 'Watch this calendar' }).click();
    await phone.getByText('Other is watched and was read').waitFor();
    await expectFits(t, phone);
    await phone.getByText('Stop watching Other…').click();
    await phone.getByRole('button', { name: 'Stop watching' }).click();
    await phone.getByText('No longer watched.').waitFor();
    await expectFits(t, phone);
  },
);

void t.test(
  'a calendar that another session has removed is not read, and nothing fails',
  async (t) => {
    const opened = await start(t);
    if (opened === null) return;
    const { pages, page } = opened;
    await watch(opened);
    const other = await openConsole(t, pages, {}, 'Grace');
    await section(other, 'Calendars').click();
    await page.getByText('Stop watching Phone…').click();
    await page.getByRole('button', { name: 'Stop watching' }).click();
    await page.getByText('No longer watched.').waitFor();
    await other.getByRole('button', { name: 'Read it now' }).click();
    t.match(await other.getByRole('alert').innerText(), 'no longer watched');
    await other.goto(`${pages.url}/console/calendars`);
    t.equal(await other.locator('.watched li').count(), 0);
  },
);
