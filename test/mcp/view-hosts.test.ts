import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { HoldRequest, type Availability } from '../../generated/schemas.js';
import { en } from '../../src/locales/en.js';
import { addDays } from '../../src/schedule/dates.js';
import { todayInZone } from '../../src/schedule/slots.js';
import { zoneName } from '../../src/schedule/words.js';
import { browserBundle } from '../../src/web/assets.js';
import { ada, everyBooking } from '../support/book-pages.js';
import {
  everyCapability,
  holdInView,
  openChat,
  openRange,
  openTimesChat,
  press,
  waitForState,
  wordsOf,
} from '../support/chat.js';
import { holdForPerson } from '../support/holds.js';
import { legacyRequest, modernRequest, post } from '../support/mcp.js';
import { projectRoot } from '../support/project.js';
import { holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { startService, generous } from '../support/service.js';

const { openLinks: _links, ...withoutLinks } = everyCapability;
const pages = await startService(t, generous, { browser: true });
if (pages !== null) {
  const { context } = pages;
  const aSlot = async () => (await someOpenSlots(context, 1))[0];

  void t.test('the view shows the open times of the REST read, a week at first', async (t) => {
    const { from, to } = await openRange(context);
    const answer = await fetch(`${pages.url}/api/public/availability?from=${from}&to=${to}`);
    const { data } = (await answer.json()) as { data: Availability };
    const chat = await openTimesChat(t, pages, { context: { timeZone: 'Asia/Tokyo' } });
    t.equal(await chat.view.locator('.day').count(), 7);
    await press(chat, '#more-days');
    const shown = await chat.view.evaluate(() =>
      [...document.querySelectorAll('.time')].map((time) => time.getAttribute('data-slot')),
    );
    const read = data.days.flatMap(({ date, slots }) =>
      slots.map(({ time_slot: time }) => `${date} ${time}`),
    );
    t.strictSame(shown, read);
    t.match(zoneName('America/Los_Angeles', 0), 'Pacific', 'the example studio');
    const words = await wordsOf(chat);
    t.match(words, 'Pacific Time. Yours shows Japan Standard Time.');
    t.equal(words.match(/Pacific/g)?.length, 1, 'the zone is said once');
  });

  void t.test('where nothing is open, later dates are one press away', async (t) => {
    const { calendar } = await context.board.read();
    const today = todayInZone(calendar.timezone, context.clock.now());
    const args = { from: addDays(today, -31), to: addDays(today, -1), time_slot: '1:00 PM' };
    const host = { timeZone: 'America/Los_Angeles' };
    const chat = await openChat(t, pages, { tool: 'list_open_times', args, context: host });
    await waitForState(chat, 'times');
    t.equal(await chat.view.innerText('h1'), 'Nothing is open');
    await press(chat, '#later-dates');
    await chat.view.waitForSelector('.time');
    t.strictSame(await chat.calls('list_open_times'), [
      { from: today, to: addDays(today, 30), time_slot: '1:00 PM' },
    ]);
    t.equal(await chat.view.innerText('h1'), 'Open times');
    await chat.view.waitForSelector('.day:first-child .time:focus');
    t.notMatch(await wordsOf(chat), 'Yours', 'a zone whose clocks show the same');
  });

  void t.test("a refusal of the model's hold offers the other times", async (t) => {
    const slot = await aSlot();
    await holdForPerson(pages, personNumber(9), slot);
    const args = { ...holdRequest(slot, { pronouns: 'she/her' }) };
    const chat = await openChat(t, pages, { tool: 'hold_slot', args });
    await waitForState(chat, 'taken');
    t.equal(await chat.view.inputValue('#name'), ada.name);
    t.equal(await chat.view.inputValue('#pronouns'), 'she/her');
    await press(chat, '#alternatives button >> nth=1');
    await waitForState(chat, 'held');
    t.match((await everyBooking(context)).at(-1), { email: ada.email, pronouns: 'she/her' });
  });

  void t.test('a chat that opens no links shows the address to copy', async (t) => {
    const address = /^http:\/\/127\.0\.0\.1:\d+\/checkout\/[\w-]+$/;
    const without = await openTimesChat(t, pages, { capabilities: withoutLinks });
    await holdInView(without, await aSlot(), personNumber(1));
    await waitForState(without, 'held');
    t.notOk(await without.view.isVisible('#open'));
    t.match(await without.view.inputValue('#address'), address);

    const refusing = await openTimesChat(t, pages, { linkAnswer: 'error' });
    await holdInView(refusing, await aSlot(), personNumber(2));
    await waitForState(refusing, 'held');
    await press(refusing, '#open');
    await refusing.view.waitForSelector('#address:focus');
    t.match(await refusing.view.inputValue('#address'), address);
    t.strictSame(await refusing.opened(), [await refusing.view.inputValue('#address')]);

    const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const hold = {
      ...(await everyBooking(context)).at(-1),
      ...{ created_at: soon(0), expires_at: soon(1), server_time: soon(0) },
      label: '<img src=x onerror=alert(1)>',
      checkout_url: 'javascript:alert(1)',
    };
    await refusing.bridge('sendToolResult', { content: [], structuredContent: hold });
    await refusing.view.waitForSelector('#open', { state: 'hidden' });
    await refusing.view.waitForSelector('text=Ask the assistant for the link.');
    t.notOk(await refusing.view.isVisible('#address'), 'only an address of the web is offered');
    t.equal(await refusing.view.locator('img').count(), 0);
  });

  void t.test('malformed messages and those of other frames change nothing', async (t) => {
    const chat = await openTimesChat(t, pages);
    const before = await wordsOf(chat);
    const result = {
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-result',
      params: { content: [], isError: true },
    };
    const malformed = [
      ...[null, 'text', 7, [], {}],
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
    const slot = await aSlot();
    const chat = await openChat(t, pages);
    await chat.bridge('sendToolInput', { arguments: { from: slot.date, to: slot.date } });
    await chat.bridge('sendToolCancelled', { reason: 'user action' });
    await press(chat, '#retry');
    await chat.view.waitForSelector('.time');

    const holding = await openChat(t, pages);
    await holding.bridge('sendToolInput', { arguments: holdRequest(slot, personNumber(3)) });
    await holding.bridge('sendToolCancelled', { reason: 'user action' });
    await press(holding, '#hold');
    await waitForState(holding, 'held');
  });
}

void t.test('every protocol version serves one document, small and in one piece', async (t) => {
  const { url, context } = pages ?? (await startService(t));
  const read = async (uri: string) => {
    const modern = modernRequest('resources/read', { uri });
    const legacy = await post(url, legacyRequest('resources/read', { uri }));
    const recent = await post(url, modern.body, modern.headers);
    return [legacy.json, recent.json];
  };
  const [old, recent] = (await read('ui://studio/slots')) as {
    result: { contents: [{ mimeType: string; text: string; _meta: object }] };
  }[];
  t.strictSame(old!.result.contents, recent!.result.contents);
  const { mimeType, text, _meta } = old!.result.contents[0];
  // Claude refuses a `ui.domain` that is not one of its own.
  const ui = { prefersBorder: true, csp: { connectDomains: [], resourceDomains: [] } };
  t.strictSame(_meta, { ui, 'openai/widgetDomain': new URL(context.config.publicBaseUrl).origin });
  t.equal(mimeType, 'text/html;profile=mcp-app');
  t.match(text, /^<!doctype html>/);
  t.notMatch(text, /https?:|\/\/[a-z]|\bsrc=|\bhref=|@import|url\(|<link|innerHTML|\beval\b/);
  const bytes = gzipSync(text).length;
  t.ok(bytes <= 15_000, `${bytes} bytes compressed`);
  const unknown = { error: { code: -32602, data: { uri: 'ui://studio/other' } } };
  t.match(await read('ui://studio/other'), [unknown, unknown]);
});

void t.test('the document has the sentences that its script names, and no view has others', (t) => {
  const view = readFileSync(browserBundle('slots-view.html'), 'utf8');
  const [, json = ''] = /<script id="language"[^>]*>(.*?)<\/script>/s.exec(view) ?? [];
  const folder = join(projectRoot, 'src/mcp/view/page');
  const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const named = Object.keys(en).filter((key) => sources.join().includes(`'${key}'`));
  t.strictSame(Object.keys((JSON.parse(json) as { messages: object }).messages), named);
  const inDocument = Object.keys(en).filter((key) => sources.join().includes(`{{${key}}}`));
  const ofViews = Object.keys(en).filter((key) => key.startsWith('view.'));
  const used = new Set([...named, ...inDocument]);
  t.strictSame(
    ofViews.filter((key) => !used.has(key)),
    [],
  );
  t.notMatch(view, '{{');
  t.end();
});

void t.test('the form has the fields of the hold request, with their bounds', (t) => {
  const view = readFileSync(browserBundle('slots-view.html'), 'utf8');
  const fields = view.match(/<(?:input|textarea)[^>]*\sname="[^>]*>/g) ?? [];
  const found = fields.map((field) => [
    /\sname="(\w+)"/.exec(field)?.[1],
    Number(/maxlength="(\d+)"/.exec(field)?.[1]),
    /\srequired\s/.test(field),
  ]);
  const { date: _date, time_slot: _time, ...person } = HoldRequest.properties;
  const required: readonly string[] = HoldRequest.required;
  t.strictSame(
    found,
    Object.entries(person).map(([name, { maxLength }]) => [
      name,
      maxLength,
      required.includes(name),
    ]),
  );
  t.end();
});
