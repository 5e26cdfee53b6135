import t from 'tap';
import { linkToArtist } from '../../src/console/links.js';
import type { GivenPerson } from '../../src/domain/booking/person.js';
import { maxArtists, readArtists } from '../../src/domain/studio/artists.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { openFor } from '../../src/schedule/calendar.js';
import { addDays, weekdayOf } from '../../src/schedule/dates.js';
import { slotKey, type Slot } from '../../src/schedule/slots.js';
import { addArtists } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { addPerson, newestActions, signedIn } from '../support/console.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { context } = service;
const path = '/console/artists';
const add = 'Add this artist';
const start = 'Let people book them';
const artists = () => readArtists(context);
const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];

t.test('a second artist is added together with the name of the first, or not at all', async (t) => {
  await ada.follow('Studio');
  await ada.follow('Artists');
  t.match(ada.text('main'), 'each time can be booked once for each artist');
  t.equal(ada.$('.artists').length, 0);
  const typed = { first: '', name: '\u200b', about: 'x'.repeat(201), email: 'nobody' };
  t.equal(await ada.press(add, typed), 400);
  t.match(ada.text('#first-mistake'), 'Give a name of at most 60 characters');
  for (const [member, said] of [
    ['name', 'Give a name of at most 60'],
    ['about', '200 characters'],
    ['email', 'Give an e-mail address'],
  ]) {
    t.match(ada.text(`#${member}-mistake`), said);
  }
  t.equal(ada.$('[name=about]').val(), typed.about, 'what was typed stays');
  t.equal(await ada.press(add, { first: 'Mara', name: 'mara', about: '', email: '' }), 400);
  t.match(ada.text('#name-mistake'), 'Another artist has this name.');
  t.equal(await ada.press(add, { first: undefined, name: 'Jon' }), 409);
  t.match(ada.text('[role=alert]'), 'the first artist has no name yet');
  t.match(await artists(), [{ name: '' }]);

  await grace.open(path);
  const jon = { first: 'Mara', name: 'Jon', about: 'Fine lines', email: 'jon@nightheron.example' };
  t.equal(await ada.press(add, { ...jon, agreed: undefined }), 409);
  t.match(ada.text('[role=alert]'), 'tick that you know there is no way back');
  t.equal(await ada.press(add, { ...jon, agreed: 'yes' }), 200);
  t.match(ada.text('[role=status]'), 'once you have saved their first day.');
  t.equal(ada.text('h1'), 'The week and the first day of Jon');
  const person = visitor(service);
  await person.open('/book');
  t.notMatch(person.text(), 'Jon', 'not before they were shown');
  t.match(await newestActions(service, 2), [
    { actor: /^Ada/, action: 'artists add', details: { artist: 'jon' } },
    { action: 'artists set', details: { artist: 'mara' } },
  ]);
  await ada.press(start);
  t.match(ada.text('[role=status]'), 'People can book them from their first day on.');
  await ada.open(path);
  const from = /^Jon\s*Fine lines\s*From .*\s*The studio’s week\s*Mails/;
  t.match(ada.texts('.artists > li'), [/^Mara/, from]);
  t.equal(await grace.press(add, { first: '', name: 'Zoë' }), 200, 'the first has a name now');
  await grace.press(start);
  t.match(await artists(), [{ name: 'Mara' }, { name: 'Jon' }, { name: 'Zoë' }]);
  await person.open('/book');
  t.match(person.text(), /Mara.*Jon.*Zoë/);
});

