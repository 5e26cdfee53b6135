import t from 'tap';
import { slotKey, slotOf } from '../../src/calendar/slots.js';
import { moveByStudio } from '../../src/domain/studio-bookings.js';
import { bookingRow } from '../support/bookings.js';
import { openConsole } from '../support/console.js';
import { addPerson, answerTo, newestActions, startInSession } from '../support/console-bookings.js';
import { accessibilityViolations, openPage } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';

t.test(
  'of two consoles that cancel, move or mark one booking, the second is shown what is so now, and overwrites nothing',
  async (t) => {
    const started = await startInSession(t);
    if (started === null) return;
    const { pages, running, later } = started;
    const { context } = pages.service;
    const [from, to, other, last] = await someOpenSlots(context, 4);
    const { id } = await addPerson(pages, from!, { name: 'Cora' });
    const path = `${pages.url}/console/bookings/${id}`;
    const ada = await openConsole(t, pages, {}, 'Ada');
    // Pages without script stay as they were when they were opened.
    const bo = await openConsole(t, pages, { javaScriptEnabled: false }, 'Bo');
    const moving = await bo.context().newPage();
    const noShow = `form[action$="/${running.id}/no-show"] button`;
    const marking = await bo.context().newPage();
    const movingMissed = await bo.context().newPage();

    await bo.goto(path);
    await moving.goto(`${path}/move`);
    await marking.goto(`${pages.url}/console`);
    await movingMissed.goto(`${pages.url}/console/bookings/${running.id}/move`);
    await ada.goto(`${path}/move`);
    await ada.locator(`button[value="${slotKey(to!)}"]`).click();
    await ada.getByText('Moved.').waitFor();
    await ada.goto(`${pages.url}/console`);
    await ada.locator(noShow).click();
    await ada.getByText('Recorded').waitFor();

    await bo.getByText('Cancel…').click();
    await bo.locator('#reason').fill('We are ill');
    const press = bo.getByRole('button', { name: 'Cancel this booking' });
    t.equal((await answerTo(bo, () => press.click())).status(), 409);
    t.match(await bo.getByRole('alert').innerText(), /changed since you opened/);
    const { label } = await bookingRow(context, id);
    t.match(await bo.locator('.facts').first().innerText(), new RegExp(label));
    t.equal(await bo.locator('#reason').inputValue(), 'We are ill');

    const slot = moving.locator(`button[value="${slotKey(other!)}"]`);
    t.equal((await answerTo(moving, () => slot.click())).status(), 409);
    t.match(await moving.locator('#work').innerText(), new RegExp(`changed since[^]*Now ${label}`));
    t.match(await bookingRow(context, id), { status: 'confirmed', date: to!.date });
    t.same(slotOf(await bookingRow(context, id)), to);

    t.equal((await answerTo(marking, () => marking.locator(noShow).click())).status(), 409);
    t.match(await marking.getByRole('alert').innerText(), /recorded already/);
    const laterButton = movingMissed.locator(`button[value="${slotKey(later)}"]`);
    t.equal((await answerTo(movingMissed, () => laterButton.click())).status(), 409);
    t.match(await bookingRow(context, running.id), { no_show_at: Date, date: later.date });

    const actions = await newestActions(pages, 2);
    t.match(actions, [{ action: 'bookings no-show' }, { action: 'bookings move' }]);
    for (const { actor } of actions) t.match(actor, /^Ada /);

    // What is shown after the refusal can be decided anew.
    await press.click();
    await bo.getByText('Cancelled. The slot is free again.').waitFor();
    t.match(await bookingRow(context, id), { status: 'cancelled' });
    await moving.locator(`button[value="${slotKey(last!)}"]`).click();
    t.match(await moving.getByRole('alert').innerText(), /no longer held or confirmed/);
    t.match(await moving.locator('.facts').first().innerText(), /cancelled/);
  },
);

