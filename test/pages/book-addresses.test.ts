import { load } from 'cheerio';
import t from 'tap';
import { openSlots } from '../../src/schedule/calendar.js';
import { addDays } from '../../src/schedule/dates.js';
import type { Slot } from '../../src/schedule/slots.js';
import { linkToBook } from '../../src/web/book-link.js';
import { bookForm, postBook, tokenOf } from '../support/book-form.js';
import { addFeed } from '../support/feeds.js';
import { holdForPerson } from '../support/holds.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { app, context } = service;
const html = { accept: 'text/html' };
const query = (entries: Record<string, string>) =>
  `/book?${new URLSearchParams(entries).toString()}`;
const openTimes = /<a [^>]*href="\/book\?date=/;

t.test('an address that names no time gets the open times, never an error', async (t) => {
  const dates = ['', 'x', '0000-01-01', '2026-02-30', '2026-12-01T00:00:00Z', '+020261-12-01'];
  dates.push(
    '-000001-01-01',
    'x'.repeat(2_000),
    '\u0000',
    '🖋',
    '<script>alert(1)</script',
    '__proto__',
  );
  const times = ['', '1:00 pm', '1:00 PM ', '2:00 PM', '\u0000', 'x'.repeat(2_000), 'toString'];
  const day = { date: '2026-12-10', time_slot: '1:00 PM' };
  for (const [status, url] of [
    ...dates.map((date) => [400, query({ ...day, date })] as const),
    ...times.map((time_slot) => [400, query({ ...day, time_slot })] as const),
    ...dates.slice(1).map((date) => [400, query({ date })] as const),
    [400, query({ time_slot: day.time_slot })],
    [400, `${query(day)}&date=2026-12-11`],
    [400, `${query(day)}&time_slot=9%3A00+AM`],
    [400, '/book?date=2026-12-10&date[x]=1&time_slot=%E0%A4'],
    [200, '/book?date[]=2026-12-10&date[x]=1'],
  ] as const) {
    const page = await app.inject({ url, headers: html });
    const shown = url.slice(0, 80);
    t.equal(page.statusCode, status, shown);
    if (status === 400) t.match(page.body, 'We did not understand which time you chose', shown);
    t.match(page.body, openTimes, shown);
    t.match(page.headers, { 'cache-control': 'no-store' }, shown);
    t.notMatch(page.body, '<script>alert', shown);
  }
  const read = async (url: string) => (await app.inject({ url, headers: html })).body;
  const first = await read('/book');
  const unread = [...dates, '0001-01-01'].map((from) => query({ from }));
  for (const url of [...unread, '/book?from=2027-01-20&from=2027-01-21']) {
    t.equal(await read(url), first, `the first page for ${url.slice(0, 40)}`);
  }
  t.not(await read('/book?from=9999-12-31'), first);
});

t.test(
  'an address with a date alone shows that day first, or says that it is not open',
  async (t) => {
    const all = await everyOpenSlot(context);
    const { date } = all.at(-1)!;
    const ofDay = all.filter((slot) => slot.date === date).map((slot) => linkToBook(slot));
    const person = visitor(service);
    await person.open(query({ date }));
    t.match(person.text('h1'), /^Book on [A-Z][a-z]+day, [A-Z][a-z]+ \d+, \d{4}$/);
    const links = person.$('a.time').map((_, each) => person.$(each).attr('href'));
    t.strictSame(links.get().slice(0, ofDay.length), ofDay);
    for (const other of ['2020-02-29', '9999-12-31']) {
      await person.open(query({ date: other }));
      t.match(
        person.text('.trouble'),
        /^Nothing is open on [A-Z][a-z]+, [A-Z][a-z]+ \d+, \d{4}\.$/,
      );
      t.match(person.$.html(), openTimes, 'the open times follow');
    }
  },
);

