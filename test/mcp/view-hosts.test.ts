import t from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import { placeHold } from '../../src/domain/holds.js';
import { ada, everyBooking } from '../support/book-pages.js';
import {
  everyCapability,
  holdInView,
  openChat,
  openTimesChat,
  timeButton,
  waitForState,
  wordsOf,
} from '../support/chat.js';
import { startPages } from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';

const { serverTools: _tools, ...withoutTools } = everyCapability;
const { openLinks: _links, ...withoutLinks } = everyCapability;
const minute = 60_000;

void t.test("a refusal of the model's hold offers the other times", async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  await placeHold(context, callerNumber(9), holdRequest(slot, personNumber(9)), null);
  const args = { ...holdRequest(slot, { pronouns: 'she/her' }) };
  const chat = await openChat(t, pages, { tool: 'hold_slot', args });
  await waitForState(chat, 'taken');
  t.equal(await chat.view.inputValue('#name'), ada.name);
  t.equal(await chat.view.inputValue('#pronouns'), 'she/her');
  await chat.view.click('#alternatives button >> nth=1');
  await waitForState(chat, 'held');
  t.match(await everyBooking(context), [{}, { email: ada.email, pronouns: 'she/her' }]);
});

void t.test(
  'a refusal shows the time that was asked for, whatever is chosen meanwhile',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [taken, other] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    const chat = await openTimesChat(t, pages);
    await placeHold(context, callerNumber(9), holdRequest(taken, personNumber(9)), null);
    let answer: () => void = () => undefined;
    const chosen = new Promise<void>((resolve) => (answer = resolve));
    await chat.page.route('**/api/public/mcp', async (route) => {
      await chosen;
      await route.continue();
    });
    await holdInView(chat, taken);
    await chat.view.click('#back');
    await chat.view.click(timeButton(other));
    const shown = () => chat.view.innerText('#when');
    const words = await shown();
    answer();
    await waitForState(chat, 'taken');
    t.not(await shown(), words);
    await chat.view.click('#back');
    await chat.view.click(timeButton(other));
    t.equal(await shown(), words);
  },
);

void t.test('in a chat that calls no tools, nothing is a button that cannot work', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const times = await openTimesChat(t, pages, { capabilities: withoutTools });
  t.match(await wordsOf(times), 'Tell the assistant which time you would like.');
  await times.view.click('button:visible');
  t.ok((await times.view.locator('.day').count()) > 7, 'more days need no tool');
  t.equal(await times.view.locator('button:visible').count(), 0);

  const args = { ...holdRequest(slot) };
  const held = await openChat(t, pages, {
    tool: 'hold_slot',
    args,
    capabilities: withoutTools,
    clock: true,
  });
  await waitForState(held, 'held');
  t.strictSame(await held.view.locator('button:visible').allInnerTexts(), [
    'Open the page that confirms it',
  ]);
  await held.page.clock.fastForward(15 * minute);
  await waitForState(held, 'expired');
  t.equal(await held.view.locator('button:visible').count(), 0);

  const taken = await openChat(t, pages, { tool: 'hold_slot', args, capabilities: withoutTools });
  await waitForState(taken, 'taken');
  t.equal(await taken.view.locator('#alternatives li').count(), 5);
  t.equal(await taken.view.locator(':is(button, input):visible').count(), 0);
  for (const chat of [times, held, taken]) {
    t.notOk((await chat.sent()).some(({ method }) => method === 'tools/call'));
  }
});

void t.test('a chat that opens no links shows the address to copy', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const slots = (await someOpenSlots(pages.service.context, 3)) as [Slot, Slot, Slot];
  const address = /^http:\/\/127\.0\.0\.1:\d+\/checkout\/[\w-]+$/;

  const without = await openTimesChat(t, pages, { capabilities: withoutLinks });
  await holdInView(without, slots[0]);
  await waitForState(without, 'held');
  t.notOk(await without.view.isVisible('#open'));
  t.match(await without.view.inputValue('#address'), address);

  for (const [index, linkAnswer] of (['isError', 'error'] as const).entries()) {
    const refusing = await openTimesChat(t, pages, { linkAnswer });
    await holdInView(refusing, slots[index + 1]!, personNumber(index + 1));
    await waitForState(refusing, 'held');
    await refusing.view.click('#open');
    await refusing.view.waitForSelector('#address:focus');
    t.match(await refusing.view.inputValue('#address'), address, linkAnswer);
    t.strictSame(await refusing.opened(), [await refusing.view.inputValue('#address')]);
  }
});

