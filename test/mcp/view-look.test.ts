import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import t from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import { placeHold } from '../../src/domain/holds.js';
import {
  everyCapability,
  holdInView,
  openChat,
  openTimesChat,
  timeButton,
  waitForState,
} from '../support/chat.js';
import { openPage, startPages } from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';

const pictures = process.env['TEST_PICTURES'];
const minute = 60_000;

const axePackage = createRequire(import.meta.url).resolve('@axe-core/playwright');
const { source: axeSource } = createRequire(axePackage)('axe-core') as { source: string };

/** What axe finds in the frame alone: of a page, it leaves out the frames that are slow. */
async function violationsIn(view: Frame): Promise<string[]> {
  await view.evaluate(axeSource);
  return view.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

const looks = [
  { theme: 'light', width: 320 },
  { theme: 'dark', width: 400 },
  { theme: 'light', width: 720 },
] as const;

for (const { theme, width } of looks) {
  void t.test(`axe finds nothing, and everything fits: ${theme}, ${width} px wide`, async (t) => {
    const pages = await startPages(t);
    if (pages === null) return;
    const { service } = pages;
    const { context } = service;
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
    const setting = {
      clock: true as const,
      context: { theme, timeZone: 'America/New_York' },
      browserOptions: { viewport: { width, height: 900 } },
    };
    const chat = await openTimesChat(t, pages, { ...setting, linkAnswer: 'isError' });
    const check = async (state: string, { page, view } = chat) => {
      await view.waitForFunction(
        () => innerHeight === Math.ceil(document.documentElement.getBoundingClientRect().height),
      );
      t.strictSame(await violationsIn(view), [], state);
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
      if (pictures !== undefined) {
        const path = join(pictures, `view-${width}-${theme}-${state.replaceAll(' ', '-')}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    };
    await check('open times');
    await chat.view.click('#more-days');
    await check('more days');
    await chat.view.click(timeButton(slot));
    await check('form');
    await chat.view.click('#hold');
    await check('mistakes');
    await chat.view.click('#back');
    await placeHold(context, callerNumber(9), holdRequest(slot, personNumber(9)), null);
    await holdInView(chat, slot);
    await waitForState(chat, 'taken');
    await check('taken');
    await chat.view.click('#alternatives button >> nth=0');
    await waitForState(chat, 'held');
    await chat.page.clock.fastForward(4 * minute);
    await check('held');
    const address = await chat.view.inputValue('#address');
    await chat.view.click('#open');
    await chat.view.waitForSelector('#address:focus');
    await check('address to copy');
    await service.shiftClock(15 * minute + 1_000);
    await chat.page.clock.fastForward(11 * minute);
    await waitForState(chat, 'expired');
    await check('expired');

    await chat.view.click('#again');
    await waitForState(chat, 'held');
    await chat.view.click('#open');
    const checkout = await openPage(t, pages);
    await checkout.goto(await chat.view.inputValue('#address'));
    t.not(checkout.url(), address);
    await checkout.click('button[value=confirm]');
    await checkout.waitForSelector('body.confirmed');
    await chat.page.clock.fastForward(15_000);
    await waitForState(chat, 'confirmed');
    await check('confirmed');

    const { serverTools: _tools, ...capabilities } = everyCapability;
    const plain = await openTimesChat(t, pages, { ...setting, capabilities });
    await check('without tools', plain);
    const past = { from: '2020-01-01', to: '2020-01-31' };
    const nothing = await openChat(t, pages, { ...setting, tool: 'list_open_times', args: past });
    await waitForState(nothing, 'times');
    await check('nothing open', nothing);
  });
}