t.test('the open times are months with counts, narrowed to days and times of day', async (t) => {
  const service = await startService(t);
  const all = await everyOpenSlot(service.context);
  const person = visitor(service);
  const months = () =>
    person.texts('nav[aria-label=Months] a').map((text) => Number(/(\d+) open$/.exec(text)![1]));
  const counts = (slots: readonly Slot[]) => {
    const names = [...new Set(all.map(({ date }) => date.slice(0, 7)))];
    return names.map((name) => slots.filter(({ date }) => date.startsWith(name)).length);
  };
  await person.open('/book');
  t.strictSame(months(), counts(all));
  await person.press('Show these', { weekday: ['saturday', 'sunday'], time: '1:00 PM' });
  const wanted = all.filter(
    ({ date, timeSlot }) => [0, 6].includes(new Date(date).getUTCDay()) && timeSlot === '1:00 PM',
  );
  t.strictSame(months(), counts(wanted));
  t.equal(person.text('summary'), 'Only Saturday, Sunday, 1:00 PM');
  const offered = (slots: readonly Slot[], month: string) =>
    slots.filter(({ date }) => date.startsWith(month)).map((slot) => linkToBook(slot));
  const shown = () =>
    person
      .$('a.time')
      .map((_, each) => person.$(each).attr('href'))
      .get();
  t.strictSame(shown(), offered(wanted, all[0]!.date.slice(0, 7)));
  const next = person.$('nav[aria-label=Months] a').eq(1).attr('href')!;
  await person.open(next);
  t.strictSame(shown(), offered(wanted, /from=([\d-]{7})/.exec(next)![1]!), 'kept in each month');
  await person.press('Show these', { weekday: 'monday', time: undefined });
  t.match(person.text(), 'Please try another month', 'where none is such');
  const saturdays = all.filter(({ date }) => new Date(date).getUTCDay() === 6);
  for (const [query, some] of [
    ['weekday=saturday', saturdays],
    ['time=1:00+PM', all.filter(({ timeSlot }) => timeSlot === '1:00 PM')],
  ] as const) {
    await person.open(`/book?${query}`);
    t.strictSame(months(), counts(some), query);
  }
  await person.follow('Show all open times');
  t.strictSame(months(), counts(all));
  t.equal(person.text('summary'), 'Only some days or times');
  await person.open('/book?weekday=noday&time=noon&theme=neon');
  t.strictSame(months(), counts(all), 'what it does not understand counts as missing');
});

t.test('a time that is not open gets 409 with the reason and the open times', async (t) => {
  const notice = { MIN_NOTICE_MINUTES: String(2 * 1_440) };
  const service = await startService(t, { ...generous, ...notice });
  const { app, context } = service;
  const taken = (await holdForPerson(service)).slot;
  const closed = (await someOpenSlots(context, 20)).at(-1)!;
  const closure = { from_date: closed.date, to_date: closed.date };
  await context.database.insertInto('closures').values(closure).execute();
  const all = await everyOpenSlot(context);
  const { calendar, taken: holders } = await context.board.read();
  const range = { from: addDays(all[0]!.date, -3), to: all[0]!.date };
  const hasty = { ...calendar, minNoticeMinutes: 0 };
  const days = openSlots(hasty, holders, range, context.clock.now());
  const soon = { date: days[0]!.date, timeSlot: days[0]!.slots[0]!.timeSlot };
  const beyond = addDays(all.at(-1)!.date, 7);
  const cases: [Slot, string][] = [
    [taken, 'is no longer free.'],
    [closed, 'We have no session on'],
    [{ date: '2020-01-02', timeSlot: '1:00 PM' }, 'has passed.'],
    [{ date: '0001-01-01', timeSlot: '9:00 AM' }, 'has passed.'],
    [soon, 'is too soon to be booked.'],
    [{ date: beyond, timeSlot: '1:00 PM' }, 'cannot be booked yet.'],
    [{ date: '9999-12-31', timeSlot: '5:00 PM' }, 'cannot be booked yet.'],
  ];
  for (const [slot, reason] of cases) {
    const page = await app.inject({ url: linkToBook(slot), headers: html });
    t.match(page, { statusCode: 409, headers: { 'cache-control': 'no-store' } }, reason);
    t.match(load(page.body)('.trouble').text(), reason);
    t.match(page.body, 'Please choose another one.', reason);
    t.match(page.body, openTimes, reason);
    const form = bookForm(slot);
    const posted = await postBook(service, form);
    const $ = load(posted.body);
    t.equal(posted.statusCode, 409, `${reason}, posted`);
    t.match($('.trouble').text(), reason);
    t.match($('.trouble').text(), 'Nothing new is held; what you typed is still here.');
    t.equal($('input[type=radio][name=slot]').length, 5, `${reason}: alternatives`);
    t.equal((await postBook(service, { ...form, phone: '' })).statusCode, 400, 'mistakes first');
  }
});

