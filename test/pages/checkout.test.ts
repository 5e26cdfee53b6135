import { load } from 'cheerio';
import t from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import { addDays } from '../../src/calendar/dates.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { readBooking } from '../../src/domain/bookings.js';
import { bookingRow } from '../support/bookings.js';
import { pressOn } from '../support/codes.js';
import { age, holdForPerson, moveUrl } from '../support/pages.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { app, context } = service;
const html = { accept: 'text/html' };

async function confirmed() {
  const held = await holdForPerson(service);
  await confirmCheckout(context, held.token);
  return held;
}

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
  const query = context.database.selectFrom('bookings').where('status', '=', 'confirmed');
  const rows = await query.select(['name', 'email', 'phone', 'idea', 'pronouns']).execute();
  t.strictSame(rows, [{ name: 'Ada Park', phone: '5555550142', ...details }]);
  await person.press('Cancel my session');
  t.equal(person.text('h1'), 'This session is cancelled');
});

t.test('where another person holds the time, it cannot be held again', async (t) => {
  const first = await holdForPerson(service);
  await age(service, first.id, 901);
  const person = visitor(service);
  await person.open(first.url);
  const second = await holdForPerson(service);
  // The page still shows the time as open.
  await person.press('Hold it again');
  t.match(person.text('main'), 'another person now holds this time');
  t.equal(person.$('button').length, 0);
  t.equal((await readBooking(context, second.id)).status, 'pending');
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

t.test('confirmed in two tabs at once, a session is confirmed once', async (t) => {
  const { id, token } = await holdForPerson(service);
  const path = `/checkout/${token}`;
  const fields = { sequence: '0' };
  const press = () => pressOn(service, path, 'confirm', { fields });
  for (const answer of await Promise.all([press(), press()])) {
    t.match(answer, { statusCode: 303, headers: { location: path } });
  }
  t.match(await bookingRow(context, id), { status: 'confirmed', sequence: 1 });
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

t.test('opening or previewing a page of a move changes nothing', async (t) => {
  const { token } = await confirmed();
  const path = `/checkout/${token}`;
  const [slot] = await someOpenSlots(context, 1);
  const everything = async () => [
    await context.database.selectFrom('bookings').selectAll().orderBy('id').execute(),
    await context.database.selectFrom('events').select('id').execute(),
  ];
  const before = await everything();
  const chosen = moveUrl(path, slot!);
  const preview = { 'user-agent': 'Slackbot-LinkExpanding 1.0', 'sec-fetch-site': 'cross-site' };
  const prefetch = { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-site': 'none' };
  for (const url of [`${path}/move`, chosen, `${chosen}&action=move&sequence=1`]) {
    for (const headers of [html, preview, prefetch]) {
      const answer = await app.inject({ url, headers });
      t.match(answer, { statusCode: 200, headers: { 'cache-control': 'no-store' } }, url);
      t.equal((await app.inject({ method: 'HEAD', url, headers })).statusCode, 200);
    }
  }
  t.strictSame(await everything(), before);
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
    t.notMatch(person.answer.body, '<script');
  }
  await person.open(moveUrl(path, slot));
  t.equal(person.path, path, 'the time it has');
});

t.test('the pages of dates, each in at most 50 kB, offer every open time once', async (t) => {
  const far = await startService(t, { ...generous, BOOKING_HORIZON_DAYS: '730' });
  const path = `/checkout/${(await holdForPerson(far)).token}`;
  const read = async (url: string) => (await far.app.inject({ url, headers: html })).body;
  const linksIn = (body: string, pattern: RegExp): string[] =>
    [...body.matchAll(pattern)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  const toDates = /href="([^"]*\/move\?from=[^"]*)"/g;
  const dates = linksIn(await read(`${path}/move`), toDates);
  t.equal(dates.length, Math.ceil(731 / 31));
  const offered: string[] = [];
  for (const url of dates) {
    const body = await read(url);
    t.ok(Buffer.byteLength(body) <= 50_000, `${Buffer.byteLength(body)} bytes`);
    t.strictSame(linksIn(body, toDates), dates);
    offered.push(...linksIn(body, /class="time" href="([^"]*)"/g));
  }
  const open = await everyOpenSlot(far.context);
  t.strictSame(
    offered,
    open.map((slot) => moveUrl(path, slot)),
  );
});
