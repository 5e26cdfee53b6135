import t from 'tap';
import { linkToSickDays } from '../../src/console/links.js';
import { longDate } from '../../src/console/moment.js';
import { readOpenQuestions } from '../../src/domain/studio/closed-days.js';
import { readClosures } from '../../src/domain/studio/closures.js';
import { studioToday } from '../../src/domain/studio/settings.js';
import { slotKey } from '../../src/schedule/slots.js';
import { bookingLabel } from '../../src/schedule/words.js';
import { addArtists } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { addPerson, newestActions, signedIn } from '../support/console.js';
import { hold, sessionForPerson } from '../support/holds.js';
import { everyOpenSlot, personNumber } from '../support/requests.js';
import { startService } from '../support/service.js';
import { hostile } from '../support/staff-rows.js';
import { startOver } from '../support/start-over.js';
import { findingOf, runAnswering, studioEnvironment, studioOn } from '../support/studio.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { context } = service;
const { database } = context;
const word = 'I am ill, and sorry. Please choose another time.';
const studio = studioOn(context);

t.beforeEach(() => startOver(context));

/** Confirmed sessions on the first whole days from tomorrow on. */
async function sessions(count: number) {
  const open = await everyOpenSlot(context, 1);
  const first = open.findIndex(({ timeSlot }) => timeSlot === '9:00 AM');
  const booked = [];
  for (const [index, slot] of open.slice(first, first + count).entries()) {
    const held = await sessionForPerson(service, personNumber(index + 1), slot);
    booked.push({ ...held, field: `choice-${held.id}` });
  }
  return booked;
}

t.test('a sick day of eight sessions is one press, and its people are asked', async (t) => {
  const booked = await sessions(8);
  const ada = await signedIn(service);
  await ada.open(`/console?date=${booked[0]!.slot.date}`);
  const before = ada.presses;
  await ada.follow('I cannot work on this day');
  await ada.press('Show the bookings on these dates', { to: booked.at(-1)!.slot.date });
  t.equal(ada.text('.there h2'), '8 bookings are on these dates');
  t.match(ada.text('.decisions'), 'gets no mail: please call');
  const offers = booked.map(({ field }) => String(ada.$(`[name="${field}"]`).first().val()));
  t.equal(
    new Set(offers.map((offer) => offer.split(' ').slice(2).join())).size,
    8,
    'one offer each',
  );
  const chosen = booked.map(({ field }) => ada.$(`[name="${field}"]:checked`).val());
  t.strictSame(
    chosen,
    booked.map(() => 'ask 1'),
    'the people are asked unless one chooses otherwise',
  );
  const [moved, cancelled, kept] = booked;
  const choices = {
    [moved!.field]: offers[0],
    [cancelled!.field]: 'cancel 1',
    [kept!.field]: 'keep 1',
  };
  await ada.press('Close and do this', { ...choices, word });
  t.equal(ada.presses - before, 3);
  t.equal(ada.text('[role=status]'), 'Closed. These sessions can no longer be booked.');
  t.match(ada.texts('h2'), ['Still booked on these dates', 'Moved or cancelled with the closure']);
  const rows = await Promise.all(booked.map(({ id }) => bookingRow(context, id)));
  t.equal(slotKey({ date: rows[0]!.date, timeSlot: rows[0]!.time_slot }), offers[0]!.slice(7));
  t.match(
    rows.map(({ closed_day_choice, status }) => closed_day_choice ?? status),
    ['confirmed', 'cancelled', 'kept', ...Array.from({ length: 5 }, () => 'asked')],
  );
  t.match(await newestActions(service, 1), [{ actor: /^Ada/, action: 'closures add' }]);

  await ada.open(`/console?date=${booked[0]!.slot.date}`);
  t.match(ada.text('.slots'), 'you come in for this one');
  const person = visitor(service);
  await person.open(`/checkout/${booked[3]!.token}`);
  t.equal(person.text('h1'), 'Please choose another time');
  t.match(person.text('main'), word);
  t.notMatch(person.text('main'), 'nothing more to do');
  await person.follow('Choose another time');
  t.match(person.text('main'), 'which does not count as a move of yours');
});

