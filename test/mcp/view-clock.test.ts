import t, { type Test } from 'tap';
import {
  bookingsOf,
  everyCapability,
  holdInView,
  openChat,
  openTimesChat,
  press,
  waitForState,
  wordsOf,
  type Chat,
} from '../support/chat.js';
import { holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const { serverTools: _tools, ...withoutTools } = everyCapability;
const minute = 60_000;
/** Of a device whose clock is wrong. */
const wrongClock = new Date('2031-01-01T00:00:00Z');

/** The view shows 5 to 15 minutes: a busy machine takes some of the 15. */
async function expectTimeLeft(t: Test, { view }: Chat): Promise<void> {
  t.match(await view.innerText('#digits'), /^(15:00|(1[0-4]|[5-9]):[0-5]\d)$/);
}

/** Runs the clock of the page until the view has read the status `count` times, with an answer each. */
async function waitForReads(chat: Chat, count: number): Promise<void> {
  while ((await chat.calls('get_booking_status')).length < count) await chat.page.clock.runFor(1);
  await chat.answered('get_booking_status');
}

const service = await startService(t, generous, { browser: true });
if (service !== null) {
  const { context } = service;
  const aSlot = async () => (await someOpenSlots(context, 1))[0];

  void t.test("a hold of the model's is shown and followed like one of the view's", async (t) => {
    const slot = await aSlot();
    const args = { ...holdRequest(slot) };
    const chat = await openChat(t, service, { tool: 'hold_slot', args, clock: wrongClock });
    await waitForState(chat, 'held');
    t.strictSame(await chat.calls('hold_slot'), [], 'it is not held once more');
    await expectTimeLeft(t, chat);
    const [booking] = await bookingsOf(context, slot);
    await waitForReads(chat, 1);
    t.strictSame(await chat.calls('get_booking_status'), [{ booking_id: booking!.id }]);
    await service.shiftClock(15 * minute + 1_000);
    await chat.page.clock.fastForward(15_000);
    await waitForState(chat, 'expired');
    await press(chat, '#again');
    await waitForState(chat, 'held');
    t.match((await chat.calls('hold_slot'))[0], args, 'with what the model has sent');
  });

  void t.test('a hold that ends is held again at one press, with a key of its own', async (t) => {
    const slot = await aSlot();
    const chat = await openTimesChat(t, service, { clock: wrongClock });
    await holdInView(chat, slot, personNumber(2));
    await waitForState(chat, 'held');
    await expectTimeLeft(t, chat);

    await service.shiftClock(31 * minute);
    await chat.page.clock.fastForward(15 * minute);
    await waitForState(chat, 'expired');
    await press(chat, '#again');
    await waitForState(chat, 'held');
    await expectTimeLeft(t, chat);
    const [first, second, ...more] = await chat.calls('hold_slot');
    t.strictSame(more, []);
    const { idempotency_key: firstKey, ...request } = first!;
    const { idempotency_key: secondKey, ...repeated } = second!;
    t.strictSame(repeated, request, 'with the same details');
    t.not(secondKey, firstKey);
    t.match(await bookingsOf(context, slot), [{}, { status: 'pending', label: /./ }]);
  });

  void t.test('a hold whose end has passed shows as ended in a chat that cannot ask', async (t) => {
    const chat = await openChat(t, service, {
      tool: 'hold_slot',
      args: { ...holdRequest(await aSlot(), personNumber(3)) },
      capabilities: withoutTools,
      clock: new Date(context.clock.now() + 1_440 * minute),
    });
    await waitForState(chat, 'expired');
    t.match(await wordsOf(chat), 'Unless you have confirmed it, nothing is booked.');
  });

  void t.test('the status is read every 15 seconds, or when the service says', async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const chat = await openTimesChat(t, service, { clock: true });
    await holdInView(chat, slot, personNumber(4));
    await waitForState(chat, 'held');
    const { clock } = chat.page;
    const now = await chat.page.evaluate(() => Date.now());
    await clock.pauseAt(now + minute);
    const expectNextRead = async (count: number, seconds: number) => {
      await clock.runFor((seconds - 1) * 1_000);
      t.equal((await chat.calls('get_booking_status')).length, count - 1);
      await clock.runFor(1_000);
      await waitForReads(chat, count);
    };
    await press(chat, '#open');
    await waitForReads(chat, 1);
    await expectNextRead(2, 15);

    const error = { code: 'rate_limited', message: '', retry_after_seconds: 100 };
    const content = [{ type: 'text', text: JSON.stringify({ error }) }];
    await chat.page.route('**/api/public/mcp', (route) => {
      const { id } = route.request().postDataJSON() as { id: number };
      const json = { jsonrpc: '2.0', id, result: { isError: true, content } };
      return route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } });
    });
    await expectNextRead(3, 15);
    await expectNextRead(4, 100);
    await waitForState(chat, 'held');

    await chat.page.route('**/api/public/mcp', (route) => route.abort());
    await clock.fastForward(15 * minute);
    await waitForState(chat, 'expired');
    const lead = await chat.view.innerText('#lead');
    t.match(lead, 'Unless you have confirmed it, nothing is booked', 'without an answer, too');
  });
}