t.test('texts and order are changed, and what another changed meanwhile is not lost', async (t) => {
  await ada.open(path);
  await ada.press('Up: Zoë');
  t.match(await artists(), [{ slug: 'mara' }, { slug: 'zoe' }, { slug: 'jon' }]);
  for (const each of [ada, grace]) await each.open(linkToArtist('jon'));
  await grace.press('Save', { about: 'Letters' });
  t.match(grace.text('[role=status]'), 'Saved.');
  t.equal(await ada.press('Save', { about: 'Blackwork', email: '' }), 409);
  t.match(ada.text('#about-mistake'), 'Changed meanwhile to: Letters');
  t.equal(ada.$('[name=about]').val(), 'Blackwork');
  t.equal(await ada.press('Save', { name: 'Mara' }), 400);
  t.match(ada.text('#name-mistake'), 'Another artist has this name.');
  await ada.press('Save', { name: 'Jonas' });
  t.match((await artists()).at(-1), {
    slug: 'jon',
    name: 'Jonas',
    about: 'Blackwork',
    email: null,
  });
  await ada.press('Save');
  t.equal(ada.text('[role=status]'), 'Nothing was changed.');
});

t.test(
  'a week of their own, and the studio’s again; what is booked outside is listed',
  async (t) => {
    const zoe = (await artists())[1]!;
    const [slot] = await someOpenSlots(context, 1);
    const weekday = weekdayOf(slot!.date);
    await addBooking(context, 'test', { ...slot!, artistId: zoe.id }, { name: 'Ida' });
    for (const each of [ada, grace]) await each.open(linkToArtist('zoe'));
    await ada.press('Save their week', { [`sessions-${weekday}`]: undefined });
    t.match(ada.text('[role=status]'), 'People can book these sessions.');
    const week = (await artists())[1]!.week!;
    t.match(
      week.find((day) => day.weekday === weekday),
      { sessions: [] },
    );
    t.equal(week.length, 1, 'the others follow the studio');
    t.match(ada.text('.booking-lines'), /with Zoë · Ida.*Move the booking of Ida/);
    const same = { [`sessions-${weekday}`]: ['1:00 PM'] };
    t.equal(await grace.press('Save their week', same), 409);
    t.equal(grace.$(`[name=sessions-${weekday}]:checked`).length, 1, 'what was ticked stays');
    t.match(grace.text(`#note-${weekday}`), 'Changed meanwhile to: not here.');
    t.match((await artists())[1]!.week, week);
    await ada.press('The studio’s week again');
    t.equal((await artists())[1]!.week, null);
    t.equal(ada.$('.booking-lines').length, 0);
  },
);

t.test('an artist begins to work when the studio is closed only if that is said', async (t) => {
  await changeWeek(context, 'test', { weekdays: [4], hours: null });
  await ada.open(linkToArtist('zoe'));
  t.equal(await ada.press('Save their week', { 'sessions-4': ['1:00 PM'] }), 409);
  t.match(ada.text('.mistake'), 'The studio is closed on Thursday (1:00 PM). Saving again lets');
  t.equal((await artists())[1]!.week, null);
  await ada.press('Save their week', { 'sessions-4': ['1:00 PM', '5:00 PM'] });
  t.match(ada.text('.mistake'), 'closed on Thursday (1:00 PM, 5:00 PM)', 'another session');
  await ada.press('Save their week');
  t.match((await artists())[1]!.week, [{ weekday: 4, sessions: ['1:00 PM', '5:00 PM'] }]);
  await ada.press('Save their week', { 'usual-4': 'on' });
  t.equal((await artists())[1]!.week, null, 'a day is the studio’s again');
  await ada.press('Save their week', { 'opens-3': '09:00', 'closes-3': '19:00' });
  t.match((await artists())[1]!.week, [{ weekday: 3, opens: '09:00', closes: '19:00' }]);
  t.equal(await ada.press('Save their week', { 'closes-3': '' }), 400);
  await ada.open(linkToArtist('zoe'));
  await ada.press('The studio’s week again');
});