t.test('a second press of the same form changes nothing, and says the same', async (t) => {
  const [one, other] = await sessions(2);
  const [ada, twin] = [await signedIn(service), await signedIn(service, 'Ada too')];
  const path = `/console/closures/new?date=${one!.slot.date}&job=sick`;
  for (const each of [ada, twin]) await each.open(path);
  for (const each of [ada, twin]) {
    await each.press('Close and do this', { [other!.field]: 'cancel 1', word });
  }
  t.equal(twin.text('main'), ada.text('main'));
  t.equal(twin.path, ada.path);
  t.equal((await bookingRow(context, one!.id)).sequence, 2);
});

t.test('only what is closed is decided, and nobody is moved to a time that closes', async (t) => {
  const [first, ...booked] = await sessions(6);
  const ada = await signedIn(service);
  const { date } = first!.slot;
  const path = `/console/closures/new?date=${date}&job=sick`;
  await ada.open(path);
  const last = { to: booked.at(-1)!.slot.date };
  await ada.press('Show the bookings on these dates', last);
  const early = booked[0]!.field;
  await ada.press('Close and do this', { to: '2026-02-30', [early]: 'cancel 1', word });
  t.match(ada.text('[role=alert]'), 'Nothing was done');
  await ada.press('Show the bookings on these dates', last);
  t.equal(ada.$(`[name="${early}"]:checked`).val(), 'cancel 1', 'what was chosen stays');
  t.equal(ada.text('[name=word]').trim(), word);
  await ada.press('Close and do this', { to: date, [early]: 'ask 1' });
  t.match(ada.text('[role=alert]'), 'The dates are closed. 3 of 6 could not be done. The others');
  t.match(ada.text('main'), 'not done, its day is not closed; still');
  for (const { id, slot } of booked) {
    const asked = slot.date === date ? 'asked' : null;
    t.equal((await bookingRow(context, id)).closed_day_choice, asked);
  }

  await ada.open(`/console/closures/new?date=${booked[2]!.slot.date}`);
  const { field, id } = booked[2]!;
  const offer = String(ada.$(`[name="${field}"]`).first().val());
  await ada.press('Close', { to: offer.split(' ')[2]!, [field]: offer });
  t.match(ada.text('[role=alert]'), /1 of 1 could not be done.$/);
  t.match(ada.text('main'), 'not done, the time is closed; still');
  t.match(await bookingRow(context, id), { sequence: 1, closed_day_choice: null });

  await ada.open('/console/closures/undecided');
  await ada.press('Do this', { [field]: 'keep 1' });
  t.equal(ada.text('[role=status]'), 'Done.');
  await ada.open(`/console/closures/new?date=${booked[2]!.slot.date}&job=sick`);
  t.equal(ada.$(`[name="${field}"]:checked`).val(), 'ask 1', 'who is ill does not come in either');
});

t.test('what could not be done is said, and stays to be decided', async (t) => {
  const booked = await sessions(3);
  const ada = await signedIn(service);
  await ada.open(`/console/closures/new?date=${booked[0]!.slot.date}`);
  const chosen = booked.map(({ field }) => ada.$(`[name="${field}"]:checked`).val());
  t.strictSame(
    chosen,
    booked.map(() => 'later 1'),
    'closing decides nothing by itself',
  );
  const move = String(ada.$(`[name="${booked[0]!.field}"]`).first().val());
  const [date = '', ...time] = move.split(' ').slice(2);
  await hold(context, date, time.join(' ') as '9:00 AM');
  await ada.press('Close', { [booked[0]!.field]: move, [booked[1]!.field]: 'cancel 1', word });
  t.equal(ada.answer.statusCode, 409);
  t.match(ada.text('[role=alert]'), 'The dates are closed. 1 of 2 could not be done.');
  t.match(ada.text('main'), /: not done, the time is taken; still .*Cancel: done/);
  t.equal(ada.text('[name=word]').trim(), word, 'what was typed stays');
  t.equal((await readClosures(context, { past: false })).length, 1);

  t.equal(ada.$('fieldset').length, 2);
  t.match(await findingOf(studio, 'closed days'), {
    status: 'warning',
    message: /^Sessions on closed days: 2\./,
  });
  await ada.open('/console');
  t.match(ada.text('.notice'), '2 sessions are on days that you closed. Decide');
  await ada.follow('Decide');
  await ada.press('Keep');
  t.equal(ada.$(`[value="keep 1"]:checked`).length, 2, 'for all');
  await ada.press('Do this', { word: 'x'.repeat(501) });
  t.equal(ada.answer.statusCode, 400);
  t.match(ada.text('#word-mistake'), 'at most 500 characters; there are 501');
  await ada.press('Do this', { [booked[2]!.field]: 'ask 1', word });
  t.match(ada.text('[role=status]'), 'Done.');
  t.equal(ada.$('fieldset').length, 1, 'who is asked is listed');
  t.match(await readOpenQuestions(context), { undecided: [], asked: [{ id: booked[2]!.id }] });
  t.match(await findingOf(studio, 'closed days'), {
    status: 'ok',
    message: /Asked for.*: 1 person/,
  });
});

