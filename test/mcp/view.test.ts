import t from 'tap';
import type { Slot } from '../../src/schedule/slots.js';
import { ada, everyBooking } from '../support/book-pages.js';
import {
  bookingsOf,
  holdInView,
  openTimesChat,
  timeButton,
  press,
  waitForState,
  wordsOf,
} from '../support/chat.js';
import { holdForPerson } from '../support/holds.js';
import { postHold } from '../support/http-requests.js';
import { openPage, tabTo } from '../support/pages.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const endpointGlob = '**/api/public/mcp';
const pages = await startService(t, generous, { browser: true });
if (pages !== null) {
  const { context } = pages;
  const aSlot = async () => (await someOpenSlots(context, 1))[0];
  /** Another person holds the slot. */
  const take = (slot: Slot, person: number) => holdForPerson(pages, personNumber(person), slot);

  void t.test(
    'a person picks a time, holds it, and confirms only on the page that the chat opens',
    async (t) => {
      const slot = await aSlot();
      const chat = await openTimesChat(t, pages, { clock: true });
      const requested: string[] = [];
      chat.page.on('request', (request) => {
        if (request.frame() === chat.view) requested.push(request.url());
      });
      await holdInView(chat, slot);
      await waitForState(chat, 'held');
      t.match(await chat.view.innerText('h1'), 'not confirmed yet');
      t.match(await chat.view.innerText('#when'), /\d:\d\d.*\s–\s\d+:\d\d\sPM/, 'its hours');
      await press(chat, '#open');
      const [url = ''] = await chat.opened();
      t.match(url, /^http:\/\/127\.0\.0\.1:\d+\/checkout\/[\w-]+$/);

      await chat.page.clock.fastForward(60_000);
      t.match(await bookingsOf(context, slot), [{ status: 'pending', channel: 'mcp' }]);
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
      const told = await chat.contexts(2);
      t.match(told, [
        { structuredContent: { status: 'pending' } },
        { structuredContent: { status: 'confirmed' } },
      ]);
      for (const secret of [...Object.values(ada).filter(Boolean), url]) {
        t.notMatch(JSON.stringify(told), secret, 'the model gets no personal data and no link');
      }
    },
  );

  void t.test('the whole way works by keyboard, with a visible focus', async (t) => {
    const slot = await aSlot();
    const chat = await openTimesChat(t, pages);
    const { keyboard } = chat.page;
    const reach = (selector: string) => tabTo(chat.page, selector, chat.view);
    await reach(timeButton(slot));
    await keyboard.press('Enter');
    await waitForState(chat, 'form');
    for (const field of ['name', 'email', 'phone'] as const) {
      await reach(`#${field}`);
      await keyboard.type(ada[field]);
    }
    await reach('#back');
    await keyboard.press('Enter');
    await waitForState(chat, 'times');
    const focused = await chat.view.evaluate(() =>
      document.activeElement?.getAttribute('data-slot'),
    );
    t.equal(focused, `${slot.date} ${slot.timeSlot}`, 'back at the time that was chosen');
    await keyboard.press('Enter');
    await reach('#phone');
    t.equal(await chat.view.inputValue('#name'), ada.name, 'what was typed is still there');
    await keyboard.press('Enter');
    await waitForState(chat, 'held');
    await reach('#open');
    await keyboard.press('Enter');
    await chat.view.waitForSelector('#destination:text("has opened")');
    t.equal((await chat.opened()).length, 1);
  });

  void t.test('a time that is taken meanwhile is replaced by another at one press', async (t) => {
    const [slot, next] = await someOpenSlots(context, 2);
    const chat = await openTimesChat(t, pages);
    await take(slot, 8);
    await take(next, 9);
    let answer: () => void = () => undefined;
    const chosen = new Promise<void>((resolve) => (answer = resolve));
    await chat.page.route(endpointGlob, async (route) => {
      await chosen;
      await route.continue();
    });
    await holdInView(chat, slot);
    await press(chat, '#back');
    await press(chat, timeButton(next));
    const shown = await chat.view.innerText('#when');
    answer();
    await waitForState(chat, 'taken');
    t.not(await chat.view.innerText('#when'), shown, 'it shows the time that was asked for');
    await chat.page.unroute(endpointGlob);
    await press(chat, '#back');
    await waitForState(chat, 'times');
    t.equal(await chat.view.locator(timeButton(next)).count(), 0, 'the times are read again');

    const third = await aSlot();
    await take(third, 10);
    await holdInView(chat, third);
    await waitForState(chat, 'taken');
    t.equal(await chat.view.locator('#alternatives button').count(), 5);
    t.equal(await chat.view.inputValue('#email'), ada.email, 'what was typed stays');
    const label = await chat.view.innerText('#alternatives button >> nth=0');
    await press(chat, '#alternatives button >> nth=0');
    await waitForState(chat, 'held');
    const { name, email } = ada;
    t.match((await everyBooking(context)).at(-1), { label, name, email });
  });

  void t.test(
    'a hold whose answer is lost is repeated with its key, a changed one not',
    async (t) => {
      const slot = await aSlot();
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
      await press(chat, '#hold');
      await view.waitForSelector('[aria-busy=false]');
      await isTroubled();
      await page.unroute(endpointGlob);
      await press(chat, '#hold');
      await waitForState(chat, 'held');
      const calls = await chat.calls('hold_slot');
      const [unsent, lost, repeated] = calls.map(({ idempotency_key: key }) => key);
      t.not(lost, unsent);
      t.equal(repeated, lost);
      t.match(await bookingsOf(context, slot), { length: 1 });
    },
  );

  void t.test('a refusal says when to try again, and keeps what was typed', async (t) => {
    const service = await startService(t, { ...generous, WRITES_PER_HOUR_ANONYMOUS: '1' });
    const [first, second] = await someOpenSlots(service.context, 2);
    const { url } = service;
    await postHold(url, first);
    const chat = await openTimesChat(t, { ...service, browser: pages.browser });
    await holdInView(chat, second, personNumber(2));
    await chat.view.waitForSelector('#trouble:not([hidden])');
    t.match(await wordsOf(chat), /try again in \d+ minutes, at \d+:\d\d\s[AP]M\./);
    t.equal(await chat.view.inputValue('#name'), ada.name);
  });

  void t.test(
    'mistakes that the view or the service finds stand beside their fields',
    async (t) => {
      const chat = await openTimesChat(t, pages);
      await holdInView(chat, await aSlot(), { name: '', email: 'ada', phone: '12' });
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
      await press(chat, '#hold');
      await chat.view.waitForSelector('#name[aria-invalid]:focus');
      t.equal((await chat.calls('hold_slot')).length, 1);
      t.equal(await chat.view.innerText('#email-mistake'), '');
    },
  );
}
