import t from 'tap';
import { linkToBook } from '../../src/pages/book-link.js';
import { findCheckout } from '../../src/domain/checkout.js';
import { openSlots } from '../../src/calendar/calendar.js';
import { addDays } from '../../src/calendar/dates.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { bookForm, postBook, releaseForm, tokenOf } from '../support/book-form.js';
import { holdForPerson } from '../support/pages.js';
import { generous, startTestService } from '../support/service.js';

const html = { accept: 'text/html' };
const query = (entries: Record<string, string>) =>
  `/book?${new URLSearchParams(entries).toString()}`;
const openTimes = /<a [^>]*href="\/book\?date=/;

void t.test('an address that names no time gets the open times, never an error', async (t) => {
  const { app } = await startTestService(t);
  const dates = [
    '',
    'x',
    '0000-01-01',
    '2026-02-30',
    '2026-12-01T00:00:00Z',
    '+020261-12-01',
    '-000001-01-01',
    'x'.repeat(2_000),
    '\u0000',
    '🖋',
    '<script>alert(1)</script>',
    '__proto__',
  ];
  const times = ['', '1:00 pm', '1:00 PM ', '2:00 PM', '\u0000', 'x'.repeat(2_000), 'toString'];
  const day = { date: '2026-12-10', time_slot: '1:00 PM' };
  const addresses = [
    ...dates.map((date) => query({ ...day, date })),
    ...times.map((time_slot) => query({ ...day, time_slot })),
    query({ date: day.date }),
    query({ time_slot: day.time_slot }),
    `${query(day)}&date=2026-12-11`,
    `${query(day)}&time_slot=9%3A00+AM`,
    '/book?date[]=2026-12-10&date[x]=1&time_slot=%E0%A4',
  ];
  for (const url of addresses) {
    const page = await app.inject({ url, headers: html });
    const shown = url.slice(0, 80);
    t.ok([400, 200].includes(page.statusCode), `${page.statusCode} ${shown}`);
    const isNamed = url.includes('?date=') || url.includes('?time_slot=');
    if (isNamed) t.match(page.body, 'We did not understand which time you chose', shown);
    t.match(page.body, openTimes, shown);
    t.match(page.headers, { 'cache-control': 'no-store' }, shown);
    t.notMatch(page.body, '<script>alert', shown);
  }
  const first = (await app.inject({ url: '/book', headers: html })).body;
  for (const from of [...dates, '0001-01-01']) {
    const page = await app.inject({ url: query({ from }), headers: html });
    t.equal(page.statusCode, 200, from.slice(0, 40));
    t.equal(page.body, first, `the first page for ${from.slice(0, 40)}`);
  }
  const twice = await app.inject({ url: '/book?from=2027-01-20&from=2027-01-21', headers: html });
  t.equal(twice.body, first);
  const last = await app.inject({ url: '/book?from=9999-12-31', headers: html });
  t.equal(last.statusCode, 200);
  t.not(last.body, first);
});

void t.test('a time that is not open gets 409 with the reason and the open times', async (t) => {
  const notice = 2 * 1_440;
  const service = await startTestService(t, {
    ...generous,
    MIN_NOTICE_MINUTES: String(notice),
  });
  const { app, context } = service;
  const taken = (await holdForPerson({ service })).slot;
  const closed = (await someOpenSlots(context, 20)).at(-1);
  await context.database
    .insertInto('closures')
    .values({ from_date: closed!.date, to_date: closed!.date })
    .execute();
  const all = await everyOpenSlot(context);
  const { calendar, taken: holders } = await context.board.read();
  const range = { from: addDays(all[0]!.date, -3), to: all[0]!.date };
  const hasty = { ...calendar, minNoticeMinutes: 0 };
  const { days } = openSlots(hasty, holders, range, context.clock.now());
  const soon = { date: days[0]!.date, timeSlot: days[0]!.slots[0]!.timeSlot };
  const beyond = addDays(all.at(-1)!.date, 7);
  const cases: [{ date: string; timeSlot: string }, RegExp][] = [
    [taken, /is no longer free\. Please choose another one/],
    [closed!, /We have no session on/],
    [{ date: '2020-01-02', timeSlot: '1:00 PM' }, /has passed/],
    [{ date: '0001-01-01', timeSlot: '9:00 AM' }, /has passed/],
    [soon, /is too soon to be booked/],
    [{ date: beyond, timeSlot: '1:00 PM' }, /cannot be booked yet/],
    [{ date: '9999-12-31', timeSlot: '5:00 PM' }, /cannot be booked yet/],
  ];
  for (const [{ date, timeSlot }, reason] of cases) {
    const page = await app.inject({ url: query({ date, time_slot: timeSlot }), headers: html });
    t.equal(page.statusCode, 409, date);
    t.match(page.body, reason, date);
    t.match(page.body, openTimes, date);
    t.match(page.headers, { 'cache-control': 'no-store' });
    const form = bookForm({ date, timeSlot } as typeof taken);
    const posted = await postBook(service, form);
    t.equal(posted.statusCode, 409, `${date}, posted`);
    const said = new RegExp(
      reason.source.replace(' Please choose another one', ' Nothing new is held'),
    );
    t.match(posted.body, said, `${date}, posted`);
    t.equal(posted.body.match(/type="radio" name="slot"/g)?.length, 5, `${date}: alternatives`);
    t.equal((await postBook(service, { ...form, phone: '' })).statusCode, 400, `${date}: mistakes`);
  }
});