t.test('a terminal asks for each booking; a script closes a day with one line', async (t) => {
  const booked = await sessions(4);
  const [first, second, third, later] = booked.map(({ id }) => id);
  const { date } = booked[0]!.slot;
  await database.updateTable('bookings').set({ name: hostile }).where('id', '=', first!).execute();
  // The first choice is to move, the third to cancel, the last to decide later.
  const down = '\u001b[B';
  const { code, asked } = await runAnswering(
    studioEnvironment(context),
    ['closures', 'add', date],
    ['', `${down}${down}`, down.repeat(4)],
    (written) => written.includes('❯ Move to'),
  );
  t.equal(code, 0);
  for (const { slot } of booked.slice(0, 3)) t.match(asked, bookingLabel(slot));
  t.match(asked, 'Mail is off: no person gets a mail. Please call them.');
  t.notOk(asked.includes(hostile), 'what people typed does not control the terminal');
  t.not((await bookingRow(context, first!)).date, date);
  t.equal((await bookingRow(context, second!)).status, 'cancelled');
  t.match(await readOpenQuestions(context), { undecided: [{ id: third }], asked: [] });

  const { date: from } = booked[3]!.slot;
  const closed = await studio(`closures add ${from} --json --cancel-bookings --yes --reason`, word);
  t.match(closed.json(), { decided: [{ booking: { id: later, cancellation_reason: word } }] });
  const unasked = ['closures', 'add', from, '--slot', '1:00 PM', '--yes'];
  t.match(await runAnswering(studioEnvironment(context), unasked, []), { code: 0, asked: '' });
  const today = await studioToday(context);
  t.match((await studio('closures add today --json')).json(), { closure: { from: today } });
  const free = (await everyOpenSlot(context, 1)).at(-1)!;
  await hold(context, free.date, free.timeSlot);
  const asking = await studio(`closures add ${free.date} --ask-bookings --json`);
  t.match(asking.json(), { decided: [] }, 'where nobody can be asked there is no question');
  const both = await studio(`closures add ${from} --keep-bookings --ask-bookings`);
  t.match(both, { code: 2, stderr: /Give one of the options/ });
});

