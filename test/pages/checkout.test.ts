import { load } from 'cheerio';
import t from 'tap';
import { readBooking } from '../../src/domain/booking/public-bookings.js';
import { addDays } from '../../src/schedule/dates.js';
import {
  parseSlotKey,
  type Slot,
  slotKey,
  slotOf,
  slotStartsAt,
} from '../../src/schedule/slots.js';
import { storedBookings } from '../support/bookings.js';
import { moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { readCalendarPart } from '../support/mails.js';
import { age, moveUrl } from '../support/pages.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { app, context } = service;
const html = { accept: 'text/html' };

const confirmed = () => sessionForPerson(service);

t.test('a person confirms late: one button holds the time again, with all details', async (t) => {
  const details = { idea: 'a heron', pronouns: 'they/them', email: 'ada@park.example' };
  const { id, url } = await holdForPerson(service, details);
  const person = visitor(service);
  await person.open(url);
  t.match(person.text('#hold'), /Held for you for 15 more minutes, until \d/);
  await age(service, id, 901);
  await person.press('Confirm my session');
  t.equal(person.text('h1'), 'Your hold has ended');
  t.match(person.text('main'), 'the time is still open and your details are kept');
  await person.press('Hold it again');
  t.equal(person.text('h1'), 'This time is held for you');
  t.not(new URL(person.path, url).href, url, 'a new hold has a new link');
  await person.press('Confirm my session');
  t.equal(person.text('h1'), 'Your session is confirmed');
  const ofAda = context.database.selectFrom('bookings').where('email', '=', details.email);
  const query = ofAda.where('status', '=', 'confirmed');
  const rows = await query.select(['name', 'email', 'phone', 'idea', 'pronouns']).execute();
  t.strictSame(rows, [{ name: 'Ada Park', phone: '5555550142', ...details }]);
  await person.press('Cancel my session');
  t.equal(person.text('h1'), 'This session is cancelled');
});

t.test('where another person holds the time, another can be held with all details', async (t) => {
  const details = { idea: 'a crow', pronouns: 'she/her', email: 'crow@park.example' };
  const first = await holdForPerson(service, details);
  await age(service, first.id, 901);
  const person = visitor(service);
  await person.open(first.url);
  const second = await holdForPerson(service);
  // The page still shows the time as open.
  await person.press('Hold it again');
  t.match(person.text('main'), 'another person now holds this time');
  t.equal((await readBooking(context, second.id)).status, 'pending');

  const offered = () =>
    person
      .$('input[type=radio]')
      .get()
      .map((each) => String(person.$(each).val()));
  const hold = (slot?: string) => person.press('Hold the time you chose', { slot });
  t.equal(await hold(), 409);
  t.match(person.text('[role=alert]'), 'You have not chosen one of the times');
  const [gone, wanted] = offered() as [string, string];
  await holdForPerson(service, {}, parseSlotKey(gone));
  t.equal(await hold(gone), 409);
  t.match(person.text('[role=alert]'), /is no longer free\..*what you typed is kept/);
  t.notOk(offered().includes(gone));
  t.equal(await hold('tomorrow'), 400);
  await person.open(first.url);
  await hold(wanted);
  t.equal(person.text('h1'), 'This time is held for you');
  const { path } = person;
  await person.open(first.url);
  await hold(wanted);
  t.equal(person.path, path, 'pressed twice, it is one hold');
  const ofAda = context.database.selectFrom('bookings').where('email', '=', details.email);
  const [, held, ...others] = await ofAda.selectAll().orderBy('created_at').execute();
  t.match(held, { status: 'pending', name: 'Ada Park', phone: '5555550142', ...details });
  t.equal(slotKey(slotOf(held!)), wanted);
  t.equal(others.length, 0);
});

t.test('where the details are erased, a lapsed hold is not held again', async (t) => {
  const { id, url } = await holdForPerson(service);
  await age(service, id, 901);
  const erased = { name: null, email: null, phone: null };
  await context.database.updateTable('bookings').set(erased).where('id', '=', id).execute();
  const person = visitor(service);
  await person.open(url);
  t.match(person.text('main'), 'still open, but your details have been deleted');
  t.equal(person.$('button').length, 0);
});

t.test('pages and assets are compressed as asked, and assets are cached for good', async (t) => {
  const { token } = await holdForPerson(service);
  const path = `/checkout/${token}`;
  const style = load((await app.inject(path)).body)('link[rel=stylesheet]').attr('href')!;
  t.match(style, /^\/assets\/page-[\w-]+\.css$/);
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
    ['br;q=0', undefined],
    [undefined, undefined],
  ]) {
    for (const url of [style, path]) {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const answer = await app.inject({ url, headers });
      t.equal(answer.statusCode, 200);
      t.equal(answer.headers['content-encoding'], encoding, `${url} for ${accepted}`);
      t.match(answer.headers.vary, /accept-encoding/i);
    }
  }
  t.match((await app.inject(style)).headers, {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': /text\/css/,
    'x-content-type-options': 'nosniff',
  });
});