t.test('no page is kept, HEAD answers as GET, and only the plain list is indexed', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const cookie = `hold=${tokenOf(await postBook(service, bookForm(slot!)))}`;
  const pages: [string, number, boolean, Record<string, string>?][] = [
    ['/book', 200, true],
    ['/book?from=2027-01-01', 200, true],
    ['/book', 200, false, { cookie }],
    [linkToBook(other!), 200, false],
    [linkToBook(other!), 200, false, { cookie }],
    [linkToBook(slot!), 409, false],
    [linkToBook(slot!), 200, false, { cookie }],
    ['/book?date=x', 400, false],
  ];
  for (const [url, status, isIndexed, headers = {}] of pages) {
    const request = { url, headers: { ...html, ...headers } };
    const page = await app.inject(request);
    const head = await app.inject({ ...request, method: 'HEAD' });
    t.match(page, { statusCode: status, headers: { 'cache-control': 'no-store' } }, url);
    t.notMatch(page.headers, { etag: String }, url);
    const isExcluded = /name="robots" content="noindex/.test(page.body);
    t.equal(!isExcluded && page.headers['x-robots-tag'] === undefined, isIndexed, url);
    t.match(head, { statusCode: status, body: '' }, `HEAD ${url}`);
    // Each form has a nonce of its own.
    const comparable = ({ headers: { date: _, ratelimit: __, ...rest } }: typeof page) =>
      JSON.stringify(rest).replaceAll(/form-[\w=-]+/g, 'form');
    t.equal(comparable(head), comparable(page), `HEAD ${url}`);
  }
  const posted = await postBook(service, bookForm(slot!));
  t.match(posted.headers, { 'cache-control': 'no-store', 'x-robots-tag': /noindex/ });
  t.match(await app.inject('/book/'), { statusCode: 301, headers: { location: '/book' } });
  const put = await app.inject({ method: 'PUT', url: '/book' });
  t.match(put, { statusCode: 405, headers: { allow: 'GET, HEAD, POST' } });
  // `/checkout/:token` has POST, and an empty token would match.
  const empty = await app.inject({ method: 'POST', url: '/checkout/' });
  t.match(empty, { statusCode: 405, headers: { allow: 'GET, HEAD' } });
});

t.test('how long a time is held is said in minutes, also where it is one', async (t) => {
  const hasty = await startService(t, { ...generous, HOLD_LIFETIME_SECONDS: '20' });
  for (const [{ app }, words] of [
    [hasty, 'a minute'],
    [service, '15 minutes'],
  ] as const) {
    const [slot] = await someOpenSlots(context, 1);
    for (const url of ['/book', linkToBook(slot!)]) {
      const page = await app.inject({ url, headers: html });
      t.match(page.body, new RegExp(`hold (?:it|the time) for you for ${words}\\b`), url);
    }
  }
});

t.test(
  'a link opens with what a chat has appended to it, and leads to no other host',
  async (t) => {
    const { token, slot } = await holdForPerson(service);
    const { path: feed } = await addFeed(context);
    const ends = ['.', ')', '**', '>', '%3F', '%3e', ').', '%29,', '`', '"'];
    const links = [`/checkout/${token}`, linkToBook(slot), '/book', '/docs', '/guide.md', feed];
    const opened = async (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
      const { statusCode, headers } = await app.inject({ method, url, headers: html });
      return [statusCode, headers.location];
    };
    for (const link of links) {
      for (const end of ends) t.strictSame(await opened(link + end), [303, link], link + end);
      t.strictSame(await opened(`${link})`, 'HEAD'), [303, link], link);
    }
    const utm = `/checkout/${token}?utm_source=chatgpt.com`;
    t.strictSame(await opened(utm.replace('?', ')?')), [303, utm]);
    const person = visitor(service);
    t.equal(await person.open(`/checkout/${token}**`), 200);
    await person.press('Release this time');
    t.match(person.text('h1'), 'This time was released', 'its forms post to the clean address');
    t.strictSame(await opened('//evil.example)'), [303, '/evil.example']);
    for (const url of ['/api/public/studio)', '/api/none.', '/console/bookings?q=Park.']) {
      t.strictSame((await opened(url))[1], undefined, url);
    }
    t.equal((await opened(`/checkout/${token})`, 'POST'))[1], undefined);
  },
);