// The last one: from here on the studio has several artists.
t.test('an artist’s sick day offers others at the same time, and says whose it is', async (t) => {
  const [mara, jon] = await addArtists(context, 2);
  const open = await everyOpenSlot(context, 1);
  const slots = open.slice(open.findIndex(({ timeSlot }) => timeSlot === '9:00 AM')).slice(0, 3);
  const { date } = slots[0]!;
  const ofMara: { id: string; field: string }[] = [];
  for (const slot of slots) {
    const { id } = await addPerson(service, { ...slot, artistId: mara!.id });
    ofMara.push({ id, field: `choice-${id}` });
  }
  const jons = await addPerson(service, { ...slots[0]!, artistId: jon!.id }, { name: 'Ida' });
  const ada = await signedIn(service);
  await ada.open(linkToSickDays(date, 'mara'));
  t.equal(ada.text('h1'), 'Mara cannot work');
  t.equal(ada.text('[name=artist] option[selected]'), 'Mara');
  t.equal(ada.text('.there h2'), '3 bookings are on these dates', 'and not Jon’s');
  await ada.press('Show the bookings on these dates', { artist: '' });
  t.equal(ada.text('.there h2'), '4 bookings are on these dates');
  t.match(ada.text('main'), 'Jon comes in for this one');
  await ada.press('Show the bookings on these dates', { artist: 'mara' });
  const [one, two, three] = ofMara;
  const offersOf = ({ field }: { field: string }) =>
    ada.$(`[name="${field}"]`).map((_, each) => String(ada.$(each).val()).split(' ')[0]);
  const usual = ['ask', 'cancel', 'keep', 'later'];
  t.strictSame(offersOf(one!).get(), ['move', ...usual], 'Jon is booked then');
  t.strictSame(offersOf(two!).get(), ['move', 'nearest', ...usual]);
  t.match(ada.texts('.ticks')[1], /^Move to .* with JonMove to .* with (Jon|Mara)Ask to choose/);
  const checked = () =>
    ofMara.map(({ field }) => String(ada.$(`[name="${field}"]:checked`).val()).split(' ')[0]);
  await ada.press('Nearest time');
  t.strictSame(checked(), ['move', 'nearest', 'nearest'], 'the only offer is the nearest');
  await ada.press('Move');
  t.strictSame(checked(), ['move', 'move', 'move']);
  const value = String(ada.$(`[name="${two!.field}"]:checked`).val());
  t.equal(value, `move 0 ${slotKey(slots[1]!)} ${jon!.id}`);

  await addPerson(service, { ...slots[2]!, artistId: jon!.id });
  await ada.press('Close and do this');
  t.equal(ada.answer.statusCode, 409);
  t.match(ada.text('[role=alert]'), 'The dates are closed. 1 of 3 could not be done.');
  t.match(
    ada.text('.booking-lines'),
    /with Jon: done.* with Jon: not done, the time is taken; still/,
  );
  t.match(await bookingRow(context, two!.id), { artist_name: 'Jon', date, sequence: 1 });
  t.match(await bookingRow(context, jons.id), { sequence: 0, closed_day_choice: null });
  t.match(await newestActions(service, 1), [{ details: { artist: 'mara' } }]);

  await ada.open('/console/closures/undecided');
  t.strictSame(offersOf(three!).get()[0], 'move');
  await ada.press('Do this', { [three!.field]: 'keep 0' });
  await ada.open('/console/hours');
  t.match(ada.text('.closures'), /whole day · Mara\s*Open again .*, Mara…/);
  await ada.follow(longDate(date));
  t.match(ada.text('.facts'), /whole day · Mara/);
  t.match(ada.texts('.booking-lines li'), [/with Mara/, /with Jon/, /with (Jon|Mara)/]);
  await ada.press('Remove the closure');
  t.strictSame(await readClosures(context, { past: false }), []);
  t.equal(await ada.open(linkToSickDays(date, 'x')), 400, 'it never closes for everybody');

  // The next time of the artist who is away, beside others at the same time and the nearest one.
  const later = await everyOpenSlot(context, 14);
  const [first, ...more] = later.slice(later.findIndex(({ timeSlot }) => timeSlot === '9:00 AM'));
  const ofJon: { id: string; field: string }[] = [];
  for (const slot of [first!, more[0]!, more.find((each) => each.date > first!.date)!]) {
    const { id } = await addPerson(service, { ...slot, artistId: jon!.id });
    ofJon.push({ id, field: `choice-${id}` });
  }
  const [his, alsoHis, last] = ofJon;
  await ada.open(linkToSickDays(first!.date, 'jon'));
  t.strictSame(offersOf(his!).get(), ['move', 'nearest', 'own', ...usual]);
  t.match(ada.texts('.ticks')[0], /with MaraMove to .* with MaraMove to .* with JonAsk/);
  await ada.press('Same artist');
  t.strictSame(ada.$('[value^=own]:checked').length, 2, 'for all');
  await ada.press('Close and do this');
  t.equal(ada.answer.statusCode, 200);
  for (const { id } of [his!, alsoHis!]) {
    const { artist_name, date: to } = await bookingRow(context, id);
    t.match([artist_name, to > first!.date], ['Jon', true]);
  }
  const { date: lastDate } = await bookingRow(context, last!.id);
  const { asked } = await runAnswering(
    studioEnvironment(context),
    ['closures', 'add', lastDate, '--artist', 'jon'],
    ['\u001b[B\u001b[B', '\u001b[A'],
    (written) => written.includes('❯ Move to'),
  );
  t.match(asked, /Move to .* with Mara[^]*Move to .* with Jon/);
  const own = await bookingRow(context, last!.id);
  t.match([own.artist_name, own.date > lastDate], ['Jon', true]);
  await ada.open(`/console/bookings/${own.id}`);
  t.match(ada.text('main'), /M, Pacific (Standard|Daylight) Time, with Jon/);
});
