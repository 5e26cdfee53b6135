import t from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import { placeHold } from '../../src/domain/holds.js';
import { ada, everyBooking } from '../support/book-pages.js';
import {
  holdInView,
  openTimesChat,
  secondsLeft,
  timeButton,
  waitForState,
  wordsOf,
} from '../support/chat.js';
import { openPage, startPages, type Pages } from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';

const minute = 60_000;
const endpointGlob = '**/api/public/mcp';

/** Another person holds the slot. */
async function take({ service }: Pages, slot: Slot): Promise<void> {
  await placeHold(service.context, callerNumber(9), holdRequest(slot, personNumber(9)), null);
}

void t.test(
  'a person picks a time, types, holds it, and confirms on the page that the chat opens, and only there',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
    const chat = await openTimesChat(t, pages, { clock: true });
    const requested: string[] = [];
    chat.page.on('request', (request) => {
      if (request.frame() === chat.view) requested.push(request.url());
    });
    await holdInView(chat, slot);
    await waitForState(chat, 'held');
    t.match(await chat.view.innerText('h1'), 'not confirmed yet');
    await chat.view.click('#open');
    const [url = ''] = await chat.opened();
    t.match(url, /^http:\/\/127\.0\.0\.1:\d+\/checkout\/[\w-]+$/);

    await chat.page.clock.fastForward(minute);
    t.match(await everyBooking(context), [{ status: 'pending', channel: 'mcp' }]);
    const methods = new Set((await chat.sent()).map(({ method }) => method));
    t.strictSame([...methods].filter(Boolean).sort(), [
      'tools/call',
      'ui/initialize',
      'ui/notifications/initialized',
      'ui/notifications/size-changed',
      'ui/open-link',
      'ui/update-model-context',
    ]);
    const tools = (await chat.sent()).flatMap(({ params }) => params?.name ?? []);
    t.strictSame([...new Set(tools)].sort(), ['get_booking_status', 'hold_slot']);
    t.strictSame(requested, [], 'the view itself makes no requests');
    t.strictSame(await chat.opened(), [url], 'it opens nothing else');

    const checkout = await openPage(t, pages);
    await checkout.goto(url);
    await checkout.click('button[value=confirm]');
    await checkout.waitForSelector('body.confirmed');
    await chat.page.clock.fastForward(15_000);
    await waitForState(chat, 'confirmed');
    t.match(await chat.contexts(2), [
      { structuredContent: { status: 'pending' } },
      { structuredContent: { status: 'confirmed' } },
    ]);
    const told = JSON.stringify(await chat.contexts(2));
    for (const secret of [...Object.values(ada).filter(Boolean), url]) {
      t.notMatch(told, secret, 'the model gets no personal data and no link');
    }
  },
);

void t.test('the whole way works by keyboard, with a visible focus', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const chat = await openTimesChat(t, pages);
  const { keyboard } = chat.page;
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await keyboard.press('Tab');
      const outline = await chat.view.evaluate((wanted) => {
        const focused = document.activeElement;
        return focused?.matches(wanted) === true ? getComputedStyle(focused).outlineStyle : null;
      }, selector);
      if (outline !== null) return t.not(outline, 'none', `${selector}: a visible focus`);
    }
    return t.fail(`Tab does not reach ${selector}`);
  };
  await tabTo(timeButton(slot));
  await keyboard.press('Enter');
  await waitForState(chat, 'form');
  for (const field of ['name', 'email', 'phone'] as const) {
    await tabTo(`#${field}`);
    await keyboard.type(ada[field]);
  }
  await tabTo('#back');
  await keyboard.press('Enter');
  await waitForState(chat, 'times');
  t.equal(
    await chat.view.evaluate(() => document.activeElement?.getAttribute('data-slot')),
    `${slot.date} ${slot.timeSlot}`,
    'back at the time that was chosen',
  );
  await keyboard.press('Enter');
  await tabTo('#phone');
  t.equal(await chat.view.inputValue('#name'), ada.name, 'what was typed is still there');
  await keyboard.press('Enter');
  await waitForState(chat, 'held');
  await tabTo('#open');
  await keyboard.press('Enter');
  await chat.view.waitForFunction(() =>
    document.querySelector('#destination')?.textContent?.includes('has opened'),
  );
  t.equal((await chat.opened()).length, 1);
});

void t.test(
  'a time that is taken meanwhile is replaced by another at one press, with what was typed',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
    const chat = await openTimesChat(t, pages);
    await take(pages, slot);
    await holdInView(chat, slot);
    await waitForState(chat, 'taken');
    t.equal(await chat.view.locator('#alternatives button').count(), 5);
    t.equal(await chat.view.inputValue('#email'), ada.email);
    const label = await chat.view.innerText('#alternatives button >> nth=0');
    await chat.view.click('#alternatives button >> nth=0');
    await waitForState(chat, 'held');
    t.match(await everyBooking(context), [{}, { label, name: ada.name, email: ada.email }]);

    const other = await openTimesChat(t, pages);
    const [next] = (await someOpenSlots(context, 1)) as [Slot];
    await take(pages, next).catch(() => undefined);
    await holdInView(other, next, personNumber(3));
    await waitForState(other, 'taken');
    await other.view.click('#back');
    await waitForState(other, 'times');
    t.equal(await other.view.locator(timeButton(next)).count(), 0, 'the times are read again');
  },
);

