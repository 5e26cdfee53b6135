import { load } from 'cheerio';
import type { LightMyRequestResponse } from 'fastify';
import t, { type Test } from 'tap';
import { pagesPerMinute } from '../../src/config/limits.js';
import { agent, charged } from '../support/agents.js';
import { bookForm, postBook, tokenOf, typedIn } from '../support/book-form.js';
import { standingClock } from '../support/clock.js';
import { pressOn } from '../support/forms.js';
import { someOpenSlots } from '../support/requests.js';
import { startService, uncapped } from '../support/service.js';

const typed = {
  name: 'Ada & <Park>',
  email: 'ada@example.com',
  phone: '(555) 555-0142',
  pronouns: 'she/her',
  idea: '\n a heron,\n"in flight"',
};

async function start(t: Test, environment: Record<string, string> = uncapped) {
  const clock = standingClock();
  const service = await startService(t, environment, { overrides: { clock } });
  const slots = await someOpenSlots(service.context, 20);
  const nextSlot = () => slots.shift()!;
  /** Sends the form of a slot, which is the next one unless it is given. */
  const send = (address: string, form = bookForm(nextSlot(), typed), cookie = '') =>
    postBook(service, form, { address, ...(cookie !== '' && { cookie }) });
  return { ...service, service, clock, nextSlot, send };
}

const shared = await start(t);
shared.expectLog(/"code":"(?:internal_error|service_unavailable)"/);

/** A refusal for people: what was typed is kept, and no word is for programs. */
function isForPeople(t: Test, page: LightMyRequestResponse, status: number, title: string): void {
  t.equal(page.statusCode, status, title);
  t.match(page.headers, { 'content-type': /text\/html/, 'cache-control': 'no-store' });
  const $ = load(page.body);
  t.equal($('h1').text(), title);
  const text = $('[role=alert] p').text();
  t.match(text, /^[A-Z].*[Ww]hat you typed is still here\.$/);
  t.notMatch(text, /API|caller|live booking|retry|seconds|budget|limit of|HTTP|error|_|\b\d{3}\b/);
  t.notMatch(page.body, /rate_limited|_unavailable|too_many|internal_error/);
  t.strictSame(typedIn(page.body), typed, `${title}: all that was typed is still there`);
}

function isLater(t: Test, page: LightMyRequestResponse, seconds: number): void {
  t.equal(page.headers['retry-after'], String(seconds));
  const words = seconds <= 60 ? 'in a minute' : `in ${Math.ceil(seconds / 60)} minutes`;
  t.ok(page.body.includes(`press the button again ${words}`), words);
}

t.test('the form, POST /holds and "hold again" share five holds an hour', async (t) => {
  const { app, service, clock, nextSlot, send } = await start(t);
  const lapsed = await send('192.0.2.9');
  clock.advance(900_000);
  await service.shiftClock(900_000);
  const address = '192.0.2.1';
  const first = bookForm(nextSlot(), typed);
  const held = await send(address, first);
  t.equal(charged(held), 'holds 4/5');
  t.equal(charged(await agent(app, { address }).hold(nextSlot())), 'holds 3/5');
  const path = `/checkout/${tokenOf(lapsed)}`;
  const again = await pressOn(service, path, 'hold_again', { from: address });
  t.equal(charged(again), 'holds 2/5');
  const taken = await send(address, { ...first, nonce: crypto.randomUUID() });
  t.equal(charged(taken), 'holds 1/5', 'as in the API, a time that is taken costs a hold');
  isForPeople(t, taken, 409, 'That time has been taken');
  const form = bookForm(nextSlot(), typed);
  const mistaken = await send(address, { ...form, phone: '1' });
  t.equal(mistaken.statusCode, 400);
  t.match(charged(mistaken), /^pages/, 'a mistake costs no hold');
  t.equal(charged(await send(address)), 'holds 0/5');

  const refused = await send(address, form);
  isForPeople(t, refused, 429, 'No more holds for now');
  isLater(t, refused, 3600);
  const ofHolds = 'as we allow within an hour. Please';
  t.match(refused.body, `${ofHolds} press`, 'it names the one limit');
  const onItsPage = await pressOn(service, path, 'hold_again', {
    fields: { slot: String(bookForm(nextSlot())['slot']) },
    from: address,
  });
  t.match(onItsPage, { statusCode: 429, body: ofHolds });
  t.equal((await agent(app, { address }).hold(nextSlot())).statusCode, 429);
  const replayed = await send(address, first);
  t.equal(replayed.headers.location, held.headers.location, 'a form sent again is free');
  t.equal((await send('192.0.2.2', form)).statusCode, 303, 'from another address');
  clock.advance(3_600_000);
  t.equal((await send(address)).statusCode, 303, 'in time');
});

