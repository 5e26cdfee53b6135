import t from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import type { Slot } from '../../src/schedule/slots.js';
import { agent, charged } from '../support/agents.js';
import { pressOn } from '../support/forms.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startService, uncapped } from '../support/service.js';
import { startOver } from '../support/start-over.js';

// Five holds an hour.
const service = await startService(t, uncapped);
const { app, context } = service;
t.beforeEach(() => startOver(context));

const html = { origin: 'http://studio.test', accept: 'text/html' };
let address = '';
let addresses = 0;
t.beforeEach(() => void (address = `192.0.2.${(addresses += 1)}`));
const press = (path: string, action = 'hold_again') =>
  pressOn(service, path, action, { from: address });

/** Holds the slots until they have lapsed; the ids and pages of the holds. */
async function lapsedHolds(slots: Slot[]) {
  const holds = [];
  for (const slot of slots) {
    const placed = await placeHold(context, callerNumber(1), holdRequest(slot), null);
    const { booking, checkoutToken } = placed;
    holds.push({ id: booking.id, path: `/checkout/${checkoutToken}` });
  }
  await service.shiftClock(15 * 60_000);
  return holds;
}

t.test('a hold with an invisible name is not held again', async (t) => {
  const [held] = await lapsedHolds(await someOpenSlots(context, 1));
  await context.database.updateTable('bookings').set({ name: '\u200B' }).execute();
  t.equal((await press(held!.path)).statusCode, 400);
  t.equal((await context.database.selectFrom('bookings').select('id').execute()).length, 1);
});

t.test('holding again costs a hold, once, and a refusal is shown as a page', async (t) => {
  const holds = await lapsedHolds(await someOpenSlots(context, 6));
  const expired = holds.map(({ path }) => path);
  // As an earlier version accepted it.
  await context.database.updateTable('bookings').set({ phone: '0000000000' }).execute();
  for (const left of [4, 3, 2, 1]) {
    const answer = await press(expired[left]!);
    t.equal(answer.statusCode, 303);
    t.equal(charged(answer), `holds ${left}/5`);
  }
  const path = expired[0]!;
  await press(path, 'confirm');
  const answers = [...(await Promise.all([press(path), press(path)])), await press(path)];
  t.equal(answers.filter((each) => charged(each) === 'holds 0/5').length, 1);
  t.equal(answers.filter((each) => charged(each).startsWith('pages')).length, 2);
  const [again, ...others] = new Set(answers.map(({ headers: { location } }) => location));
  t.match(again, /^\/checkout\//);
  t.not(again, path, 'what has lapsed cannot be confirmed');
  t.strictSame(others, [], 'pressed twice, it is one hold');

  const refused = await press(expired[5]!);
  t.equal(refused.statusCode, 429);
  t.ok(Number(refused.headers['retry-after']) > 3_000);
  t.match(refused.headers['content-type'], 'text/html');
  t.match(refused.body, /as we allow within an hour. Please try again in \d+ minutes/);
  t.notMatch(refused.body, /API/);
  const page = await app.inject({ url: expired[5]!, headers: html });
  t.match(page.body, 'Hold it again', 'and can be tried again later');
  t.match(charged(page), /^pages/);
});

t.test('a stranger who knows the booking can neither block nor detect it', async (t) => {
  const [slot, other, third] = await someOpenSlots(context, 3);
  const [held] = await lapsedHolds([slot!]);
  const { id, path } = held!;
  const stranger = agent(app, { address: '192.0.2.99' });
  const probe = async (slot: Slot, email: string) =>
    (await stranger.hold(slot, `again-${id}`, { email })).statusCode;

  t.equal(await probe(other!, 'ada@example.com'), 201);
  const answer = await press(path);
  t.equal(answer.statusCode, 303);
  t.not(answer.headers.location, path, 'it is held again');
  t.equal(await probe(third!, 'grace@example.com'), 201, 'a wrong e-mail looks the same');
});
