import t from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import { everyBooking } from '../support/book-pages.js';
import {
  everyCapability,
  holdInView,
  openChat,
  openTimesChat,
  secondsLeft,
  waitForState,
  wordsOf,
  type Chat,
} from '../support/chat.js';
import { startPages } from '../support/pages.js';
import { holdRequest, personNumber, someOpenSlots } from '../support/requests.js';

const { serverTools: _tools, ...withoutTools } = everyCapability;
const minute = 60_000;

void t.test("a hold of the model's is shown and followed like one of the view's", async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const args = { ...holdRequest(slot) };
  const chat = await openChat(t, pages, { tool: 'hold_slot', args, clock: true });
  await waitForState(chat, 'held');
  t.strictSame(await chat.calls('hold_slot'), [], 'it is not held once more');
  const [booking] = await everyBooking(context);
  await waitForReads(chat, 1);
  t.strictSame(await chat.calls('get_booking_status'), [{ booking_id: booking!.id }]);
  await pages.service.shiftClock(15 * minute + 1_000);
  await chat.page.clock.fastForward(15_000);
  await waitForState(chat, 'expired');
  await chat.view.click('#again');
  await waitForState(chat, 'held');
  t.match((await chat.calls('hold_slot'))[0], args, 'with what the model has sent');
});

void t.test('a hold whose end has passed shows as ended in a chat that cannot ask', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const chat = await openChat(t, pages, {
    tool: 'hold_slot',
    args: { ...holdRequest(slot) },
    capabilities: withoutTools,
    clock: new Date(context.clock.now() + 1_440 * minute),
  });
  await waitForState(chat, 'expired');
  t.match(await wordsOf(chat), 'Unless you have confirmed it, nothing is booked.');
});

void t.test('the countdown is right on a device whose clock is wrong', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const [slot, next] = (await someOpenSlots(pages.service.context, 2)) as [Slot, Slot];
  const clock = new Date('2031-01-01T00:00:00Z');
  const own = await openTimesChat(t, pages, { clock });
  await holdInView(own, slot);
  const args = { ...holdRequest(next, personNumber(2)) };
  const models = await openChat(t, pages, { tool: 'hold_slot', args, clock });
  for (const chat of [own, models]) {
    await waitForState(chat, 'held');
    const left = await secondsLeft(chat);
    t.ok(left > 880 && left <= 900, `${left} seconds`);
  }
});

void t.test(
  'the status is read every 15 seconds, and when limited, when the service says',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const [slot] = (await someOpenSlots(pages.service.context, 1)) as [Slot];
    const chat = await openTimesChat(t, pages, { clock: true });
    await holdInView(chat, slot);
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
    await chat.view.click('#open');
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
  },
);

/** Runs the clock of the page until the view has read the status `count` times, with an answer each. */
async function waitForReads(chat: Chat, count: number): Promise<void> {
  while ((await chat.calls('get_booking_status')).length < count) await chat.page.clock.runFor(1);
  await chat.answered('get_booking_status');
}
