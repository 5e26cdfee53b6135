import t from 'tap';
import { addDays } from '../../src/calendar/dates.js';
import { slotOf, type Slot } from '../../src/calendar/slots.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { standingClock, stopDatabaseClock } from '../support/clock.js';
import { bookingRow } from '../support/bookings.js';
import { pressMove } from '../support/moves.js';
import { holdForPerson, moveUrl, type HeldForPerson } from '../support/pages.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { originMismatch } from '../support/service-log.js';
import { generous, startTestService, type TestService } from '../support/service.js';

const html = { accept: 'text/html' };

const pathOf = ({ url }: HeldForPerson): string => new URL(url).pathname;

const fieldsOf = ({ date, timeSlot }: Slot, sequence: number): Record<string, string> => ({
  date,
  time_slot: timeSlot,
  sequence: String(sequence),
});

async function confirmed(service: TestService): Promise<HeldForPerson> {
  const held = await holdForPerson({ service });
  await confirmCheckout(service.context, held.token);
  return held;
}

/** What a person reads on a page: its text, with plain spaces. */
function textOf(body: string): string {
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(body) ?? [];
  return main.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
}

const reachTheStudio = /<a href="mailto:hello@nightheron\.example">.+<a href="tel:\+15555550100">/;

void t.test('opening or previewing a page of a move changes nothing', async (t) => {
  const service = await startTestService(t);
  const { app, context } = service;
  const held = await confirmed(service);
  const [slot] = await someOpenSlots(context, 1);
  const everything = async () => [
    await context.database.selectFrom('bookings').selectAll().execute(),
    await context.database.selectFrom('events').select('id').execute(),
  ];
  const before = await everything();
  const path = pathOf(held);
  for (const url of [
    `${path}/move`,
    `${path}/move?from=${slot!.date}`,
    moveUrl(path, slot!),
    `${moveUrl(path, slot!)}&action=move&sequence=1`,
  ]) {
    for (const [method, headers] of [
      ['GET', html],
      ['HEAD', html],
      ['GET', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-site': 'none' }],
      ['GET', { 'user-agent': 'Slackbot-LinkExpanding 1.0', 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const answer = await app.inject({ method, url, headers });
      t.match(answer, { statusCode: 200, headers: { 'cache-control': 'no-store' } }, url);
    }
  }
  t.strictSame(await everything(), before);
});

void t.test(
  'a move by another site, with an API key or with other fields is refused',
  async (t) => {
    const service = await startTestService(t);
    service.expectLog(originMismatch);
    const held = await holdForPerson({ service });
    const [slot] = await someOpenSlots(service.context, 1);
    const fields = fieldsOf(slot!, 0);
    const origin = service.context.config.publicBaseUrl;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin, 'sec-fetch-site': 'cross-site' },
      { origin, authorization: 'Bearer tsk_anything' },
      {},
    ]) {
      const answer = await pressMove(service, pathOf(held), fields, headers);
      t.equal(answer.statusCode, 403, JSON.stringify(headers));
    }
    for (const changed of [
      { action: 'confirm' },
      { date: '2026-02-30' },
      { time_slot: '10:00 AM' },
      { sequence: '' },
      { sequence: '-1' },
      { sequence: '1e9' },
    ]) {
      const answer = await pressMove(service, pathOf(held), { ...fields, ...changed });
      t.equal(answer.statusCode, 400, JSON.stringify(changed));
      t.match(answer.body, /We did not understand that/);
    }
    t.equal((await bookingRow(service.context, held.id)).sequence, 0);
    const right = await pressMove(service, pathOf(held), fields);
    t.match(right, { statusCode: 303, headers: { location: pathOf(held) } });
    t.equal((await bookingRow(service.context, held.id)).sequence, 1);
  },
);

void t.test(
  'a session can be moved until the second that its page names, and then the page says the rule',
  async (t) => {
    const service = await startTestService(t, generous, { clock: standingClock() });
    const { app, context } = service;
    const held = await confirmed(service);
    const path = pathOf(held);
    const { starts_at, timezone } = await bookingRow(context, held.id);
    const until = starts_at.getTime() - 24 * 3_600_000;
    const format = { timeZone: timezone, dateStyle: 'full', timeStyle: 'short' } as const;
    const year = held.slot.date.slice(0, 4);
    const named = new Intl.DateTimeFormat('en-US', format)
      .format(until)
      // The year of the session is not repeated.
      .replace(`, ${year}`, '')
      .replace(/\s/g, ' ');
    const read = async (url: string) => app.inject({ url, headers: html });
    const at = async (instant: number): Promise<void> => {
      await stopDatabaseClock(context.database, instant);
      await context.board.refresh();
    };

    t.match(textOf((await read(path)).body), `You can still move it twice, until ${named},`);
    await at(until + 1_000);
    const [other] = await someOpenSlots(context, 1);
    const page = await read(path);
    t.notMatch(page.body, 'Move to another time');
    const rule = `You can move a session online until 24 hours before it begins. For yours, that was ${named}`;
    t.match(textOf(page.body), rule);
    t.match(page.body, reachTheStudio);
    for (const answer of [
      await read(`${path}/move`),
      await read(moveUrl(path, other!)),
      await pressMove(service, path, fieldsOf(other!, 1)),
    ]) {
      t.equal(answer.statusCode, 409);
      t.match(textOf(answer.body), rule);
      t.match(answer.body, reachTheStudio);
    }
    const accept = { origin: context.config.publicBaseUrl, accept: 'application/json' };
    const plain = await pressMove(service, path, fieldsOf(other!, 1), accept);
    t.match(plain, { statusCode: 409 });
    t.equal(plain.json<{ error: { code: string } }>().error.code, 'move_refused');
    t.strictSame(slotOf(await bookingRow(context, held.id)), held.slot);

    await at(until - 1_000);
    t.match((await read(path)).body, 'Move to another time');
    t.equal((await pressMove(service, path, fieldsOf(other!, 1))).statusCode, 303);
    t.strictSame(slotOf(await bookingRow(context, held.id)), other);
  },
);

void t.test(
  'a hold can be moved until the second in which it ends, and after that its page tells the end',
  async (t) => {
    const service = await startTestService(t, generous, { clock: standingClock() });
    const { app, context } = service;
    const held = await holdForPerson({ service });
    const path = pathOf(held);
    const [one, other] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    const end = (await bookingRow(context, held.id)).expires_at.getTime();
    for (const [instant, status, slot] of [
      [end - 1_000, 200, one],
      [end + 1_000, 303, other],
    ] as const) {
      await stopDatabaseClock(context.database, instant);
      await context.board.refresh();
      const page = await app.inject({ url: moveUrl(path, slot), headers: html });
      t.equal(page.statusCode, status);
      const pressed = await pressMove(service, path, fieldsOf(slot, instant < end ? 0 : 1));
      t.match(pressed, { statusCode: 303, headers: { location: path } });
      t.strictSame(slotOf(await bookingRow(context, held.id)), one);
    }
    t.match((await app.inject({ url: path, headers: html })).body, 'Your hold has ended');
  },
);

void t.test(
  'after the last move the page says the limit and how to reach the studio',
  async (t) => {
    const service = await startTestService(t, { ...generous, MAX_MOVES: '1' });
    const { app, context } = service;
    const held = await confirmed(service);
    const path = pathOf(held);
    const read = async (url: string) => app.inject({ url, headers: html });
    t.match(textOf((await read(path)).body), 'You can still move it once, until');
    const [one, other] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    t.match((await read(moveUrl(path, one))).body, 'you cannot move it online again');
    await pressMove(service, path, fieldsOf(one, 1));
    const rule = 'You can move a confirmed session online at most once, and you have done so.';
    for (const [answer, status] of [
      [await read(path), 200],
      [await read(`${path}/move`), 409],
      [await pressMove(service, path, fieldsOf(other, 2)), 409],
    ] as const) {
      t.equal(answer.statusCode, status);
      t.match(textOf(answer.body), rule);
      t.match(answer.body, reachTheStudio);
    }
  },
);

void t.test('an address that names no open time gets a page of other times', async (t) => {
  const service = await startTestService(t);
  const { app, context } = service;
  const held = await confirmed(service);
  const { date } = held.slot;
  const today = (await everyOpenSlot(context))[0]!.date;
  for (const [query, status, said] of [
    ['from=yesterday', 200, 'Choose another time'],
    ['from=2026-02-30&from=x', 200, 'Choose another time'],
    ['from=0001-01-01', 200, 'Choose another time'],
    ['from=9999-12-31', 200, 'Choose another time'],
    [`date=${date}`, 400, 'We did not understand which time'],
    ['time_slot=9%3A00+AM', 400, 'We did not understand which time'],
    [`date=${date}&time_slot=10%3A00+AM`, 400, 'We did not understand which time'],
    [`date=${date}&date=${date}&time_slot=9%3A00+AM`, 400, 'We did not understand which time'],
    ['date=2026-02-30&time_slot=9%3A00+AM', 400, 'We did not understand which time'],
    ['date=__proto__&time_slot=constructor', 400, 'We did not understand which time'],
    ['date=%00%ff&time_slot=%3Cscript%3E', 400, 'We did not understand which time'],
    [`date=${addDays(today, -2)}&time_slot=9%3A00+AM`, 409, 'That time is over'],
    ['date=0001-01-01&time_slot=9%3A00+AM', 409, 'That time is over'],
    ['date=9999-12-31&time_slot=9%3A00+AM', 409, 'That time is too far ahead'],
  ] as const) {
    const url = `${pathOf(held)}/move?${query}`;
    const answer = await app.inject({ url, headers: html });
    t.equal(answer.statusCode, status, query);
    t.match(textOf(answer.body), said, query);
    t.match(answer.body, /class="time" href=/, `${query}: other times are offered`);
    t.notMatch(answer.body, '<script');
  }
  const own = await app.inject({ url: moveUrl(pathOf(held), held.slot), headers: html });
  t.match(own, { statusCode: 303, headers: { location: pathOf(held) } }, 'the time it has');
});

void t.test(
  'the pages of dates, each in at most 50 kB, offer every open time to the farthest horizon once',
  async (t) => {
    const service = await startTestService(t, { ...generous, BOOKING_HORIZON_DAYS: '730' });
    const { app, context } = service;
    const held = await confirmed(service);
    const read = async (url: string) => (await app.inject({ url, headers: html })).body;
    const linksIn = (body: string, pattern: RegExp): string[] =>
      [...body.matchAll(pattern)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    const first = await read(`${pathOf(held)}/move`);
    const dates = linksIn(first, /href="([^"]*\/move\?from=[^"]*)"/g);
    t.equal(dates.length, Math.ceil(731 / 31));
    const offered: string[] = [];
    for (const url of dates) {
      const body = await read(url);
      t.ok(Buffer.byteLength(body) <= 50_000, `${Buffer.byteLength(body)} bytes`);
      t.strictSame(linksIn(body, /href="([^"]*\/move\?from=[^"]*)"/g), dates);
      offered.push(...linksIn(body, /class="time" href="([^"]*)"/g));
    }
    const open = await everyOpenSlot(context);
    t.strictSame(
      offered,
      open.map((slot) => moveUrl(pathOf(held), slot)),
    );
  },
);
