import t from 'tap';
import { linkToMove } from '../../src/console/links.js';
import { longDay } from '../../src/console/moment.js';
import { moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { slotOf, slotStartsAt, type Slot } from '../../src/schedule/slots.js';
import { sessionOf } from '../../src/schedule/times.js';
import { bookingRow, sessionText } from '../support/bookings.js';
import { addPerson, newestActions, signedIn, signIn } from '../support/console.js';
import { holdForPerson } from '../support/holds.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { context } = service;
const moveHere = 'Move to this time';
const linkTo = (id: string) => `/console/bookings/${id}`;

/** The first session of a day with three of them, which began a minute ago, and the next one. */
async function beginSession(): Promise<{ begun: Slot; later: Slot }> {
  const slots = await everyOpenSlot(context, 2);
  const begun = slots.find(
    ({ date, timeSlot }, index) =>
      timeSlot === '9:00 AM' &&
      slots[index + 1]?.date === date &&
      slots[index + 1]?.timeSlot === '1:00 PM',
  )!;
  const { calendar } = await context.board.read();
  const { epochMs } = slotStartsAt(calendar.timezone, begun.date, begun.timeSlot);
  await service.shiftClock(epochMs - Date.now() + 60_000);
  return { begun, later: { date: begun.date, timeSlot: '1:00 PM' } };
}

const { begun, later } = await beginSession();
const running = await addPerson(service, begun, { name: 'Ida Running' });

t.test('everyday work takes at most three presses, and the audit names the session', async (t) => {
  const [free, ...slots] = await someOpenSlots(context, 4);
  const held = await holdForPerson(service, {
    ...{ name: 'Ada Held', idea: 'A heron in reeds', pronouns: 'she/her' },
    ...{ date: slots[0]!.date, time_slot: slots[0]!.timeSlot },
  });
  const toCancel = await addPerson(service, slots[1]!, { name: 'Cora' });
  const toMove = await addPerson(service, slots[2]!, { name: 'Mo' });
  const ada = await signedIn(service);

  async function job(name: string, steps: () => Promise<unknown>, done?: string): Promise<void> {
    await ada.open('/console');
    const before = ada.presses;
    await steps();
    const presses = ada.presses - before;
    t.ok(presses <= 3, `${name}: ${presses} presses`);
    if (done !== undefined) t.equal(ada.text('[role=status].done'), done);
  }
  await job('details', () => ada.follow('Ada Held'));
  t.equal(ada.path, linkTo(held.id));
  for (const link of ['tel:+15555550142', 'mailto:ada@example.com']) {
    t.equal(ada.$(`.facts a[href="${link}"]`).length, 1, link);
  }
  t.match(ada.text('main'), /she\/her.*A heron in reeds.*assistant.*Held through an assistant/);

  const reason = 'The artist is ill';
  const cancel = async () => {
    await ada.follow('Cora');
    await ada.press('Cancel this booking', { reason, word: 'See you soon' });
  };
  await job('cancel', cancel, 'Cancelled. The slot is free again. They get no mail.');
  t.match(await bookingRow(context, toCancel.id), {
    ...{ status: 'cancelled', cancellation_reason: reason, studio_word: 'See you soon' },
  });
  const move = async () => {
    await ada.follow('Move Ida Running');
    await ada.follow(`${longDay(free!.date)} at ${free!.timeSlot}`);
    await ada.press(moveHere);
  };
  await job('move', move, 'Moved. The slot that it had is free again. They get no mail.');
  t.same(slotOf(await bookingRow(context, running.id)), free);
  t.match(ada.text('.jobs'), /still free\.\s*This session is running already\./);
  await ada.press('Undo the move');
  t.equal(ada.text('.done'), 'Moved back. They get no mail.');
  const byAda = /Moved from .* by Ada \(console [0-9a-f]{8}\)/.source;
  t.match(ada.text('[aria-labelledby=history]'), new RegExp(`${byAda}.*${byAda}`));
  t.same(slotOf(await bookingRow(context, running.id)), begun);

  const add = async () => {
    await ada.follow(`Add a booking at ${later.timeSlot}`);
    await ada.press('Add the booking', { name: 'Walter Walk-In' });
  };
  await job('add', add, 'Added. They get no mail.');
  const added = await bookingRow(context, ada.path.replace(/^.*\/|\?.*$/g, ''));
  t.match(added, { name: 'Walter Walk-In', status: 'confirmed', email: null });
  t.same(slotOf(added), later);

  const correct = async () => {
    await ada.follow('Ada Held');
    await ada.follow('Correct');
    await ada.press('Save the corrections', { name: 'Ada Helder', phone: '503-555-0188' });
  };
  await job('correct', correct, 'Corrected. The person gets no mail.');
  t.match(await bookingRow(context, held.id), { name: 'Ada Helder', phone: '5035550188' });
  t.match(ada.text('[aria-labelledby=history]'), /Details corrected by Ada \(console/);

  const [missed, undo] = ['No-show of Ida Running', 'Undo no-show of Ida Running'];
  await job('no-show', () => ada.press(missed), 'Recorded: the person did not come.');
  t.not((await bookingRow(context, running.id)).no_show_at, null);
  await job('undo', () => ada.press(undo), 'No longer a no-show.');
  t.equal((await bookingRow(context, running.id)).no_show_at, null);

  const actions = await newestActions(service, 7);
  t.same(
    actions.map(({ action }) => action.replace('bookings ', '')),
    ['no-show', 'no-show', 'correct', 'add', 'move', 'move', 'cancel'],
  );
  for (const { actor } of actions) t.match(actor, /^Ada \(console [0-9a-f]{8}\)$/);
  await moveByStudio(context, 'Bob', toMove.id, free!);
  await moveByStudio(context, 'Cleo', toMove.id, slots[2]!);
  await ada.open(linkTo(toMove.id));
  const history = ada.text('[aria-labelledby=history]');
  t.match(history, /Added by test.*Moved.* by Bob.*Moved.* by Cleo/);
});

t.test('of two consoles, the second sees what is so now, and overwrites nothing', async (t) => {
  const [from, to, other, another] = await someOpenSlots(context, 4);
  const { id } = await addPerson(service, from!, { name: 'Cora' });
  const ada = await signedIn(service);
  const tab = async (path: string) => {
    const bo = await signedIn(service, 'Bo');
    await bo.open(path);
    return bo;
  };
  const [bo, moving] = [await tab(linkTo(id)), await tab(linkToMove(id, other!))];
  const [marking, movingMissed] = [
    await tab('/console'),
    await tab(linkToMove(running.id, another!)),
  ];
  const noShow = 'No-show of Ida Running';
  await ada.open(linkToMove(id, to!));
  await ada.press(moveHere);
  await ada.open('/console');
  await ada.press(noShow);
  t.match(ada.text('.done'), 'Recorded');

  const cancel = 'Cancel this booking';
  t.equal(await bo.press(cancel, { reason: 'We are ill' }), 409);
  t.match(bo.text('[role=alert]'), 'changed since you opened');
  const words = sessionText(sessionOf(await bookingRow(context, id)));
  t.match(bo.text('.facts'), words);
  t.equal(bo.$('#reason').val(), 'We are ill');
  t.equal(await moving.press(moveHere), 409);
  t.match(moving.text('main'), new RegExp(`changed since.*From${words}`));
  t.match(await bookingRow(context, id), { status: 'confirmed', date: to!.date });
  t.same(slotOf(await bookingRow(context, id)), to);

  t.equal(await marking.press(noShow), 409);
  t.match(marking.text('[role=alert]'), 'recorded already');
  t.equal(await movingMissed.press(moveHere), 409);
  t.match(await bookingRow(context, running.id), { no_show_at: Date, date: running.date });
  const actions = (await newestActions(service, 100)).filter(({ actor }) =>
    /^(Ada|Bo) /.test(actor),
  );
  const [first, second] = actions.filter(({ action }) => action.startsWith('bookings'));
  t.match([first, second], [{ action: 'bookings no-show' }, { action: 'bookings move' }]);
  for (const each of [first, second]) t.match(each?.actor, /^Ada /);

  // What is shown after the refusal can be decided anew.
  await bo.press(cancel);
  t.match(bo.text('.done'), 'Cancelled. The slot is free again.');
  t.match(await bookingRow(context, id), { status: 'cancelled' });
  await moving.press(moveHere);
  t.match(moving.text('[role=alert]'), 'no longer held or confirmed');
  t.match(moving.text('.facts'), 'cancelled');
});

t.test(
  'a correction shows what was corrected meanwhile, and hands over the link that it has made',
  async (t) => {
    const held = await holdForPerson(service, { name: 'Grace', idea: 'A heron\r\nin reeds' });
    const [ada, bo] = [await signedIn(service), await signedIn(service, 'Bo')];
    const path = `${linkTo(held.id)}/correct`;
    for (const each of [ada, bo]) await each.open(path);
    const save = 'Save the corrections';
    await ada.press(save, { phone: '503 555 0111', pronouns: 'she/her' });
    t.match(await bookingRow(context, held.id), { idea: 'A heron\r\nin reeds', sequence: 1 });
    const typed = { name: 'Grace Park', email: 'grace@example.com' };
    t.equal(await bo.press(save, typed), 409);
    t.match(bo.text('[role=alert]'), 'changed since you opened');
    t.strictSame(
      ['name', 'email', 'phone', 'pronouns'].map((name) => bo.$(`#${name}`).val()),
      ['Grace', 'ada@example.com', '5035550111', 'she/her'],
    );
    t.strictSame(bo.texts('.fine'), [
      'In your form: Grace Park',
      'In your form: 5555550142',
      'In your form: grace@example.com',
      'Empty in your form.',
    ]);
    t.equal(await bo.press(save, typed), 200);
    t.equal(bo.text('.done'), 'Corrected. Give the person the new link, which is below.');
    const person = visitor(service);
    t.equal(await person.open(held.url), 404);
    t.equal(await person.open(bo.text('.secret')), 200);
    t.match(person.text('main'), 'g•••@example.com');
    t.equal(await person.press('Confirm my session'), 200);
    const actions = await newestActions(service, 2);
    t.match(actions, [
      { details: { corrected: ['name', 'email'] } },
      { action: 'bookings correct' },
    ]);
    t.notMatch(JSON.stringify(actions), /Grace|example\.com|5550111/);

    await ada.open(path);
    await ada.press(save);
    t.match(ada.text('.done'), 'Nothing to change');
    for (const field of ['email', 'phone']) {
      await ada.open(path);
      t.equal(await ada.press(save, { [field]: '' }), 400);
      t.equal(ada.$(`#${field}-mistake`).length, 1, 'the person of a hold can be reached');
    }
    await ada.open(path);
    const { sequence } = await bookingRow(context, held.id);
    t.equal(sequence, 3);
    await cancelByStudio(context, 'test', held.id);
    t.equal(await ada.press(save, { name: 'Eve' }), 409);
    t.match(ada.text('[role=alert]'), 'no longer held or confirmed');
    t.equal(await ada.open(path), 409);
    t.match(await bookingRow(context, held.id), { name: 'Grace Park' });
  },
);

t.test('a booking is added once, and not changed by a form that saw nothing of it', async (t) => {
  const [slot, free] = await someOpenSlots(context, 2);
  const { id } = await addPerson(service, slot!, { name: 'Cora' });
  const client = await signIn(service);
  const early = await client.post(`${linkTo(id)}/no-show`, { sequence: '0', missed: 'no' });
  t.match(early, { statusCode: 409, body: /has not begun/ });
  const blind = await client.post(`${linkTo(id)}/cancel`, { missed: 'no', reason: '' });
  t.equal(blind.statusCode, 400, 'not without a sequence');
  t.match(await bookingRow(context, id), { status: 'confirmed', no_show_at: null });
  const ada = await signedIn(service);
  await ada.open(linkTo(id));
  await ada.press('Cancel this booking');
  t.match(ada.text('title'), /^Cancelled. The slot is free again. They .* – Cora – /);

  // The same form twice, as a double press sends it.
  const phone = '\u202A+1 (503) 555\u00A00142\u202C';
  const walter = { name: 'Walter', date: free!.date, time_slot: free!.timeSlot, phone };
  for (const status of [200, 409]) {
    await ada.open('/console/bookings/new');
    t.equal(await ada.press('Add the booking', walter), status);
  }
  t.match(ada.text('[role=alert]'), 'added already');
  await ada.follow('Open the booking of Walter');
  t.equal(ada.text('h1'), 'Walter');
  const { database } = context;
  const walters = database.selectFrom('bookings').select('id').where('name', '=', 'Walter');
  t.equal((await walters.execute()).length, 1);
});

t.test('forgetting a person cancels only what it says, and erases what is known', async (t) => {
  const [one, two, three] = await someOpenSlots(context, 3);
  const person = { name: 'Ada Park', email: 'forgotten@example.com' };
  const first = await addPerson(service, one!, person);
  const ada = await signedIn(service);
  await ada.open(linkTo(first.id));
  const persons = visitor(service);
  await persons.open(ada.text('.secret'));
  t.match(persons.text('main'), /Your session/i);
  const second = await addPerson(service, two!, { ...person, email: 'FORGOTTEN@example.com' });

  const erase = 'Erase all data of this client';
  t.equal(await ada.press(erase), 409);
  t.match(ada.text('[role=alert]'), 'have changed');
  t.match(await bookingRow(context, first.id), { ...person, status: 'confirmed' });
  t.match(ada.text('.cancels'), sessionText(sessionOf(second)));
  await moveByStudio(context, 'test', second.id, three!);
  t.equal(await ada.press(erase), 409, 'it was moved');
  await ada.press(erase);
  t.equal(ada.text('.done'), 'The personal data is erased.');
  for (const { id } of [first, second]) {
    t.match(await bookingRow(context, id), { name: null, email: null, status: 'cancelled' });
  }
  t.equal(ada.text('h1'), '(erased)');
  t.match(ada.text('[aria-labelledby=history]'), 'data erased by Ada');
});