t.test(
  'the studio is asked before it adds, moves or corrects a second session at one time',
  async (t) => {
    const [slot, other, third] = (await someOpenSlots(context, 12)).slice(-3) as [Slot, Slot, Slot];
    const [mara, zoe] = await artists();
    const eva = { name: 'Eva Twice', phone: '(503) 555-0171' };
    const asks = async (button: string, fields = {}) => {
      t.equal(await ada.press(button, fields), 409);
      t.match(
        ada.text('[role=alert]'),
        /Eva Twice has another session at that time: .* with \w+\./,
      );
      t.equal(await ada.press(button), 200, 'pressed again, it is done');
    };
    const added = async (at: Slot, artistId: number, person: GivenPerson) => {
      const outcome = await addBooking(context, 'test', { ...at, artistId }, person);
      return outcome.outcome === 'added' ? outcome.booking.id : outcome.outcome;
    };
    await added(slot, mara!.id, eva);
    const query = new URLSearchParams({ date: slot.date, time_slot: slot.timeSlot, artist: 'jon' });
    await ada.open(`/console/bookings/new?${query}`);
    await asks('Add the booking', eva);

    const id = await added(other, zoe!.id, eva);
    const to = new URLSearchParams({ slot: slotKey(slot), artist: 'zoe' });
    await ada.open(`/console/bookings/${id}/move?${to}`);
    await asks('Move to this time');

    await added(third, mara!.id, eva);
    const ola = await added(third, zoe!.id, { ...eva, name: 'Ola' });
    await ada.open(`/console/bookings/${ola}/correct`);
    await asks('Save the corrections', { name: eva.name });
    const theirs = context.database
      .selectFrom('bookings')
      .select('id')
      .where('name', '=', eva.name);
    for (const each of await theirs.execute()) await cancelByStudio(context, 'test', each.id);
  },
);

t.test(
  'who is hidden is not booked any more, and what is booked with them is listed',
  async (t) => {
    for (const each of [ada, grace]) await each.open(linkToArtist('zoe'));
    await ada.press('Hide');
    t.match(ada.text('main'), /Nothing is saved yet.*A booking is with Zoë then/);
    t.match((await artists())[1], { hidden_at: null }, 'not at one press');
    await ada.press('Hide and do this');
    t.equal(ada.text('[role=status]'), 'Hidden. They take no new bookings.');
    t.match(ada.texts('.booking-lines li'), [/with Zoë · Ida/]);
    await ada.follow('Move the booking of Ida');
    t.match(ada.path, /\/console\/bookings\/[0-9a-f-]+\/move$/);
    t.equal(ada.answer.statusCode, 200);
    await ada.open(path);
    t.match(ada.texts('.artists > li')[1], /Zoë.*Hidden, 1 still booked/);
    const person = visitor(service);
    await person.open('/book');
    t.notMatch(person.text(), 'Zoë');

    for (const [who, slug] of [
      [ada, 'mara'],
      [grace, 'jon'],
    ] as const) {
      await who.open(linkToArtist(slug));
    }
    await ada.press('Hide');
    t.equal(await grace.press('Hide'), 409);
    t.match(grace.text('[role=alert]'), 'nobody would be left whom people can book');
    t.match(grace.text('main'), 'Nobody else is shown, so they cannot be hidden.');
    await ada.press('Show again');
    t.match(await artists(), [{ hidden_at: null }, { hidden_at: Date }, { hidden_at: null }]);
    t.equal(await ada.open('/console/artists/nobody'), 404);
  },
);

