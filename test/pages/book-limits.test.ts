import t, { type Test } from 'tap';
import type { LightMyRequestResponse } from 'fastify';
import type { Slot } from '../../src/calendar/slots.js';
import { agent, charged, slotHolder } from '../support/agents.js';
import { bookForm, postBook, tokenOf, typedIn } from '../support/book-form.js';
import { standingClock } from '../support/clock.js';
import { pressButton } from '../support/person.js';
import { holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { startTestService, uncapped } from '../support/service.js';

const typed = {
  name: 'Ada & <Park>',
  email: 'ada@example.com',
  phone: '(555) 555-0142',
  pronouns: 'she/her',
  idea: '\n a heron,\n"in flight"',
};

async function start(t: Test, environment: Record<string, string> = uncapped, slotCount = 20) {
  const clock = standingClock();
  const service = await startTestService(t, environment, { clock });
  const slots = await someOpenSlots(service.context, slotCount);
  return { ...service, clock, nextSlot: () => slots.shift() as Slot };
}

/** A refusal for people: what was typed is kept, and no word is for programs. */
function isForPeople(t: Test, page: LightMyRequestResponse, status: number, title: string): void {
  t.equal(page.statusCode, status, title);
  t.match(page.headers['content-type'], 'text/html');
  t.match(page.headers, { 'cache-control': 'no-store' });
  t.ok(page.body.includes(`<h1>${title}</h1>`), title);
  const [, text = ''] = /role="alert"><p>([^<]*)<\/p>/.exec(page.body) ?? [];
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

void t.test(
  'the form, POST /holds and "hold again" share five holds an hour of one address',
  async (t) => {
    const service = await start(t);
    const { app, clock, nextSlot } = service;
    const lapsed = await postBook(service, bookForm(nextSlot()), { address: '192.0.2.9' });
    clock.advance(900_000);
    await service.shiftClock(900_000);
    const address = '192.0.2.1';
    const byForm = (slot: Slot) => postBook(service, bookForm(slot, typed), { address });
    const first = nextSlot();
    t.equal(charged(await byForm(first)), 'holds 4/5');
    t.equal(charged(await agent(app, { address }).hold(nextSlot())), 'holds 3/5');
    const path = `/checkout/${tokenOf(lapsed)}`;
    const again = await pressButton(service, path, 'hold_again', undefined, address);
    t.equal(charged(again), 'holds 2/5');
    const taken = await byForm(first);
    t.equal(charged(taken), 'holds 1/5', 'as in the API, a time that is taken costs a hold');
    isForPeople(t, taken, 409, 'That time has been taken');
    const slot = nextSlot();
    const form = bookForm(slot, typed);
    const mistaken = await postBook(service, { ...form, phone: '1' }, { address });
    t.equal(mistaken.statusCode, 400);
    t.match(charged(mistaken), /^pages/, 'a mistake costs no hold');
    t.equal(charged(await byForm(nextSlot())), 'holds 0/5');

    const refused = await postBook(service, form, { address });
    isForPeople(t, refused, 429, 'No more holds for now');
    isLater(t, refused, 3600);
    t.equal((await agent(app, { address }).hold(nextSlot())).statusCode, 429);
    t.equal((await postBook(service, form, { address: '192.0.2.2' })).statusCode, 303);
    clock.advance(3_600_000);
    t.equal((await byForm(nextSlot())).statusCode, 303, 'in time');
  },
);

void t.test('a form that was held is answered again when the holds are used up', async (t) => {
  const service = await start(t);
  const form = bookForm(service.nextSlot(), typed);
  const held = await postBook(service, form);
  for (let count = 2; count <= 5; count += 1) {
    await postBook(service, bookForm(service.nextSlot()));
  }
  const refused = await postBook(service, bookForm(service.nextSlot(), typed));
  t.equal(refused.statusCode, 429);
  t.equal((await postBook(service, form)).headers.location, held.headers.location);
});

void t.test('the cap of pending holds is a page that says when to press again', async (t) => {
  const service = await start(t, { ...uncapped, MAX_PENDING_HOLDS: '2' });
  service.expectLog(/"code":"too_many_pending_holds"/);
  const { nextSlot, app } = service;
  await agent(app).hold(nextSlot());
  await postBook(service, bookForm(nextSlot()));
  const page = await postBook(service, bookForm(nextSlot(), typed), { address: '192.0.2.3' });
  isForPeople(t, page, 503, 'Too many times are held right now');
  const seconds = Number(page.headers['retry-after']);
  t.ok(seconds > 0 && seconds <= 900 + 450, `${seconds} s`);
  isLater(t, page, seconds);
});

void t.test('the cap of pending holds of one address counts both ways of holding', async (t) => {
  const service = await start(t, { ...uncapped, MAX_PENDING_HOLDS_PER_CALLER: '2' });
  service.expectLog(/"code":"too_many_pending_holds"/);
  const { nextSlot, app } = service;
  await agent(app).hold(nextSlot());
  await postBook(service, bookForm(nextSlot()));
  const page = await postBook(service, bookForm(nextSlot(), typed));
  isForPeople(t, page, 503, 'Too many times are held right now');
  t.equal((await agent(app).hold(nextSlot())).statusCode, 503);
});

void t.test('refusals by e-mail, phone and caller are one page', async (t) => {
  const two = { MAX_LIVE_BOOKINGS_PER_PERSON: '2', MAX_LIVE_BOOKINGS_PER_CALLER: '2' };
  const service = await startTestService(t, two, { clock: standingClock() });
  service.expectLog(/live bookings as one may place/);
  const hold = await slotHolder(service, 8);
  const known = { email: 'known@example.com', phone: '5555550199' };
  for (const address of ['192.0.2.21', '192.0.2.22']) await hold(known, { address });
  for (const person of [1, 2]) await hold(personNumber(person), { address: '192.0.2.13' });
  const [slot] = await someOpenSlots(service.context, 1);
  const form = bookForm(slot!, personNumber(3) as Record<string, string>);
  const refusals = [
    await postBook(service, { ...form, email: known.email }, { address: '192.0.2.14' }),
    await postBook(service, { ...form, phone: known.phone }, { address: '192.0.2.15' }),
    await postBook(service, form, { address: '192.0.2.13' }),
  ];
  const seen = refusals.map(({ statusCode, headers: { date: _, ...headers }, body }, index) => {
    // The third address has placed two holds before.
    if (index === 2) headers['ratelimit'] = headers['ratelimit']!.toString().replace('r=2', 'r=4');
    const asTyped = typedIn(body);
    const alike = body.replace(asTyped.email, 'e-mail').replace(asTyped.phone, 'phone');
    const { 'content-length': ___, ...others } = headers;
    return JSON.stringify({ statusCode, others, alike });
  });
  t.equal(new Set(seen).size, 1);
  t.match(refusals[0], { statusCode: 429, headers: { 'retry-after': '3600' } });
  t.notMatch(refusals[0]!.body, /known@example\.com.*known@example\.com/s);
  const own = await postBook(service, { ...form, ...typed, ...known }, { address: '192.0.2.16' });
  t.strictSame(typedIn(own.body), { ...typed, ...known });
  isLater(t, own, 3600);
});

for (const cookie of [undefined, 'a'.repeat(43)]) {
  void t.test(
    `an error of ours gives the hold back and keeps what was typed, ${cookie ? 'with' : 'without'} a cookie`,
    async (t) => {
      const service = await start(t);
      service.expectLog(/"code":"internal_error"/);
      const { context, nextSlot } = service;
      const form = bookForm(nextSlot(), typed);
      const posting = cookie === undefined ? {} : { cookie };
      const { database } = context;
      context.database = undefined as never;
      const failed = await postBook(service, form, posting);
      isForPeople(t, failed, 500, 'Something went wrong on our side');
      t.equal(charged(failed), 'pages 299/300');
      const mistaken = await postBook(service, { ...form, ...typed, phone: '1' }, posting);
      t.equal(mistaken.statusCode, 400, 'mistakes are shown all the same');
      context.database = database;
      const held = await postBook(service, form, posting);
      t.equal(held.statusCode, 303);
      t.equal(charged(held), 'holds 4/5');
    },
  );
}

void t.test('without the calendar, the form answers as other pages do', async (t) => {
  const service = await start(t);
  service.expectLog(/"code":"(?:internal_error|service_unavailable)"/);
  const { context, nextSlot } = service;
  const slot = nextSlot();
  const read = context.board.read.bind(context.board);
  context.board.read = () => Promise.reject(new Error('no board'));
  const failed = await postBook(service, bookForm(slot, typed));
  t.equal(failed.statusCode, 500);
  t.match(failed.body, 'Something went wrong on our side');
  t.match(failed.body, 'Reference:');
  t.equal(charged(failed), 'pages 299/300');
  t.equal((await service.app.inject('/book')).statusCode, 500);
  context.board.read = read;
  t.equal(charged(await postBook(service, bookForm(slot, typed))), 'holds 4/5');
});

void t.test('programs that post the form get the error envelope of POST /holds', async (t) => {
  const service = await start(t);
  const slot = service.nextSlot();
  const form = bookForm(slot);
  await postBook(service, form);
  const headers = { accept: '*/*' };
  const answer = await postBook(service, { ...form, name: 'Another' }, { headers });
  const payload = holdRequest(slot);
  const byApi = await service.app.inject({ method: 'POST', url: '/api/public/holds', payload });
  t.equal(answer.statusCode, 409);
  const { error } = answer.json<{ error: object }>();
  t.strictSame(
    { ...error, request_id: '' },
    { ...byApi.json<{ error: object }>().error, request_id: '' },
  );
});