t.test('opening or previewing a page of a booking changes nothing', async (t) => {
  const { token } = await confirmed();
  const path = `/checkout/${token}`;
  const held = await holdForPerson(service);
  const [slot] = await someOpenSlots(context, 1);
  const before = await storedBookings(context);
  const chosen = moveUrl(path, slot!);
  const preview = { 'user-agent': 'Slackbot-LinkExpanding 1.0', 'sec-fetch-site': 'cross-site' };
  const prefetch = { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-site': 'none' };
  const pages = [`/checkout/${held.token}?action=confirm`, `${path}?action=cancel`, `${path}/move`];
  for (const url of [...pages, chosen, `${chosen}&action=move&sequence=1`]) {
    for (const headers of [html, preview, prefetch]) {
      const answer = await app.inject({ url, headers });
      t.match(answer, { statusCode: 200, headers: { 'cache-control': 'no-store' } }, url);
      t.equal((await app.inject({ method: 'HEAD', url, headers })).statusCode, 200);
    }
  }
  t.strictSame(await storedBookings(context), before);
});

t.test('an address that names no open time gets a page of other times', async (t) => {
  const { token, slot } = await confirmed();
  const path = `/checkout/${token}`;
  const person = visitor(service);
  const { date } = slot;
  const [{ date: today }] = (await everyOpenSlot(context)) as [Slot];
  const [choose, unknown] = ['Choose another time', 'We did not understand which time'];
  for (const [query, status, said] of [
    ['from=2026-02-30&from=x', 200, choose],
    ['from=9999-12-31', 200, choose],
    [`date=${date}`, 400, unknown],
    ['time_slot=9%3A00+AM', 400, unknown],
    [`date=${date}&time_slot=10%3A00+AM`, 400, unknown],
    [`date=${date}&date=${date}&time_slot=9%3A00+AM`, 400, unknown],
    ['date=%00%ff&time_slot=%3Cscript%3E', 400, unknown],
    [`date=${addDays(today, -2)}&time_slot=9%3A00+AM`, 409, 'That time is over'],
    ['date=9999-12-31&time_slot=9%3A00+AM', 409, 'That time is too far ahead'],
  ] as const) {
    t.equal(await person.open(`${path}/move?${query}`), status, query);
    t.match(person.text('main'), said, query);
    t.ok(person.$('a.time[href]').length > 0, `${query}: other times are offered`);
    t.equal(person.$('script').length, 1, 'no word of the address is markup');
  }
  await person.open(moveUrl(path, slot));
  t.equal(person.path, path, 'the time it has');
});

t.test('the months, each in at most 50 kB, offer every open time once', async (t) => {
  const far = await startService(t, { ...generous, BOOKING_HORIZON_DAYS: '730' });
  const path = `/checkout/${(await holdForPerson(far)).token}`;
  const read = async (url: string) => (await far.app.inject({ url, headers: html })).body;
  const linksIn = (body: string, pattern: RegExp): string[] =>
    [...body.matchAll(pattern)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  const toDates = /href="([^"]*\/move\?from=[^"]*)"/g;
  const dates = linksIn(await read(`${path}/move`), toDates);
  const open = await everyOpenSlot(far.context);
  t.equal(dates.length, new Set(open.map(({ date }) => date.slice(0, 7))).size);
  const offered: string[] = [];
  for (const url of dates) {
    const body = await read(url);
    t.ok(Buffer.byteLength(body) <= 50_000, `${Buffer.byteLength(body)} bytes`);
    t.strictSame(linksIn(body, toDates), dates);
    offered.push(...linksIn(body, /class="time" href="([^"]*)"/g));
  }
  const wanted = open.map((slot) => moveUrl(path, slot));
  t.strictSame(offered, wanted);
});

const startOf = ({ date, timeSlot }: Slot) =>
  slotStartsAt('America/Los_Angeles', date, timeSlot).epochMs;

async function readFile(token: string) {
  const answer = await app.inject(`/checkout/${token}/calendar.ics`);
  t.equal(answer.statusCode, 200);
  const { root, event } = readCalendarPart(answer.body);
  const valueOf = (name: string) => String(event.component.getFirstPropertyValue(name));
  return { answer, root, event, valueOf, start: event.startDate.toJSDate().getTime() };
}

t.test('the file of a confirmed session has its summary, time and place', async (t) => {
  const { id, token, slot } = await confirmed();
  const { answer, root, event, valueOf, start } = await readFile(token);
  t.match(answer.headers, {
    'content-type': /^text\/calendar/,
    'content-disposition': 'inline; filename="session.ics"',
    'cache-control': 'no-store',
  });
  const { body } = answer;
  t.notMatch(body, /[^\r]\n/, 'lines end in CRLF, as RFC 5545 requires');
  t.match(body, /END:VCALENDAR\r\n$/);
  t.ok(body.split('\r\n').every((line) => Buffer.byteLength(line) <= 75));
  t.equal(root.getFirstPropertyValue('version'), '2.0');
  t.equal(root.getFirstPropertyValue('method'), null);
  t.equal(event.uid, id);
  t.equal(event.summary, 'Session at Night Heron Tattoo');
  t.match(event.location, '418 SE Alder Row, Portland, OR 97214');
  t.match(event.description, `http://studio.test/checkout/${token}`);
  t.match(event.description, 'You must be 18 or older');
  t.equal(event.startDate.zone.tzid, 'America/Los_Angeles');
  t.equal(start, startOf(slot));
  const hours = slot.timeSlot === '5:00 PM' ? 3 : 4;
  t.equal(event.duration.toSeconds() / 3_600, hours, 'until the next one, or until they close');
  t.strictSame(['status', 'class'].map(valueOf), ['CONFIRMED', 'PRIVATE']);
  t.match(body, /DTSTAMP:\d{8}T\d{6}Z\r\n/, 'the stamp is in UTC');
  for (const personal of ['Ada', 'ada@example.com', '5555550142']) t.notMatch(body, personal);
});

t.test('a booking that was never confirmed has no calendar file', async (t) => {
  const { token } = await holdForPerson(service);
  const status = async (path: string) => (await app.inject(path)).statusCode;
  t.equal(await status(`/checkout/${token}/calendar.ics`), 404, 'a hold has none');
  await releaseCheckout(context, token, 'pending');
  t.equal(await status(`/checkout/${token}/calendar.ics`), 404, 'a released hold has none');
  t.equal(await status('/checkout/unknown/calendar.ics'), 404);
});

t.test('a moved, then a cancelled session replaces the former in the calendar', async (t) => {
  const { id, token } = await confirmed();
  const before = await readFile(token);
  await service.shiftClock(60_000);
  const [slot] = await someOpenSlots(context, 1);
  await moveCheckout(context, token, slot!, 1);
  const moved = await readFile(token);
  t.equal(moved.start, startOf(slot!));
  t.ok(moved.valueOf('dtstamp') > before.valueOf('dtstamp'));
  await releaseCheckout(context, token, 'confirmed');
  const cancelled = await readFile(token);
  t.equal(cancelled.valueOf('status'), 'CANCELLED');
  const files = [before, moved, cancelled];
  t.strictSame([...new Set(files.map(({ event }) => event.uid))], [id]);
  const sequences = files.map(({ event }) => event.sequence);
  t.strictSame(sequences, [...new Set(sequences)].toSorted());
});