t.test('each limit is named by its one cause', async (t) => {
  const { app, send } = await start(t, { ...uncapped, MAX_LIVE_BOOKINGS_PER_PERSON: '1' });
  t.equal((await send('192.0.2.1')).statusCode, 303);
  const capped = await send('192.0.2.2');
  isForPeople(t, capped, 429, 'No more holds for now');
  t.match(capped.body, 'as many sessions held or booked as we allow at once');
  const open = () =>
    app.inject({ url: '/book', headers: { accept: 'text/html' }, remoteAddress: '192.0.2.3' });
  await Promise.all(Array.from({ length: pagesPerMinute }, open));
  const refused = await open();
  t.equal(refused.statusCode, 429);
  t.match(refused.body, 'There were too many requests from your internet connection.');
  t.notMatch(refused.body, 'held or booked');
});

t.test('the caps of pending holds say when to press again', async (t) => {
  const caps = { MAX_PENDING_HOLDS: '3', MAX_PENDING_HOLDS_PER_CALLER: '2' };
  const { app, expectLog, nextSlot, send } = await start(t, { ...uncapped, ...caps });
  expectLog(/"code":"too_many_pending_holds"/);
  await agent(app).hold(nextSlot());
  t.equal((await send('192.0.2.1')).statusCode, 303);
  const ofAddress = await send('192.0.2.1');
  t.equal((await agent(app).hold(nextSlot())).statusCode, 503, 'both ways of holding count');
  t.equal((await send('192.0.2.2')).statusCode, 303);
  for (const page of [ofAddress, await send('192.0.2.3')]) {
    isForPeople(t, page, 503, 'Too many times are held right now');
    const seconds = Number(page.headers['retry-after']);
    t.ok(seconds > 0 && seconds <= 900 + 450, `${seconds} s`);
    isLater(t, page, seconds);
  }
});

t.test('at the cap of live bookings, the form names that limit alone', async (t) => {
  const { send } = await start(t, { ...uncapped, MAX_LIVE_BOOKINGS_PER_PERSON: '1' });
  t.equal((await send('192.0.2.1')).statusCode, 303);
  const refused = await send('192.0.2.2');
  isForPeople(t, refused, 429, 'No more holds for now');
  t.match(refused.body, /You have as many sessions held or booked as we allow at once\. Please/);
});

t.test('an error of ours gives the hold back and keeps what was typed', async (t) => {
  const { context, nextSlot, send } = shared;
  const { database } = context;
  for (const [address, cookie] of [['192.0.2.31'], ['192.0.2.32', 'a'.repeat(43)]] as const) {
    const form = bookForm(nextSlot(), typed);
    context.database = undefined as never;
    const failed = await send(address, form, cookie);
    isForPeople(t, failed, 500, 'Something went wrong on our side');
    t.equal(charged(failed), 'pages 299/300');
    const mistaken = await send(address, { ...form, phone: '1' }, cookie);
    t.equal(mistaken.statusCode, 400, 'mistakes are shown all the same');
    context.database = database;
    const held = await send(address, form, cookie);
    t.equal(held.statusCode, 303);
    t.equal(charged(held), 'holds 4/5');
  }
});

t.test('without the calendar, the form answers as other pages do', async (t) => {
  const { app, context, nextSlot, send } = shared;
  const form = bookForm(nextSlot(), typed);
  const read = context.board.read.bind(context.board);
  context.board.read = () => Promise.reject(new Error('no board'));
  const failed = await send('192.0.2.41', form);
  t.match(failed, { statusCode: 500, body: 'Something went wrong on our side' });
  t.match(failed.body, 'Reference:');
  t.equal(charged(failed), 'pages 299/300');
  t.equal((await app.inject('/book')).statusCode, 500);
  context.board.read = read;
  t.equal(charged(await send('192.0.2.41', form)), 'holds 4/5');
});

t.test('programs that post the form get the error envelope of POST /holds', async (t) => {
  const { app, service, nextSlot, send } = shared;
  const slot = nextSlot();
  const form = bookForm(slot);
  await send('192.0.2.51', form);
  const headers = { accept: '*/*' };
  const answer = await postBook(service, { ...form, name: 'Another' }, { headers });
  const byApi = await agent(app).hold(slot);
  t.equal(answer.statusCode, 409);
  const errorOf = (each: LightMyRequestResponse) =>
    ({ ...each.json<{ error: object }>().error, request_id: '' }) as object;
  t.strictSame(errorOf(answer), errorOf(byApi));
});