void t.test('a hold that ends is held again at one press, with a key of its own', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { service } = pages;
  const [slot] = (await someOpenSlots(service.context, 1)) as [Slot];
  const chat = await openTimesChat(t, pages, { clock: true });
  await holdInView(chat, slot);
  await waitForState(chat, 'held');
  const seconds = await secondsLeft(chat);
  t.ok(seconds > 880 && seconds <= 900, `${seconds} seconds at first`);

  await service.shiftClock(15 * minute + 1_000);
  await chat.page.clock.fastForward(15 * minute);
  await waitForState(chat, 'expired');
  await chat.view.click('#again');
  await waitForState(chat, 'held');
  const again = await secondsLeft(chat);
  t.ok(again > 880 && again <= 900, `${again} seconds again`);
  const [first, second, ...more] = await chat.calls('hold_slot');
  t.strictSame(more, []);
  const { idempotency_key: firstKey, ...request } = first!;
  const { idempotency_key: secondKey, ...repeated } = second!;
  t.strictSame(repeated, request, 'with the same details');
  t.not(secondKey, firstKey);
  t.match(await everyBooking(service.context), [{}, { status: 'pending', label: /./ }]);
});

void t.test('the end of a hold shows without an answer of the service', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const [slot] = (await someOpenSlots(pages.service.context, 1)) as [Slot];
  const chat = await openTimesChat(t, pages, { clock: true });
  await holdInView(chat, slot);
  await waitForState(chat, 'held');
  await chat.page.route(endpointGlob, (route) => route.abort());
  await chat.page.clock.fastForward(15 * minute);
  await waitForState(chat, 'expired');
  t.match(await chat.view.innerText('#lead'), 'Unless you have confirmed it, nothing is booked');
});

void t.test(
  'a hold whose answer is lost is repeated with its key; a changed one has another key',
  async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { context } = pages.service;
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
    const chat = await openTimesChat(t, pages);
    const { page, view } = chat;
    const isTroubled = () => view.waitForSelector('#trouble:not([hidden])');
    await page.route(endpointGlob, (route) => route.abort());
    await holdInView(chat, slot);
    await isTroubled();
    t.equal(await view.inputValue('#name'), ada.name);
    await page.unroute(endpointGlob);
    // Reaches the service, which holds the slot; only its answer is lost.
    await page.route(endpointGlob, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await view.fill('#name', 'Ada L. Park');
    await view.click('#hold');
    await view.waitForSelector('[aria-busy=false]');
    await isTroubled();
    await page.unroute(endpointGlob);
    await view.click('#hold');
    await waitForState(chat, 'held');
    const [unsent, lost, repeated] = (await chat.calls('hold_slot')).map(
      ({ idempotency_key: key }) => key,
    );
    t.not(lost, unsent);
    t.equal(repeated, lost);
    t.match(await everyBooking(context), { length: 1 });
  },
);

void t.test('a refusal says when to try again, and keeps what was typed', async (t) => {
  const pages = await startPages(t, { WRITES_PER_HOUR_ANONYMOUS: '1' });
  if (pages === null) return;
  const { context } = pages.service;
  const [first, second] = (await someOpenSlots(context, 2)) as [Slot, Slot];
  const chat = await openTimesChat(t, pages);
  await holdInView(chat, first);
  await waitForState(chat, 'held');
  const other = await openTimesChat(t, pages);
  await holdInView(other, second, personNumber(2));
  await other.view.waitForSelector('#trouble:not([hidden])');
  t.match(await wordsOf(other), /try again in \d+ minutes, at \d+:\d\d\s[AP]M\./);
  t.equal(await other.view.inputValue('#name'), ada.name);
  t.match(await everyBooking(context), { length: 1 });
});

void t.test('mistakes that the view or the service finds stand beside their fields', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const [slot] = (await someOpenSlots(pages.service.context, 1)) as [Slot];
  const chat = await openTimesChat(t, pages);
  await holdInView(chat, slot, { name: '', email: 'ada', phone: '12' });
  for (const [name, words] of [
    ['name', 'Please type your name.'],
    ['email', /not an e-mail address/],
    ['phone', /ten digits/],
  ] as const) {
    t.match(await chat.view.innerText(`#${name}-mistake`), words);
    t.equal(await chat.view.getAttribute(`#${name}`, 'aria-invalid'), 'true');
  }
  t.equal(await chat.view.evaluate(() => document.activeElement?.id), 'name');
  t.strictSame(await chat.calls('hold_slot'), [], 'nothing is asked of the service');

  // Only the service knows that this cannot be seen.
  for (const [name, text] of Object.entries({ ...ada, name: '\u2800' })) {
    if (text !== '') await chat.view.fill(`#${name}`, text);
  }
  await chat.view.click('#hold');
  await chat.view.waitForSelector('#name[aria-invalid]:focus');
  t.equal((await chat.calls('hold_slot')).length, 1);
  t.equal(await chat.view.innerText('#email-mistake'), '');
});
