import { gzipSync } from 'node:zlib';
import t from 'tap';
import { HoldRequest } from '../../generated/schemas.js';
import { slotsViewHtml } from '../../src/mcp/view/slots-view.js';
import { addDays } from '../../src/calendar/dates.js';
import { zoneName } from '../../src/calendar/slot-label.js';
import { todayInZone } from '../../src/calendar/slots.js';
import type { Availability } from '../../generated/schemas.js';
import { openChat, openRange, openTimesChat, waitForState, wordsOf } from '../support/chat.js';
import { legacyRequest, modernRequest, post } from '../support/mcp.js';
import { startPages } from '../support/pages.js';
import { startTestService } from '../support/service.js';

const uri = 'ui://studio/slots';

void t.test('the view shows the open times of the REST read', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { from, to } = await openRange(pages.service.context);
  const answer = await fetch(`${pages.url}/api/public/availability?from=${from}&to=${to}`);
  const { data } = (await answer.json()) as { data: Availability };
  const chat = await openTimesChat(t, pages);
  t.equal(await chat.view.locator('.day').count(), 7, 'a week of them at first');
  await chat.view.click('#more-days');
  const shown = await chat.view.evaluate(() =>
    [...document.querySelectorAll('.time')].map((time) => time.getAttribute('data-slot')),
  );
  const read = data.days.flatMap(({ date, slots }) =>
    slots.map(({ time_slot: time }) => `${date} ${time}`),
  );
  t.strictSame(shown, read);
});

void t.test('where nothing is open, later dates are one press away', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { board, clock } = pages.service.context;
  const { calendar } = await board.read();
  const today = todayInZone(calendar.timezone, clock.now());
  const args = { from: addDays(today, -31), to: addDays(today, -1), time_slot: '1:00 PM' };
  const chat = await openChat(t, pages, { tool: 'list_open_times', args });
  await waitForState(chat, 'times');
  t.equal(await chat.view.innerText('h1'), 'Nothing is open');
  await chat.view.click('#later-dates');
  await chat.view.waitForSelector('.time');
  t.strictSame(await chat.calls('list_open_times'), [
    { from: today, to: addDays(today, 30), time_slot: '1:00 PM' },
  ]);
  t.equal(await chat.view.innerText('h1'), 'Open times');
  await chat.view.waitForSelector('.day:first-child .time:focus');
});

void t.test("the zone is said once, and the chat's own where its clocks differ", async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const inZone = async (timeZone: string) =>
    wordsOf(await openTimesChat(t, pages, { context: { timeZone } }));
  t.match(zoneName('America/Los_Angeles', 0), 'Pacific', 'the example studio');
  const elsewhere = await inZone('Asia/Tokyo');
  t.match(elsewhere, 'Pacific Time. Yours shows Japan Standard Time.');
  t.equal(elsewhere.match(/Pacific/g)?.length, 1);
  t.notMatch(await inZone('America/Los_Angeles'), 'Yours');
});

void t.test('every protocol version serves one document, small and in one piece', async (t) => {
  const { url } = await startTestService(t);
  const read = async (wanted: string) => {
    const modern = modernRequest('resources/read', { uri: wanted });
    const headers = { ...modern.headers, 'mcp-name': wanted };
    const legacy = await post(url, legacyRequest('resources/read', { uri: wanted }));
    const answers = [legacy, await post(url, modern.body, headers)];
    return answers.map(({ json }) => json as Answer);
  };
  interface Answer {
    result?: { contents: { uri: string; mimeType: string; text: string }[] };
    error?: { code: number; data: unknown };
  }
  const [old, recent] = (await read(uri)) as [Answer, Answer];
  t.strictSame(old.result?.contents, recent.result?.contents);
  const { mimeType, text } = old.result!.contents[0]!;
  t.equal(mimeType, 'text/html;profile=mcp-app');
  t.match(text, /^<!doctype html>/);
  t.notMatch(text, /https?:|\/\/[a-z]|\bsrc=|\bhref=|@import|url\(|<link|innerHTML|\beval\b/);
  const bytes = gzipSync(text).length;
  t.comment(`${bytes} bytes compressed`);
  t.ok(bytes <= 15_000, `${bytes} bytes compressed`);

  for (const { error } of await read('ui://studio/other')) {
    t.match(error, { code: -32602, data: { uri: 'ui://studio/other' } });
  }
});

void t.test('the form has the fields of the hold request, with their bounds', (t) => {
  const fields = slotsViewHtml().match(/<(?:input|textarea)[^>]*\sname="[^>]*>/g) ?? [];
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
