import t from 'tap';
import { placeHold } from '../../src/domain/holds.js';
import type { Slot } from '../../src/calendar/slots.js';
import { agent, charged } from '../support/agents.js';
import { standingClock } from '../support/clock.js';
import { pressButton as press } from '../support/person.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { startService, uncapped } from '../support/service.js';

const origin = 'http://studio.test';

void t.test(
  "holding again costs the visitor's address a hold, and a refusal is shown as a page",
  async (t) => {
    const service = await startService(t, uncapped);
    const expired = [];
    for (const slot of await someOpenSlots(service.context, 6)) {
      const placed = await placeHold(service.context, callerNumber(1), holdRequest(slot), null);
      expired.push(`/checkout/${placed.checkoutToken}`);
    }
    // As an earlier version accepted it.
    await service.context.pool.query("update bookings set phone = '0000000000'");
    await service.shiftClock(15 * 60_000);
    const html = { origin, accept: 'text/html' };
    for (const [index, path] of expired.slice(0, 5).entries()) {
      const answer = await press(service, path, 'hold_again', html);
      t.equal(answer.statusCode, 303);
      t.equal(charged(answer), `holds ${4 - index}/5`);
    }
    const twice = await press(service, expired[0]!, 'hold_again', html);
    t.equal(twice.statusCode, 303, 'what was held again already is shown again');
    t.match(charged(twice), /^pages/);

    const refused = await press(service, expired[5]!, 'hold_again', html);
    t.equal(refused.statusCode, 429);
    t.ok(Number(refused.headers['retry-after']) > 3_000);
    t.match(refused.headers['content-type'], 'text/html');
    t.match(refused.body, /Please try again in \d+ minutes/);
    t.notMatch(refused.body, /API/);
    const page = await service.app.inject({ url: expired[5]!, headers: html });
    t.match(page.body, 'Hold it again', 'and can be tried again later');
    t.match(charged(page), /^pages/);
  },
);

void t.test('three addresses cannot exhaust the pending holds by holding again', async (t) => {
  const clock = standingClock();
  const service = await startService(t, {}, { overrides: { clock } });
  const { context } = service;
  const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
  const [wanted, ...slots] = await someOpenSlots(context, 21);
  let links = [];
  for (const [index, slot] of slots.entries()) {
    const address = addresses[index % 3]!;
    const caller = { ...callerNumber(1), address, network: address };
    const request = holdRequest(slot, personNumber(index));
    const placed = await placeHold(context, caller, request, null);
    links.push({ address, path: `/checkout/${placed.checkoutToken}` });
  }
  let heldAgain = 0;
  for (let turn = 1; turn <= 8; turn += 1) {
    clock.advance(15 * 60_000);
    await service.shiftClock(turn * 15 * 60_000);
    const next = [];
    for (const { address, path } of links) {
      const answer = await press(service, path, 'hold_again', { origin }, address);
      const isHeld = answer.statusCode === 303;
      heldAgain += Number(isHeld);
      next.push({ address, path: isHeld ? String(answer.headers.location) : path });
    }
    links = next;
    if (turn > 1) continue;
    const stranger = await placeHold(context, callerNumber(turn), holdRequest(wanted!), null);
    t.equal(stranger.booking.status, 'pending');
  }
  t.equal(heldAgain, 3 * 5 * 2, 'five an hour for each, in two hours');
});

void t.test(
  'a stranger who knows the booking and the e-mail can neither block nor detect holding again',
  async (t) => {
    const service = await startService(t);
    const { context } = service;
    const [slot, other, third] = await someOpenSlots(context, 3);
    const placed = await placeHold(context, callerNumber(1), holdRequest(slot!), null);
    const { id } = placed.booking;
    const path = `/checkout/${placed.checkoutToken}`;
    await service.shiftClock(15 * 60_000);
    const stranger = agent(service.app, { address: '192.0.2.9' });
    const probe = async (slot: Slot, email: string) =>
      (await stranger.hold(slot, `again-${id}`, { email })).statusCode;

    t.equal(await probe(other!, 'ada@example.com'), 201);
    const answer = await press(service, path, 'hold_again');
    t.equal(answer.statusCode, 303);
    t.not(answer.headers.location, path, 'it is held again');
    t.equal(await probe(third!, 'grace@example.com'), 201, 'a wrong e-mail looks the same');
  },
);
