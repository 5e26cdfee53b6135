import t, { type Test } from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import { reminderToken } from '../../src/secrets/links.js';
import { linkToBook } from '../../src/web/book-link.js';
import { addArtists } from '../support/artists.js';
import {
  fillForm,
  holdButton,
  holdInBrowser,
  openForm,
  pressAndWait,
} from '../support/book-pages.js';
import { bookingRow } from '../support/bookings.js';
import { launchBrowser } from '../support/browser.js';
import { everyCheckoutState } from '../support/checkout-states.js';
import { codeMode, holdWithBrowser, mailOn, newestCode, wrongDigits } from '../support/codes.js';
import { sessionForPerson } from '../support/holds.js';
import { twoLanguages } from '../support/languages.js';
import { expectTranslated, moveUrl, openPage } from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

/** In a language of longer words, whose sentences show that they are of the catalogue. */
const setting = { overrides: { languages: twoLanguages() }, isReachable: true };
const byCode = await startService(t, codeMode, setting);
const byLink = await startService(t, { ...generous, ...mailOn }, setting);
const browser = await launchBrowser(t);
const skip = { skip: browser === null };
const newPage = (t: Test) => openPage(t, { browser: browser! }, { locale: 'en-XA' });

t.test('each state of a checkout page', skip, async (t) => {
  const page = await newPage(t);
  for (const [name, [url]] of Object.entries(await everyCheckoutState(byLink))) {
    await page.goto(url);
    await expectTranslated(t, page, name);
  }
});

t.test('the front page, the open times, the form, and pages of errors', skip, async (t) => {
  const { context, url } = byLink;
  const page = await newPage(t);
  const [open, own, next, taken] = await someOpenSlots(context, 4);
  const { id } = await sessionForPerson(byLink, personNumber(1), taken);
  const token = reminderToken(context.keyring, await bookingRow(context, id));
  for (const path of [
    ...['/', '/privacy', '/nowhere', '/book', '/book?artist=nobody', `/reminders/${token}`],
    ...['/book?weekday=saturday&time=1%3A00+PM', '/book?date=today&time_slot=noon'],
    ...[open, taken, { ...open, date: '2020-01-01' }, { ...open, date: '2999-01-01' }].map((slot) =>
      linkToBook(slot),
    ),
  ]) {
    await page.goto(`${url}${path}`);
    await expectTranslated(t, page, path);
  }
  await page.goto(`${url}/reminders/${token}`);
  await pressAndWait(page, 'button[value=stop]');
  await expectTranslated(t, page, 'reminders stopped');

  await openForm(page, url, open);
  for (const mistakes of [
    { name: ' ', email: 'nonsense', phone: '1' },
    { name: '1'.repeat(200), email: '', phone: '' },
  ]) {
    await fillForm(page, { ...mistakes, pronouns: '1'.repeat(41), idea: '1'.repeat(2001) });
    await pressAndWait(page, holdButton);
    await expectTranslated(t, page, `mistakes: ${mistakes.phone}`);
  }
  await fillForm(page);
  await placeHold(context, callerNumber(1), holdRequest(open, personNumber(2)), null);
  await pressAndWait(page, holdButton);
  await expectTranslated(t, page, 'taken while the form was open');

  await openForm(page, url, own);
  await holdInBrowser(await page.context().newPage(), url, own);
  await fillForm(page, { email: 'ada.park@example.com' });
  await pressAndWait(page, holdButton);
  await expectTranslated(t, page, 'held by oneself while the form was open');
  for (const path of ['/book', linkToBook(own), linkToBook(next)]) {
    await page.goto(`${url}${path}`);
    await expectTranslated(t, page, `with an own hold: ${path}`);
  }
});

t.test('each page with a code', skip, async (t) => {
  const page = await newPage(t);
  const show = (name: string) => expectTranslated(t, page, name);
  const { url, code } = await holdWithBrowser(byCode);
  // A code that is filled in at once is sent at once.
  const type = async (digits: string) => {
    const loaded = page.waitForEvent('load');
    await page.fill('#code', digits);
    await loaded;
  };
  await page.goto(url);
  await show('ask');
  await pressAndWait(page, 'button[value=send_code]');
  await show('enter');
  for (const left of [2, 1, 0]) {
    await type(wrongDigits(await code(), left + 1));
    await show(`${left} tries left`);
  }

  const session = await sessionForPerson(byLink, personNumber(3));
  await page.goto(session.url);
  await show('ask, to cancel');
  const [slot] = await someOpenSlots(byLink.context, 1);
  await page.goto(moveUrl(session.url, slot));
  await show('ask, to move');
  await pressAndWait(page, 'button[value=send_code]');
  await show('enter, to move');
  await type(await newestCode(byLink, session.id));
  await show('moved');
  await pressAndWait(page, 'button[value=cancel]');
  await show('cancelled');
});

t.test('the choice of an artist', skip, async (t) => {
  const { context, url } = byCode;
  const page = await newPage(t);
  await addArtists(context, 8);
  const [slot] = await someOpenSlots(context, 1);
  for (const path of ['/book', '/book?artist=jon', linkToBook(slot, { slug: 'jon' })]) {
    await page.goto(`${url}${path}`);
    await expectTranslated(t, page, path);
  }
  const checkout = await holdInBrowser(page, url, slot);
  await expectTranslated(t, page, 'the others at the same time');
  await page.goto(`${checkout}/move`);
  await expectTranslated(t, page, 'the times of a move');
});

t.test('a limit that is reached, and where nothing is open', skip, async (t) => {
  const limits = { ...generous, WRITES_PER_HOUR_ANONYMOUS: '1' };
  const { context, url } = await startService(t, limits, setting);
  const page = await newPage(t);
  const [held, slot] = await someOpenSlots(context, 2);
  await holdInBrowser(await newPage(t), url, held);
  await openForm(page, url, slot);
  await fillForm(page, personNumber(7));
  await pressAndWait(page, holdButton);
  await expectTranslated(t, page, 'at a limit');
  await context.database.updateTable('week_days').set({ sessions: [] }).execute();
  await context.board.refresh();
  await page.goto(`${url}/book`);
  await expectTranslated(t, page, 'nothing open');
});