t.test(
  'a new artist is booked in her own week and from her first day on, both shown',
  async (t) => {
    const open = (await everyOpenSlot(context)).filter(({ date }) =>
      [3, 5].includes(weekdayOf(date)),
    );
    const [early, first] = [open[0]!, open.find(({ date }) => date > addDays(open[0]!.date, 6))!];
    const before = ada.presses;
    await ada.open('/console');
    await ada.follow('Studio');
    await ada.follow('Artists');
    await ada.press(add, { name: 'Eva' });
    t.equal(await ada.press(start, { first_day: '2026-02-30', 'off-1': 'on' }), 400);
    t.match(ada.text('#first_day-mistake'), 'Give a date that exists');
    await changeWeek(context, 'test', { weekdays: [6], hours: null });
    const own = { first_day: first.date, 'off-1': 'on', 'off-2': 'on' };
    t.equal(await ada.press(start, own), 409, 'the week has changed meanwhile');
    await ada.press(start, { ...own, 'off-6': 'on' });
    t.equal(ada.presses - before, 6, 'two of them for the mistakes');
    const eva = (await artists()).at(-1)!;
    t.match(eva, { first_day: first.date, hidden_at: null, is_new: false });
    t.match(eva.week, [{ weekday: 2, sessions: [] }], 'the other days follow the studio');
    await context.board.refresh();
    const state = await context.board.read();
    const stateOf = (slot: Slot) => openFor(state, slot, eva.id, context.clock.now());
    t.match([early, first].map(stateOf), ['no_session', 'open']);
    const person = visitor(service);
    await person.open('/book?artist=eva');
    t.match(person.text(), 'Eva', 'she is offered, with the first month in which she is there');
  },
);

t.test('who leaves is asked about each later session, in one job', async (t) => {
  const eva = (await artists()).at(-1)!;
  const slots = (await everyOpenSlot(context)).filter(
    ({ date, timeSlot }) =>
      date > eva.first_day! && timeSlot === '9:00 AM' && [3, 5].includes(weekdayOf(date)),
  );
  const booked = [];
  for (const slot of slots.slice(0, 5)) {
    booked.push(await addPerson(service, { ...slot, artistId: eva.id }, { name: 'Ida' }));
  }
  const [last, ...later] = booked;
  const theirs = async () => (await artists()).at(-1)!;
  await ada.open('/console');
  const presses = ada.presses;
  await ada.follow('Studio');
  await ada.follow('Artists');
  await ada.follow('Eva');
  const days = { first_day: eva.first_day!, last_day: last!.date };
  for (const wrong of [{ last_day: '2020-01-01' }, { last_day: 'x' }]) {
    t.equal(await ada.press('Save the days', wrong), 400);
  }
  t.equal(await ada.press('Save the days', { first_day: slots[4]!.date, last_day: '' }), 409);
  t.match(ada.text('[role=alert]'), '4 sessions are before that first day');
  await ada.press('Save the days', days);
  t.match(ada.text('h1'), /^Eva leaves after /);
  t.match(ada.text('#there'), '4 bookings are with Eva then');
  t.match(await theirs(), { last_day: null }, 'nothing is saved yet');
  const unseen = await addPerson(service, { ...slots[5]!, artistId: eva.id }, { name: 'Ola' });
  await ada.press('Move');
  t.match(ada.text('#there'), '5 bookings');
  await ada.press('Save and do this', { [`choice-${unseen.id}`]: `cancel ${unseen.sequence}` });
  t.match(ada.text('[role=status]'), 'Saved.');
  t.equal(ada.presses - presses, 9, 'six of them without the mistakes');
  t.match(await theirs(), { last_day: last!.date });
  for (const { id } of later) {
    t.match(await bookingRow(context, id), { sequence: 1, artist_name: /Mara|Jonas/ });
  }
  t.match(await bookingRow(context, unseen.id), { status: 'cancelled' });
  t.match(await bookingRow(context, last!.id), { sequence: 0, artist_id: eva.id });
  await ada.press('Save the days', { ...days, last_day: '' });
  t.match(await theirs(), { last_day: null });
});

t.test('there are 20 artists at most', async (t) => {
  await grace.open(path);
  const names = Array.from({ length: maxArtists - 4 }, (_, index) => `Artist ${index}`);
  for (const name of names) {
    await ada.open(path);
    await ada.press(add, { name });
  }
  await ada.open(path);
  t.match(ada.text('main'), 'There can be 20 artists at most.');
  t.equal(await grace.press(add, { name: 'One more' }), 409);
  t.match(grace.text('[role=alert]'), 'Nobody was added: there can be 20 artists at most.');
  t.equal((await addArtists(context, 1)).length, maxArtists);
});
