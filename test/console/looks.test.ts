import t, { type Test } from 'tap';
import { sections } from '../../src/console/console-page.js';
import { linkToMove } from '../../src/console/links.js';
import { addCalendarFeed } from '../../src/domain/calendar-feeds.js';
import { changeStudio, studioToday } from '../../src/domain/studio-settings.js';
import { addDays, weekdayOf } from '../../src/schedule/dates.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { mailOn } from '../support/codes.js';
import { addPerson, consoleLink, signedIn } from '../support/console.js';
import { hold, holdForPerson } from '../support/holds.js';
import { insertCode, now } from '../support/mail-rows.js';
import { accessibilityViolations, expectFits, expectReadable, openPage } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import {
  type BrowserService,
  generous,
  startService,
  type TestService,
} from '../support/service.js';
import { visitor, type Visitor } from '../support/visitor.js';
import { insertRows } from './rows.js';

const screens: { width: number; colorScheme: 'light' | 'dark'; rules?: string[] }[] = [
  { width: 1280, colorScheme: 'light' },
  // What differs here by more than the layout are the colours.
  { width: 390, colorScheme: 'dark', rules: ['color-contrast', 'target-size'] },
];

type Fields = Parameters<Visitor['press']>[1];

type Rows = Awaited<ReturnType<typeof insertRows>>;

/** What a visitor has open, and the words on it. */
interface Shown extends Pick<Visitor, 'answer' | 'path'> {
  words: string;
  text: string;
}

/** The pages that forms lead to, each with its words, as they were when they were open. */
async function everyState(service: BrowserService, ada: Visitor, rows: Rows): Promise<Shown[]> {
  const { context } = service;
  const { cora, mo, mailId, subscriptionId, free } = rows;
  const { booking: held } = await hold(context, free[0]!.date, free[0]!.timeSlot);
  const grace = await signedIn(service, 'Grace');
  const link = new URL(await consoleLink(service)).pathname;
  const closing = `/console/closures/new?date=${addDays(await studioToday(context), 1)}`;
  const [booking, moving] = [`/console/bookings/${cora.id}`, `/console/bookings/${mo.id}/move`];
  const subscription = `/console/webhooks/${subscriptionId}`;
  const closed = { [`closed-${weekdayOf(free[0]!.date)}`]: 'on' };
  const longReason = 'x'.repeat(201);
  const wrongPerson = { name: '\u200b', email: 'nobody', phone: '0', idea: 'x'.repeat(3_000) };
  const taken = { date: cora.date, time_slot: cora.time_slot };
  const there = `/console/closures/new?date=${held.date}`;
  const [studio, hours] = ['/console/studio', '/console/hours'];
  const calendars = '/console/calendars';
  const [watch, makeAddress, move] = ['Watch this calendar', 'Make the address', 'Choose'];
  const [cancel, saveWeek] = ['Cancel this booking', 'Save the week'];
  const moveHere = 'Move to this time';
  const saveDetails = 'Save the details';

  const open = (path: string) => () => ada.open(path);
  const press =
    (path: string, button: string, fields?: Fields, who = ada) =>
    async () => {
      await who.open(path);
      await who.press(button, fields);
    };
  /** Another person presses the button first. */
  const late = (path: string, button: string, theirs: Fields, own: Fields) => async () => {
    for (const each of [grace, ada]) await each.open(path);
    await grace.press(button, theirs);
    await ada.press(button, own);
  };

  const states: Record<string, () => Promise<unknown>> = {
    'Give the whole address': press(calendars, watch, { address: 'my calendar' }),
    'No address was made': press(calendars, makeAddress, { label: '' }),
    'it is not shown again': press(calendars, makeAddress, { label: 'Phone' }),
    '1 found': press('/console/bookings', 'Search', { text: 'cora' }),
    'Choose a date': press('/console/bookings/new', 'Add the booking', wrongPerson),
    'is taken': press(moving, move, taken),
    'gets no mail: they gave no address': open(linkToMove(mo.id, free[1]!)),
    'Send this mail again?': open(`/console/mail/${mailId}/resend`),
    'at most 500 characters': press(booking, cancel, { reason: 'x'.repeat(501) }),
    'changed since': async () => {
      await ada.open(linkToMove(mo.id, free[1]!));
      await press(linkToMove(mo.id, free[2]!), moveHere, {}, grace)();
      await ada.press(moveHere);
    },
    'Give both times': press(hours, saveWeek, { 'opens-2': '23:00', 'opens-4': '' }),
    'Bookings outside these sessions': press(hours, saveWeek, closed),
    'comes before the first': press(closing, 'Close', { to: '2020-01-01', reason: longReason }),
    '2 bookings are on these dates': open(there),
    'A word to all of them': open(`${there}&job=sick`),
    'Still booked on these dates': press(there, 'Close'),
    'Sessions on closed days': open('/console/closures/undecided'),
    'Choose at least one': press('/console/openings/new?date=2020-01-06', 'Open', { sessions: [] }),
    'People can book these sessions': press('/console/openings/new?date=2999-06-03', 'Open'),
    'same details have changed': late(studio, saveDetails, { name: 'Salem' }, { name: 'Eugene' }),
    'At another address then': press(studio, saveDetails, { street: 'w'.repeat(200) }),
    'Give a two-letter': press(studio, saveDetails, { name: '', country: 'Germany', website: 'x' }),
    'Give a text of 1 to 1,000': press(studio, 'Add this notice', { title: 'x' }),
    'Latest deliveries': open(subscription),
  };
  const shown: Shown[] = [];
  const keep = (words: string, { answer, path }: Visitor, text: string) =>
    shown.push({ answer, path, words, text });
  for (const [words, act] of Object.entries(states)) {
    await act();
    keep(words, ada, ada.text('main'));
  }
  const person = visitor(service);
  await person.open('/console');
  keep('This is the studio’s own console.', person, person.text());
  await person.open(link);
  keep('Sign in', person, person.text());
  return shown;
}

