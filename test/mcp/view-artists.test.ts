import t from 'tap';
import { addArtists } from '../support/artists.js';
import { ada, everyBooking } from '../support/book-pages.js';
import {
  everyCapability,
  holdInView,
  openChat,
  openRange,
  openTimesChat,
  press,
  timeButton,
  waitForState,
  wordsOf,
} from '../support/chat.js';
import { close } from '../support/holds.js';
import { openPage } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const service = await startService(t, generous, { browser: true });
if (service !== null) {
  const { context } = service;
  const [away, slot] = await someOpenSlots(context, 2);
  const range = await openRange(context);
  await addArtists(context, 2);
  await close(context, away.date, away.timeSlot, 2);
  await context.board.refresh();
  const link = /\/book\?artist=jon&date=[\d-]+&time_slot=/;

  void t.test("an artist's times are called theirs, and held only on their page", async (t) => {
    const args = { ...range, artist: 'JON' };
    const chat = await openTimesChat(t, service, { args });
    await chat.view.waitForSelector('h1:text-is("Open times with Jon")');
    t.equal(await chat.view.title(), 'Open times with Jon');
    t.equal(await chat.view.locator(timeButton(away)).count(), 0, 'Jon is away');
    await press(chat, '#more-days');
    await press(chat, '#later-dates');
    await chat.answered('list_open_times');
    t.match(await chat.calls('list_open_times'), [{ artist: 'JON' }]);
    await press(chat, timeButton(slot));
    await waitForState(chat, 'page');
    t.match(await wordsOf(chat), /with Jon.*Nothing is held yet/s);
    await press(chat, '#open');
    const [url = ''] = await chat.opened();
    t.match(url, link);
    await press(chat, '#others');
    await waitForState(chat, 'times');
    t.strictSame(await chat.calls('hold_slot'), [], 'which would take whoever is free');

    const page = await openPage(t, service);
    await page.goto(url);
    t.match(await page.innerText('.when'), /with Jon/);
    for (const field of ['name', 'email', 'phone'] as const)
      await page.fill(`#${field}`, ada[field]);
    await page.click('button[value=hold]');
    await page.waitForURL('**/checkout/*');
    t.match(await everyBooking(context), [{ artist_name: 'Jon', date: slot.date }]);

    const { serverTools: _tools, openLinks: _links, ...least } = everyCapability;
    const still = await openTimesChat(t, service, { args, capabilities: least });
    t.equal(await still.view.innerText('h1'), 'Open times with jon');
    t.notOk(await still.view.isVisible('#later-dates'), 'nor what takes the tools');
    await press(still, 'button.time');
    t.match(await still.view.inputValue('#address'), link, 'to copy, in a chat that opens nothing');
  });

  void t.test('of several artists a person chooses one, and sees whom a hold has', async (t) => {
    const chat = await openTimesChat(t, service);
    t.equal(await chat.view.innerText('h1'), 'Open times');
    await press(chat, '#by-artist');
    await chat.view.waitForSelector('#artists button');
    t.strictSame(await chat.view.locator('#artists button').allInnerTexts(), [
      'Anyone',
      'Mara',
      'Jon',
    ]);
    await press(chat, '#artists button >> nth=2');
    await chat.view.waitForSelector('h1:text-is("Open times with Jon")');
    t.equal(await chat.view.locator(timeButton(away)).count(), 0);
    await press(chat, '#by-artist');
    await press(chat, '#artists button >> nth=0');
    await chat.view.waitForSelector(timeButton(away));
    t.equal(await chat.view.innerText('h1'), 'Open times');
    await holdInView(chat, away);
    await waitForState(chat, 'held');
    t.match(await chat.view.innerText('#when'), /with Mara/);
  });

  void t.test('an artist who is not known gets no times of others', async (t) => {
    const args = { ...range, artist: 'Ziggy' };
    const chat = await openChat(t, service, { tool: 'list_open_times', args });
    await chat.view.waitForSelector('#trouble-text:text("no such artist")');
    t.notOk(await chat.view.isVisible('#retry'));
  });
}
