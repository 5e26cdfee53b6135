import { createRequire } from 'node:module';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { addArtists } from '../support/artists.js';
import {
  everyCapability,
  holdInView,
  openChat,
  openTimesChat,
  timeButton,
  press,
  waitForState,
  wordsOf,
  type Chat,
} from '../support/chat.js';
import { holdForPerson } from '../support/holds.js';
import { openPage } from '../support/pages.js';
import { holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const pictures = process.env['TEST_PICTURES'];
const minute = 60_000;
const setting = {
  clock: true as const,
  context: { theme: 'light', timeZone: 'America/New_York' } as const,
  browserOptions: { viewport: { width: 320, height: 900 } },
};
const { serverTools: _tools, ...withoutTools } = everyCapability;

const axePackage = createRequire(import.meta.url).resolve('@axe-core/playwright');
const { source: axeSource } = createRequire(axePackage)('axe-core') as { source: string };

/** What axe finds in the frame alone: of a page, it leaves out the frames that are slow. */
async function violationsIn({ view }: Chat, rules?: string[]): Promise<string[]> {
  if (!(await view.evaluate(() => 'axe' in window))) await view.evaluate(axeSource);
  return view.evaluate(async (only) => {
    // A colour on its way to another is not one that a person reads.
    document.getAnimations().forEach((each) => each.finish());
    const { axe } = window as unknown as {
      axe: { run(o: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run(only === undefined ? {} : { runOnly: only });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, rules);
}

/** Checks a state as it looks on a small phone, and its colours in both themes. */
async function check(t: Test, chat: Chat, state: string): Promise<void> {
  const { page, view } = chat;
  await view.waitForFunction(
    () => innerHeight === Math.ceil(document.documentElement.getBoundingClientRect().height),
  );
  t.strictSame(await violationsIn(chat), [], state);
  await inTheme(chat, 'dark');
  t.strictSame(await violationsIn(chat, ['color-contrast']), [], `${state}, dark`);
  await inTheme(chat, 'light');
  const fits = await view.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  t.ok(fits, `${state} is no wider than the frame`);
  const small = await view.evaluate(() =>
    [...document.querySelectorAll('button')]
      .filter((button) => button.checkVisibility())
      .filter((button) => button.getBoundingClientRect().height < 44)
      .map((button) => button.textContent),
  );
  t.strictSame(small, [], `${state}: every button is tall enough for a finger`);
  t.equal(await view.title(), await view.innerText('h1'), state);
  if (pictures === undefined) return;
  const path = join(pictures, `view-${state.replaceAll(' ', '-')}.png`);
  await page.screenshot({ path, fullPage: true });
}

async function inTheme({ view, bridge }: Chat, theme: 'light' | 'dark'): Promise<void> {
  await bridge('sendHostContextChange', { theme });
  await view.waitForFunction(
    (wanted) => document.documentElement.style.colorScheme === wanted,
    theme,
  );
}

const service = await startService(t, generous, { browser: true });
if (service !== null) {
  const { context } = service;

  void t.test('axe finds nothing in any state, and everything fits', async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const chat = await openTimesChat(t, service, { ...setting, linkAnswer: 'isError' });
    await check(t, chat, 'open times');
    await press(chat, '#more-days');
    await check(t, chat, 'more days');
    await press(chat, timeButton(slot));
    await check(t, chat, 'form');
    await press(chat, '#hold');
    await check(t, chat, 'mistakes');
    await press(chat, '#back');
    await holdForPerson(service, personNumber(9), slot);
    await holdInView(chat, slot);
    await waitForState(chat, 'taken');
    await check(t, chat, 'taken');
    await press(chat, '#alternatives button >> nth=0');
    await waitForState(chat, 'held');
    await chat.page.clock.fastForward(4 * minute);
    await check(t, chat, 'held');
    const address = await chat.view.inputValue('#address');
    await press(chat, '#open');
    await chat.view.waitForSelector('#address:focus');
    await check(t, chat, 'address to copy');
    await service.shiftClock(15 * minute + 1_000);
    await chat.page.clock.fastForward(11 * minute);
    await waitForState(chat, 'expired');
    await check(t, chat, 'expired');

    await press(chat, '#again');
    await waitForState(chat, 'held');
    await press(chat, '#open');
    const checkout = await openPage(t, service);
    await checkout.goto(await chat.view.inputValue('#address'));
    t.not(checkout.url(), address);
    await checkout.click('button[value=confirm]');
    await checkout.waitForSelector('body.confirmed');
    await chat.page.clock.fastForward(15_000);
    await waitForState(chat, 'confirmed');
    await check(t, chat, 'confirmed');
  });

  void t.test('in a chat that calls no tools, nothing is a button that cannot work', async (t) => {
    const plain = { ...setting, capabilities: withoutTools };
    const [slot] = await someOpenSlots(context, 1);
    const times = await openTimesChat(t, service, plain);
    t.match(await wordsOf(times), 'Tell the assistant which time you would like.');
    await check(t, times, 'without tools');
    await press(times, 'button:visible');
    t.ok((await times.view.locator('.day').count()) > 7, 'more days need no tool');
    t.equal(await times.view.locator('button:visible').count(), 0);
    const past = { from: '2020-01-01', to: '2020-01-31' };
    const nothing = await openChat(t, service, { ...setting, tool: 'list_open_times', args: past });
    await waitForState(nothing, 'times');
    await check(t, nothing, 'nothing open');

    const args = { ...holdRequest(slot) };
    const held = await openChat(t, service, { ...plain, tool: 'hold_slot', args });
    await waitForState(held, 'held');
    t.strictSame(await held.view.locator('button:visible').allInnerTexts(), [
      'Open the page that confirms it',
    ]);
    await held.page.clock.fastForward(15 * minute);
    await waitForState(held, 'expired');
    t.equal(await held.view.locator('button:visible').count(), 0);
    t.match(await wordsOf(held), 'Unless you have confirmed it, nothing is booked.');

    const taken = await openChat(t, service, { ...plain, tool: 'hold_slot', args });
    await waitForState(taken, 'taken');
    t.equal(await taken.view.locator('#alternatives li').count(), 5);
    t.equal(await taken.view.locator(':is(button, input):visible').count(), 0);
    for (const chat of [times, held, taken]) {
      t.notOk((await chat.sent()).some(({ method }) => method === 'tools/call'));
    }
  });

  void t.test("the view follows the chat's theme and colours, and fits a wide chat", async (t) => {
    const wide = { browserOptions: { viewport: { width: 720, height: 900 } } };
    const chat = await openTimesChat(t, service, { context: { theme: 'light' }, ...wide });
    t.ok(await chat.view.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const colours = () =>
      chat.view.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        return { backgroundColor, color };
      });
    const light = await colours();
    await inTheme(chat, 'dark');
    const dark = await colours();
    t.not(dark.backgroundColor, light.backgroundColor);
    t.not(dark.color, light.color);
    const variables = { '--color-background-primary': 'light-dark(white, rgb(1, 2, 3))' };
    await chat.bridge('sendHostContextChange', { styles: { variables } });
    await chat.view.waitForFunction(
      () => getComputedStyle(document.body).backgroundColor === 'rgb(1, 2, 3)',
    );
  });

  void t.test('so it is where the studio has several artists', async (t) => {
    await addArtists(context, 8);
    const chat = await openTimesChat(t, service, setting);
    await press(chat, '#by-artist');
    await chat.view.waitForSelector('#artists button');
    await check(t, chat, 'artists');
    await press(chat, '#artists button >> nth=3');
    await chat.view.waitForSelector('h1:text-is("Open times with Zoë")');
    await check(t, chat, 'times of an artist');
    await press(chat, '.time >> nth=0');
    await waitForState(chat, 'page');
    await check(t, chat, 'page of an artist');
  });
}