/**
 * All pages of a console with long texts, and with a booking that is in conflict with a calendar.
 * Another calendar fails.
 */
async function everyPage(service: TestService, ada: Visitor, { mo }: Rows) {
  const { context } = service;
  await insertCode(context, mo.id);
  const [slot] = await someOpenSlots(context, 1);
  const name = 'Maximilian von Hohenstein-Lichtenberg-Braunschweig';
  const idea = 'A night heron on the left forearm, about 12 cm, fine lines. '.repeat(30);
  const contact = { phone: '5035550142', email: `${'m'.repeat(50)}@example.com` };
  const { id, starts_at: at } = await addPerson({ context }, slot!, { name, idea, ...contact });
  const unbroken = { name: `<b>${'w'.repeat(90)}`, idea: 'w'.repeat(900) };
  const held = await holdForPerson({ context }, unbroken);

  const label = 'Guest artists of the whole street, in Portland and elsewhere';
  const host = `${'calendars-of-everybody.'.repeat(4)}example.com`;
  const busy = await insertCalendar(context, { label, host });
  await setBusy(context, busy, [at.getTime(), at.getTime() + 3 * 86_400_000]);
  const last_error = 'not_a_calendar';
  const failing = { failing_since: await now(context, -7_200), last_error } as const;
  await insertCalendar(context, { label: 'x'.repeat(60), host, ...failing });
  await addCalendarFeed(context, 'test', { label, hasDetails: true });
  const street = 'w'.repeat(200);
  await changeStudio(context, 'test', { street }, {}, { from: '2999-01-01' });
  await context.board.refresh();
  const pages = [];
  for (const path of [
    ...Object.values(sections).map(({ path }) => path),
    `/console?date=${slot!.date}`,
    `/console/bookings/${id}`,
    `/console/bookings/${id}/move`,
    `/console/bookings/${id}/correct`,
    `/console/bookings/${held.id}`,
    '/console/bookings/new',
    `/console/closures/new?date=${slot!.date}`,
    '/console/openings/new',
    '/console/no-such-page',
  ]) {
    const status = await ada.open(path);
    pages.push({ path, status, answer: ada.answer, weight: await weightOf(service, ada) });
  }
  return pages;
}

/** The bytes of a page and of what it loads, compressed. */
async function weightOf({ app }: TestService, { $, path, cookies }: Visitor): Promise<number> {
  const assets = $('link[rel=stylesheet], script').get();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, accept: 'text/html', 'accept-encoding': 'br, gzip' };
  let bytes = 0;
  for (const url of [path, ...assets.map(({ attribs: { src, href } }) => src ?? href)]) {
    bytes += (await app.inject({ url: url!, headers })).rawPayload.length;
  }
  return bytes;
}

const service = await startService(
  t,
  { ...generous, ...mailOn, MAX_CODES_PER_HOUR: '1' },
  { browser: true },
);
if (service !== null) {
  t.jobs = 2;
  const rows = await insertRows(service.context);
  const ada = await signedIn(service, 'ada@adas-macbook-pro.local');
  for (const { words, text, ...shown } of await everyState(service, ada, rows)) {
    const title = `axe finds nothing on a page with “${words}”, and it fits the screen`;
    void t.test(title, async (t) => {
      t.match(text, words);
      await look(t, service, shown);
    });
  }
  for (const { status, weight, ...shown } of await everyPage(service, ada, rows)) {
    const title = `${shown.path} fits the screen, axe finds nothing, and it weighs ≤ 100 kB`;
    void t.test(title, async (t) => {
      t.equal(status, shown.path.endsWith('no-such-page') ? 404 : 200);
      t.ok(weight > 5_000 && weight <= 100_000, `${weight} bytes`);
      await look(t, service, shown);
    });
  }
}

/** Shows an answer on a desk and on a phone, without scripts: axe finds nothing, and it fits. */
async function look(
  t: Test,
  service: BrowserService,
  { answer, path }: Pick<Visitor, 'answer' | 'path'>,
): Promise<void> {
  const page = await openPage(t, service);
  await page.route('**/*.js', (route) => route.abort());
  const address = `${service.url}${path}`;
  const headers = { ...(answer.headers as Record<string, string>) };
  await page.route(address, (route) =>
    route.fulfill({ status: answer.statusCode, headers, body: answer.body }),
  );
  await page.goto(address);
  await page.evaluate(() => {
    document.querySelectorAll('details').forEach((each) => (each.open = true));
  });
  for (const { width, colorScheme, rules } of screens) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    t.strictSame(await accessibilityViolations(page, rules), [], `axe on ${path}`);
    await expectFits(t, page);
  }
  await expectReadable(t, page, path);
}