void t.test('only an address of the web is offered', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const args = { ...holdRequest(slot) };
  const chat = await openChat(t, pages, { tool: 'hold_slot', args });
  await waitForState(chat, 'held');
  const hold = {
    ...(await everyBooking(context))[0],
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + minute).toISOString(),
    server_time: new Date().toISOString(),
    label: '<img src=x onerror=alert(1)>',
    checkout_url: 'javascript:alert(1)',
  };
  await chat.bridge('sendToolResult', { content: [], structuredContent: hold });
  await chat.view.waitForSelector('#open', { state: 'hidden' });
  t.notOk(await chat.view.isVisible('#address'));
  t.match(await wordsOf(chat), 'Ask the assistant for the link.');
  t.equal(await chat.view.locator('img').count(), 0);
});

void t.test('malformed messages and those of other frames change nothing', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const chat = await openTimesChat(t, pages);
  const before = await wordsOf(chat);
  const result = {
    jsonrpc: '2.0',
    method: 'ui/notifications/tool-result',
    params: { content: [], isError: true },
  };
  const malformed = [
    null,
    'text',
    7,
    [],
    {},
    { ...result, jsonrpc: '1.0' },
    { ...result, method: 5 },
    { ...result, method: 'constructor' },
    { ...result, method: 'ui/notifications/unknown' },
    { jsonrpc: '2.0', id: 999, result: {} },
    { jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: null },
    { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: [1] } },
  ];
  await chat.page.evaluate((messages) => {
    for (const message of messages) window.frames[0]!.postMessage(message, '*');
  }, malformed);
  // The chat is not the parent of the view: its sandbox is.
  await chat.page.evaluate((message) => {
    window.frames[0]!.frames[0]!.postMessage(message, '*');
  }, result);
  t.strictSame(await chat.bridge('teardownResource', {}), {}, 'messages are answered in order');
  t.equal(await wordsOf(chat), before);

  await chat.bridge('sendToolResult', {
    content: [],
    structuredContent: { timezone: 'No/Where', from: '', to: '', days: [{ slots: 'none' }] },
  });
  await chat.view.waitForSelector('#trouble:not([hidden])');
  t.match(await wordsOf(chat), 'This answer cannot be shown here.');
});

void t.test('a stopped assistant leaves a way to go on', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const [slot] = (await someOpenSlots(pages.service.context, 1)) as [Slot];
  const chat = await openChat(t, pages);
  await chat.bridge('sendToolInput', { arguments: { from: slot.date, to: slot.date } });
  await chat.bridge('sendToolCancelled', { reason: 'user action' });
  await chat.view.click('#retry');
  await chat.view.waitForSelector('.time');

  const holding = await openChat(t, pages);
  await holding.bridge('sendToolInput', { arguments: holdRequest(slot) });
  await holding.bridge('sendToolCancelled', { reason: 'user action' });
  await holding.view.click('#hold');
  await waitForState(holding, 'held');
});

void t.test("the view follows the chat's theme and colours", async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const chat = await openTimesChat(t, pages, { context: { theme: 'light' } });
  const colours = () =>
    chat.view.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return { backgroundColor, color };
    });
  const light = await colours();
  await chat.bridge('sendHostContextChange', { theme: 'dark' });
  await chat.view.waitForFunction(() => document.documentElement.style.colorScheme === 'dark');
  const dark = await colours();
  t.not(dark.backgroundColor, light.backgroundColor);
  t.not(dark.color, light.color);
  const variables = { '--color-background-primary': 'light-dark(white, rgb(1, 2, 3))' };
  await chat.bridge('sendHostContextChange', { styles: { variables } });
  await chat.view.waitForFunction(
    () => getComputedStyle(document.body).backgroundColor === 'rgb(1, 2, 3)',
  );
});
