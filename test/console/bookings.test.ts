import type { BrowserContextOptions, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { slotKey, slotOf } from '../../src/calendar/slots.js';
import { linkToAdd } from '../../src/console/bookings/links.js';
import { bookingRow } from '../support/bookings.js';
import { openConsole } from '../support/console.js';
import { addPerson, newestActions, startInSession } from '../support/console-bookings.js';
import { expectFits, holdForPerson, tabTo } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';

/** The ways to use the console. */
interface Hand {
  press(page: Page, selector: string): Promise<void>;
  type(page: Page, selector: string, text: string): Promise<void>;
}

const pointer: Hand = {
  press: (page, selector) => page.locator(selector).first().click(),
  type: (page, selector, text) => page.locator(selector).fill(text),
};

const keyboard: Hand = {
  async press(page, selector) {
    await page.locator(selector).first().waitFor();
    await tabTo(page, selector);
    await page.keyboard.press('Enter');
  },
  async type(page, selector, text) {
    await page.locator(selector).waitFor();
    await tabTo(page, selector);
    await page.keyboard.type(text);
  },
};

/** Does everyday work, and counts the presses that each job takes from `/console`. */
async function work(t: Test, hand: Hand, options: BrowserContextOptions): Promise<void> {
  const started = await startInSession(t);
  if (started === null) return;
  const { pages, running, later } = started;
  const { context } = pages.service;
  const [free, ...slots] = await someOpenSlots(context, 4);
  const held = await holdForPerson(pages, {
    idea: 'A heron in reeds',
    pronouns: 'she/her',
    date: slots[0]!.date,
    time_slot: slots[0]!.timeSlot,
  });
  const toCancel = await addPerson(pages, slots[1]!, { name: 'Cora' });
  const toMove = await addPerson(pages, slots[2]!, { name: 'Mo' });
  const page = await openConsole(t, pages, options);

  /** Ends when `selector` is shown, or `until` holds. */
  async function job(
    name: string,
    steps: (press: (selector: string) => Promise<void>) => Promise<void>,
    shown: string,
  ): Promise<void> {
    await page.goto(`${pages.url}/console`);
    let presses = 0;
    await steps(async (selector) => {
      presses += 1;
      await hand.press(page, selector);
    });
    await page.getByText(shown).first().waitFor();
    t.ok(presses <= 3, `${name}: ${presses} presses`);
    await expectFits(t, page);
  }
  const booking = (id: string) => `a[href="/console/bookings/${id}"]`;

  await job('details', (press) => press(booking(held.id)), 'A heron in reeds');
  const details = page.locator('#work');
  for (const link of ['tel:+15555550142', 'mailto:ada@example.com']) {
    t.equal(await details.locator(`a[href="${link}"]`).count(), 1, link);
  }
  t.match(await details.innerText(), /she\/her[^]*assistant[^]*Held through assistant/);

  await job(
    'cancel',
    async (press) => {
      await press(booking(toCancel.id));
      await press('details:has(form[action$="/cancel"]) > summary');
      await hand.type(page, '#reason', 'The artist is ill');
      await press('form[action$="/cancel"] button');
    },
    'Cancelled. The slot is free again.',
  );
  t.match(await bookingRow(context, toCancel.id), {
    status: 'cancelled',
    cancellation_reason: 'The artist is ill',
  });

  await job(
    'move',
    async (press) => {
      await press(booking(toMove.id));
      await press('a[href$="/move"]');
      await press(`button[value="${slotKey(free!)}"]`);
    },
    'Moved. The slot that it had is free again.',
  );
  t.same(slotOf(await bookingRow(context, toMove.id)), free);

  await job(
    'add',
    async (press) => {
      await press(`a[href="${linkToAdd(later)}"]`);
      await hand.type(page, '#name', 'Walter Walk-In');
      await press('form[action="/console/bookings/new"] button');
    },
    'Added.',
  );
  const added = await bookingRow(context, page.url().replace(/^.*\/|\?.*$/g, ''));
  t.match(added, { name: 'Walter Walk-In', status: 'confirmed', email: null });
  t.same(slotOf(added), later);

  const noShow = `form[action="/console/bookings/${running.id}/no-show"] button`;
  await job('no-show', (press) => press(noShow), 'Recorded: the person did not come.');
  t.not((await bookingRow(context, running.id)).no_show_at, null);
  await job('undo', (press) => press(noShow), 'No longer a no-show.');
  t.equal((await bookingRow(context, running.id)).no_show_at, null);

  const actions = await newestActions(pages, 5);
  t.same(
    actions.map(({ action }) => action),
    ['bookings no-show', 'bookings no-show', 'bookings add', 'bookings move', 'bookings cancel'],
  );
  for (const { actor } of actions) t.match(actor, /^Ada \(console [0-9a-f]{8}\)$/);

  await page.goto(`${pages.url}/console/bookings/${toMove.id}`);
  const history = await page.getByRole('region', { name: 'History' }).innerText();
  t.match(history, /Added by test[^]*Moved from .* by Ada \(console [0-9a-f]{8}\)/);
}

t.test(
  'details, cancelling with a reason, moving, adding and a no-show take at most three presses from /console, and the audit names the session',
  (t) => work(t, pointer, {}),
);

t.test('the same with the keyboard alone', (t) => work(t, keyboard, {}));

t.test('the same on a phone without script', (t) =>
  work(t, pointer, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }),
);