void t.test(
  'no page is kept, HEAD answers as GET, and only the plain list is indexed',
  async (t) => {
    const service = await startTestService(t);
    const { app, context } = service;
    const [slot, other] = await someOpenSlots(context, 2);
    const cookie = `hold=${tokenOf(await postBook(service, bookForm(slot!)))}`;
    const time = ({ date, timeSlot }: typeof other & object) =>
      query({ date, time_slot: timeSlot });
    const pages: [string, number, boolean, Record<string, string>?][] = [
      ['/book', 200, true],
      ['/book?from=2027-01-01', 200, true],
      ['/book', 200, false, { cookie }],
      [time(other!), 200, false],
      [time(other!), 200, false, { cookie }],
      [time(slot!), 409, false],
      [time(slot!), 200, false, { cookie }],
      ['/book?date=x', 400, false],
    ];
    for (const [url, status, isIndexed, headers = {}] of pages) {
      const request = { url, headers: { ...html, ...headers } };
      const page = await app.inject(request);
      const head = await app.inject({ ...request, method: 'HEAD' });
      t.equal(page.statusCode, status, url);
      t.match(page.headers, { 'cache-control': 'no-store' }, url);
      t.notMatch(page.headers, { etag: String }, url);
      const { 'x-robots-tag': robots } = page.headers;
      t.equal(
        !/name="robots" content="noindex/.test(page.body) && robots === undefined,
        isIndexed,
        url,
      );
      t.equal(head.statusCode, status, `HEAD ${url}`);
      t.equal(head.body, '');
      const comparable = ({ headers: { date: _, ratelimit: __, ...rest } }: typeof page) => rest;
      t.strictSame(comparable(head), comparable(page), `HEAD ${url}`);
    }
    const posted = await postBook(service, bookForm(slot!));
    t.match(posted.headers, { 'cache-control': 'no-store', 'x-robots-tag': /noindex/ });
    const slash = await app.inject({ url: '/book/' });
    t.match(slash, { statusCode: 301, headers: { location: '/book' } });
    const method = await app.inject({ method: 'PUT', url: '/book' });
    t.match(method, { statusCode: 405, headers: { allow: 'GET, HEAD, POST' } });
    // `/checkout/:token` has POST, and an empty token would match.
    const empty = await service.app.inject({ method: 'POST', url: '/checkout/' });
    t.match(empty, { statusCode: 405, headers: { allow: 'GET, HEAD' } });
  },
);

void t.test('the list is that of the moment, and never one with another’s hold', async (t) => {
  const service = await startTestService(t);
  const { app, context } = service;
  const [slot] = await someOpenSlots(context, 1);
  const link = query({ date: slot!.date, time_slot: slot!.timeSlot }).replaceAll('&', '&amp;');
  const list = async (headers = {}) => (await app.inject({ url: '/book', headers })).body;
  const before = await list();
  t.ok(before.includes(link));
  const token = tokenOf(await postBook(service, bookForm(slot!)));
  const own = await list({ cookie: `hold=${token}` });
  t.match(own, 'You are holding a time');
  const others = await list();
  t.notOk(others.includes(link), 'a time that is held is gone at once');
  t.notMatch(others, token);
  t.notMatch(others, 'You are holding a time');
  const { booking } = (await findCheckout(context, token))!;
  await postBook(service, releaseForm(booking.id), { cookie: token });
  t.equal(await list(), before);
});

void t.test('how long a time is held is said in minutes, also where it is one', async (t) => {
  for (const [seconds, words] of [
    ['20', 'a minute'],
    ['60', 'a minute'],
    ['900', '15 minutes'],
  ] as const) {
    const service = await startTestService(t, { ...generous, HOLD_LIFETIME_SECONDS: seconds });
    const [slot] = await someOpenSlots(service.context, 1);
    for (const url of ['/book', linkToBook(slot!)]) {
      const page = await service.app.inject({ url, headers: { accept: 'text/html' } });
      t.match(page.body, new RegExp(`hold (?:it|the time) for you for ${words}\\b`), url);
    }
  }
});