t.test(
  'a sentence says what cannot be done, and what was typed stays; a refused form can be opened again',
  async (t) => {
    const started = await startInSession(t);
    if (started === null) return;
    const { pages, running, later } = started;
    const { context } = pages.service;
    const [slot] = await someOpenSlots(context, 1);
    const { id } = await addPerson(pages, slot!, { name: 'Cora' });
    const page = await openConsole(t, pages);
    const path = `${pages.url}/console/bookings/${id}`;
    const alert = () => page.getByRole('alert').innerText();

    async function moveTo(date: string, timeSlot: string): Promise<number> {
      await page.goto(`${path}/move`);
      await page.getByLabel('Date').fill(date);
      await page.getByLabel('Session').selectOption(timeSlot);
      const button = page.getByRole('button', { name: 'Move', exact: true });
      return (await answerTo(page, () => button.click())).status();
    }
    t.equal(await moveTo(running.date, running.time_slot), 409);
    t.match(await alert(), /is taken. Nothing was done/);
    t.equal(await page.getByLabel('Date').inputValue(), running.date);
    t.equal(await moveTo('2020-02-03', '1:00 PM'), 409);
    t.match(await alert(), /is over/);
    t.equal(await moveTo(slot!.date, slot!.timeSlot), 409);
    t.match(await alert(), /in this session already/);
    t.equal(await moveTo('', '1:00 PM'), 400);
    t.match(await alert(), /Choose a date/);

    await page.goto(path);
    await page.getByText('Cancel…').click();
    await page.locator('#reason').fill('x'.repeat(501));
    const cancel = page.getByRole('button', { name: 'Cancel this booking' });
    t.equal((await answerTo(page, () => cancel.click())).status(), 400);
    t.match(await alert(), /at most 500 characters; there are 501/);
    t.equal((await page.locator('#reason').inputValue()).length, 501);
    await page.goto(page.url());
    t.equal(page.url(), path);

    const form = page.locator('form[action$="/cancel"]');
    await form.evaluate((each: HTMLFormElement) => {
      each.action = each.action.replace('/cancel', '/no-show');
    });
    await page.getByText('Cancel…').click();
    t.equal((await answerTo(page, () => cancel.click())).status(), 409);
    t.match(await alert(), /has not begun/);
    await page.goto(path);
    await form.evaluate((each: HTMLFormElement) => {
      each.querySelector('[name=sequence]')?.remove();
    });
    await page.getByText('Cancel…').click();
    t.equal((await answerTo(page, () => cancel.click())).status(), 400, 'not without a sequence');
    t.match(await bookingRow(context, id), { status: 'confirmed', no_show_at: null });

    const add = page.getByRole('button', { name: 'Add the booking' });
    await page.goto(`${pages.url}/console/bookings/new`);
    await page.getByLabel('Name').fill('\u200b\u2800');
    await page.getByLabel('E-mail').fill('nobody');
    await page.getByLabel('Phone').fill('0000000000');
    await page.getByLabel('Idea').fill('A heron\n'.repeat(300));
    t.equal((await answerTo(page, () => add.click())).status(), 400);
    t.equal(await page.locator('.mistake').count(), 5, 'all mistakes at once');
    t.equal(await page.getByLabel('E-mail').inputValue(), 'nobody');
    t.equal((await page.getByLabel('Idea').inputValue()).length, 2_400);
    t.same(await accessibilityViolations(page), []);

    await page.goto(
      `${pages.url}/console/bookings/new?date=${running.date}&time_slot=${running.time_slot}`,
    );
    await page.getByLabel('Name').fill('Walter');
    t.equal((await answerTo(page, () => add.click())).status(), 409);
    t.match(await alert(), /is taken/);
    t.equal(await page.getByLabel('Name').inputValue(), 'Walter');
    t.equal(await page.locator(`a[href="/console/bookings/${running.id}"]`).count(), 1);

    // The same form twice, as a double press sends it.
    const fillAgain = async () => {
      await page.getByLabel('Name').fill('Walter');
      await page.getByLabel('Date').fill(later.date);
      await page.getByLabel('Session').selectOption(later.timeSlot);
      await page.getByLabel('Phone').fill('\u202A+1 (503) 555\u00A00142\u202C');
    };
    await fillAgain();
    await add.click();
    await page.getByText('Added.').waitFor();
    await page.goto(`${pages.url}/console/bookings/new`);
    await fillAgain();
    t.equal((await answerTo(page, () => add.click())).status(), 409);
    t.match(await alert(), /added already/);
    await page.getByRole('link', { name: 'Open the booking of Walter' }).click();
    await page.getByRole('heading', { name: 'Walter' }).waitFor();
    const walters = await context.database
      .selectFrom('bookings')
      .select('id')
      .where('name', '=', 'Walter')
      .execute();
    t.equal(walters.length, 1);
    t.equal((await bookingRow(context, id)).date, slot!.date);
  },
);

t.test(
  'forgetting a person says what it cancels, cancels nothing else, and erases what is known',
  async (t) => {
    const started = await startInSession(t);
    if (started === null) return;
    const { pages } = started;
    const { context } = pages.service;
    const [one, two, three] = await someOpenSlots(context, 3);
    const person = { name: 'Ada Park', email: 'ada@example.com' };
    const first = await addPerson(pages, one!, person);
    const page = await openConsole(t, pages, { javaScriptEnabled: false });
    await page.goto(`${pages.url}/console/bookings/${first.id}`);
    await page.getByText('Link for the person…').click();
    const link = await page.locator('.secret').innerText();
    const persons = await openPage(t, pages);
    await persons.goto(link);
    t.match(await persons.locator('main').innerText(), /Your session/i);
    const second = await addPerson(pages, two!, { ...person, email: 'ADA@example.com' });

    await page.getByText('Forget the person…').click();
    const erase = page.getByRole('button', { name: 'Erase all data of this address' });
    t.equal((await answerTo(page, () => erase.click())).status(), 409);
    t.match(await page.getByRole('alert').innerText(), /have changed/);
    t.match(await bookingRow(context, first.id), { ...person, status: 'confirmed' });
    t.match(await page.locator('.cancels').first().innerText(), second.label);

    await moveByStudio(context, 'test', second.id, three!);
    t.equal((await answerTo(page, () => erase.click())).status(), 409, 'it was moved');
    await erase.click();
    await page.getByText('The personal data is erased.').waitFor();
    for (const { id } of [first, second]) {
      t.match(await bookingRow(context, id), { name: null, email: null, status: 'cancelled' });
    }
    t.match(await page.locator('h1').innerText(), '(erased)');
    t.match(await page.getByRole('region', { name: 'History' }).innerText(), /data erased by Ada/);
  },
);
