import t from 'tap';
import { longDate, longDay } from '../../src/console/moment.js';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { recordNoShow } from '../../src/domain/studio/no-show.js';
import { addDays } from '../../src/schedule/dates.js';
import { isSameSlot, type Slot } from '../../src/schedule/slots.js';
import { dateWords } from '../../src/schedule/words.js';
import { addArtists } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { releaseCheckout, moveCheckout } from '../support/checkouts.js';
import { addPerson, newestActions, signedIn } from '../support/console.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { insertMail } from '../support/mail-rows.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const service = await startService(t);
const { context, shiftClock } = service;

t.beforeEach(() => startOver(context));

t.test('any day is shown with who came, who did not, and what was free', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { id, starts_at: startsAt } = await addPerson(service, slot!, { name: 'Grace Hopper' });
  await shiftClock(startsAt.getTime() - context.clock.now() + 60_000);
  await recordNoShow(context, 'test', id, { undo: false });
  const ada = await signedIn(service);
  t.match(ada.text('h1'), /^Today, \w+, \w+ \d+$/);
  t.match(ada.text('.who'), 'Ada');
  t.equal(ada.$('.slots .slot').length, 3);
  t.equal(ada.$('.agenda .day').length, 7);
  await ada.open(`/console?date=${slot!.date}`);
  t.match(ada.text('h1'), /^Today/);
  t.match(ada.text('.slot.missed'), /Grace Hopper.*did not come/);
  const dayBefore = addDays(slot!.date, -1);
  const { weekday, month, day } = dateWords(dayBefore);
  await ada.open(`/console?date=${dayBefore}`);
  t.equal(ada.text('h1'), `${weekday}, ${month} ${day}`);
  t.notMatch(ada.texts('.slots a').join(), /Add/, 'it is over');
});

t.test('a day says why it is closed and who stays, and leads to its neighbours', async (t) => {
  const slots = await everyOpenSlot(context, 2);
  const first = slots.findIndex(({ timeSlot }) => timeSlot === '9:00 AM');
  const [one, two, other] = slots.slice(first);
  const { date } = one!;
  const person = { name: 'Grace', phone: '(971) 555-0199' };
  for (const slot of [one!, two!]) await addPerson(service, slot, person);
  const dates = { fromDate: date, toDate: date };
  const close = (timeSlot: Slot['timeSlot'] | null, reason: string) =>
    addClosure(context, 'test', { ...dates, timeSlot, reason }, { others: 'keep' });
  await close(null, 'Guest spot in Seattle');
  await close(other!.timeSlot, '<b>Dentist</b>');
  await context.board.refresh();
  const ada = await signedIn(service);
  await ada.open(`/console?date=${date}`);
  t.match(
    ada.text('.closed-day'),
    /^Closed: Guest spot in Seattle\. Two bookings stay\.Open again/,
  );
  const [, , free] = ada.texts('.slots .slot');
  t.match(free, /Closed: <b>Dentist<\/b>\. Open again/);
  const week = ada.text('.agenda .day');
  t.match(week, /Closed: Guest spot in Seattle\. Open again/);
  const days = ada.$('.agenda h3 a');
  t.notOk(days.is('[aria-label]'), 'the name of a link begins with what one sees');
  t.equal(ada.$('.slots a[href="tel:+19715550199"]').length, 2);
  const { weekday, month, day } = dateWords(date);
  await ada.follow(`closed: add a booking on ${weekday}, ${month} ${day} at ${other!.timeSlot}`);
  t.strictSame([ada.$('#date').val(), ada.$('#time_slot').val()], [date, other!.timeSlot]);
  await ada.open(`/console?date=${date}`);
  await ada.press('Remove the closure', {}, '.closed-day');
  t.equal(ada.path, `/console?date=${date}&done=opened`, 'one comes back to the day');
  t.match(ada.text('[role=status]'), 'The closure is removed');
  t.equal(ada.text('.closed-day'), '');
  await ada.follow('Open again');
  await ada.press('Remove the closure');
  t.equal(ada.path, `/console?date=${date}&done=opened`);
  await ada.follow('Day after');
  t.equal(ada.path, `/console?date=${addDays(date, 1)}`);
  await ada.follow('Day before');
  t.equal(ada.path, `/console?date=${date}`);
  await ada.follow('Add a booking');
  t.equal(ada.$('#date').val(), date);
});

t.test(
  'two hours are closed in two presses at the hour, and drawn as long as they are',
  async (t) => {
    const slots = await everyOpenSlot(context, 2);
    const first = slots.findIndex(({ timeSlot }) => timeSlot === '9:00 AM');
    const [nine, one] = slots.slice(first);
    const { date } = one!;
    const { id } = await addPerson(service, one!, { name: 'Grace' });
    await context.board.refresh();
    const ada = await signedIn(service);
    await ada.open('/console');
    const before = ada.presses;
    await ada.follow(`1 PM: close hours on ${longDay(date)}`);
    t.equal(ada.text('h1'), 'Close hours');
    t.equal(ada.text('.there h2'), 'A booking is in these hours');
    const field = `choice-${id}`;
    const keeping = String(ada.$(`[name="${field}"][value^=keep]`).val());
    await ada.press('Close 1:00 – 3:00 PM', { reason: 'Dentist', [field]: keeping });
    t.equal(ada.presses - before, 2);
    t.match(ada.text('[role=status]'), 'No session that overlaps these hours can be booked');
    t.match(ada.text('main'), `${longDate(date)}, 1:00 – 3:00 PM`);
    t.match(await newestActions(service, 1), [
      { action: 'closures add', details: { from_time: '13:00', to_time: '15:00' } },
    ]);
    t.equal((await bookingRow(context, id)).closed_day_choice, 'kept');

    const form = `/console/closures/new?date=${date}`;
    for (const [hours, mistake] of [
      [{ from_time: '08:00' }, 'Give both times, or none.'],
      [{ from_time: '08:00', to_time: '07:00' }, 'The hours end before they begin.'],
      [
        { from_time: '08:00', to_time: '00:00', time_slot: '9:00 AM' },
        'hours or a session, not both',
      ],
      [{ from_time: '08:00', to_time: '09:00', to: addDays(date, 1) }, 'Hours are of one date'],
    ] as const) {
      await ada.open(form);
      await ada.press('Close', hours);
      t.match(ada.text('.mistake'), mistake);
    }
    await ada.press('Close', { from_time: '08:00', to_time: '08:45', to: date });
    await ada.open(`/console?date=${date}`);
    const [early, at] = ada.texts('.slots .slot');
    t.match(early, /^9:00 AM.*open.*Closed 8:00 – 8:45 AM\. Open again$/, 'no session is closed');
    t.match(at, /Grace.*you come in for this one.*Closed 1:00 – 3:00 PM: Dentist\. Open again$/);
    const week = ada.text('.agenda .day');
    t.match(week, /Closed 8:00 – 8:45 AM\. Open again.*Closed 1:00 – 3:00 PM: Dentist/);
    await ada.follow('9:00 AM – 1:00 PM: close hours');
    await ada.press('Close 9:00 AM – 1:00 PM');
    await ada.open(`/console?date=${date}`);
    t.match(ada.texts('.slots .slot')[0], /closed.*Closed 9:00 AM – 1:00 PM\. Open again$/);
    t.notOk((await everyOpenSlot(context, 2)).some((slot) => isSameSlot(slot, nine!)));
    await ada.open(ada.$('.slots .slot').first().find('.blocks li').last().find('a').attr('href')!);
    await ada.press('Remove the closure');
    t.equal(ada.path, `/console?date=${date}&done=opened`);
    await context.board.refresh();
    t.ok((await everyOpenSlot(context, 2)).some((slot) => isSameSlot(slot, nine!)));
  },
);

t.test('what has happened since one last looked stands on the first page', async (t) => {
  const [one, two, three, four] = await someOpenSlots(context, 4);
  const ida = await sessionForPerson(service, { name: 'Ida Moves' }, one);
  await moveCheckout(context, ida.token, two!, 1);
  const cleo = await sessionForPerson(
    service,
    { name: 'Cleo Cancels', email: 'c@example.com' },
    three,
  );
  await releaseCheckout(context, cleo.token, 'confirmed');
  await releaseCheckout(context, (await holdForPerson(service)).token, 'pending');
  const { id } = await addPerson(service, four!, { name: 'Max Mails' });
  await insertMail(context, id, { status: 'failed' });
  // More than are shown: they leave their place to what is news.
  for (let count = 0; count < 31; count += 1) {
    await releaseCheckout(context, (await holdForPerson(service)).token, 'pending');
  }

  const ada = await signedIn(service, 'Ada at home');
  const lines = (list = '.log') => ada.texts(`.news ${list} li > span`);
  const at = /\w{3}, \w{3} \d+, (\d{4}, )?\d+:\d\d.*–.*M/.source;
  const happened = [
    /^A mail could not be sent: the confirmation to Max Mails\.$/,
    new RegExp(`^Max Mails was added: ${at}\\.$`),
    new RegExp(`^Cleo Cancels cancelled ${at}\\.$`),
    new RegExp(`^Cleo Cancels booked ${at}\\.$`),
    new RegExp(`^Ida Moves moved from ${at} to ${at}\\.$`),
    new RegExp(`^Ida Moves booked ${at}\\.$`),
  ];
  t.equal(ada.path, '/console');
  t.equal(ada.text('.news h2'), 'Since yesterday');
  t.match(lines(), happened);
  t.equal(lines().length, happened.length, 'a hold that was let go is no news');
  t.notMatch(ada.text('.news'), /There is more/);
  t.equal(ada.$('.news .log a').eq(1).attr('href'), `/console/bookings/${id}`);
  await ada.open('/console');
  t.equal(ada.text('.news h2'), 'Since yesterday', 'a visit lasts');

  await shiftClock(31 * 60_000);
  await ada.open('/console', { 'console-refresh': 'yes' });
  t.equal(
    ada.text('.news h2'),
    'Since yesterday',
    'a page that keeps itself up to date is no look',
  );
  // The name is known again, also after its session has ended.
  const again = await signedIn(service, 'Ada at home');
  t.match(again.text('.news'), /^Since you last looked\s*Nothing new since .*Before that, since/);
  await addPerson(service, one!, { name: 'New Person' });
  await ada.open('/console');
  t.match(lines('h2 + .log'), [/^New Person was added/]);
  t.match(lines('h3 + .log'), happened);
  await ada.open(`/console?date=${addDays(one!.date, 40)}`);
  t.equal(ada.$('.news').length, 0);

  await shiftClock(49 * 3_600_000);
  const later = await signedIn(service, 'Ada at home');
  t.match(later.text('.news'), /Nothing new since/);
  t.equal(later.$('.news li').length, 0);
});

t.test('each of several artists has a column, and a page', async (t) => {
  const ada = await signedIn(service);
  t.equal(ada.$('.columns, .artist-nav').length, 0);
  const [mara, jon, zoe] = await addArtists(context, 3);
  const [slot, next] = await wholeDay();
  const { date } = slot!;
  await addPerson(service, { ...slot!, artistId: mara!.id }, { name: 'Grace' });
  await addPerson(service, { ...slot!, artistId: jon!.id }, { name: 'Ida' });
  const dates = { fromDate: date, toDate: date };
  const close = (timeSlot: Slot['timeSlot'] | null, reason: string, artistId: number | null) =>
    addClosure(context, 'test', { ...dates, timeSlot, reason, artistId }, { others: 'keep' });
  await close(null, 'Fair', null);
  await close(null, 'Seattle', jon!.id);
  await close(next!.timeSlot, 'Dentist', zoe!.id);
  await context.board.refresh();

  await ada.open(`/console?date=${date}`);
  t.strictSame(ada.texts('.columns h2'), ['Mara', 'Jon', 'Zoë']);
  t.match(ada.text('.closed-day'), /^Closed: Fair\. Two bookings stay\.Open again/);
  t.notMatch(ada.text('.closed-day'), 'Seattle');
  const columns = ada.texts('.columns section');
  t.match(columns, [/Grace.*Mara comes in/, /Seattle\. A booking stays.*Ida.*Jon/, /Dentist/]);
  t.notMatch(columns[0], /Ida|Seattle|Dentist/);
  t.match(ada.$('.slot.booked').first().attr('data-news'), '9:00 AM with Mara: Grace');
  t.match(ada.text('.agenda .day'), /Mara.*Grace.*Jon.*Ida.*Closed: Seattle.*Zoë.*Closed: Fair/);
  const sick = `/console/closures/new?date=${date}&job=sick&artist=jon`;
  t.equal(ada.$('[aria-labelledby=of-jon] > p a').attr('href'), sick);
  const keys = ada.$('[data-key]').map((_, each) => ada.$(each).attr('data-key'));
  t.equal(new Set(keys.get()).size, keys.length);

  await ada.follow('Jon');
  t.equal(ada.$('.columns').length, 0);
  t.strictSame(ada.texts('.slots .client, .agenda .booked .word'), ['Ida', 'Ida']);
  await ada.follow('Day after');
  t.equal(ada.path, `/console?date=${addDays(date, 1)}&artist=jon`);
  await ada.press('Show', { date });
  t.match(ada.text('.slots'), 'Ida');
  await changeArtistDays(context, 'test', 'jon', { isHidden: true });
  await context.board.refresh();
  await ada.open(`/console?date=${date}`);
  t.match(ada.text('[aria-labelledby=of-jon]'), /^Jon takes no new bookings.*Ida/);
  t.equal(ada.$('[aria-labelledby=of-jon] .slot').length, 1);
  await changeArtistDays(context, 'test', 'jon', { isHidden: false });
});

t.test('a booking is added with an artist, or with whoever is free', async (t) => {
  await addArtists(context, 3);
  const [slot] = await wholeDay();
  const ada = await signedIn(service);
  const day = `/console?date=${slot!.date}`;
  const add = (fields: Record<string, string>) => ada.press('Add the booking', fields);
  await ada.open(day);
  await ada.follow('Add a booking at 9:00 AM with Jon');
  t.equal(ada.$('#artist').val(), 'jon');
  t.strictSame(ada.texts('#artist option'), ['Whoever is free', 'Mara', 'Jon', 'Zoë']);
  const address = ada.path;
  await add({ name: 'Walter' });
  t.equal(ada.text('.done'), 'Added, with Jon. They get no mail.');
  t.match(ada.text('.facts'), '9:00 AM – 1:00 PM, Pacific Standard Time, with Jon');

  await ada.open(address);
  t.equal(await add({ name: 'Bo' }), 409);
  t.match(ada.text('[role=alert]'), /at 9:00 AM with Jon is taken/);
  t.equal(await add({ artist: 'nobody' }), 400);
  t.match(ada.text('#artist-mistake'), 'Choose one of the artists');
  t.equal(await add({ artist: '' }), 200, 'and nothing is typed again');
  t.match(ada.text('.done'), /^Added, with (Mara|Zoë)\./);
  await ada.open(address);
  t.equal(await add({ name: 'Bo', artist: '' }), 409, 'the same form again');
  t.match(ada.text('[role=alert]'), 'added already');
  const free = ada.texts('#artist option').length;
  t.equal(free, 4, 'another person of the name is added by choosing');
  await add({ name: 'Cy' });
  await ada.open(address);
  t.equal(await add({ name: 'Dee', artist: '' }), 409, 'nobody is free');
  t.match(ada.text('[role=alert]'), 'is taken');
  await ada.open(`/console/bookings?from=${slot!.date}&artist=jon`);
  t.match(ada.texts('.booking-rows li'), [/with Jon.*Walter|Walter.*with Jon/]);
});

t.test('a booking is moved to another artist, and back', async (t) => {
  const [mara, jon] = await addArtists(context, 3);
  const [slot, next] = await wholeDay();
  const { id } = await addPerson(service, { ...slot!, artistId: mara!.id }, { name: 'Grace' });
  const ada = await signedIn(service);
  const page = `/console/bookings/${id}`;
  await ada.open(`${page}/move`);
  await ada.follow('With Jon');
  t.match(ada.text('.facts'), /From.*1:00 PM with Mara, confirmed.*To.*1:00 PM with Jon/);
  const question = ada.path;
  await ada.press('Move to Jon');
  t.match(ada.text('.done'), 'Moved: the session is with Jon. The slot that it had is free again.');
  t.match(ada.text('[aria-labelledby=history]'), /Moved from .* with Mara to .* with Jon by Ada/);
  await ada.press('Undo the move');
  t.match(ada.text('.done'), 'Moved back: the session is with Mara.');
  t.match(await bookingRow(context, id), { artist_id: mara!.id, sequence: 2 });

  await ada.open(question);
  const ida = await addPerson(service, { ...slot!, artistId: jon!.id }, { name: 'Ida' });
  t.equal(await ada.press('Move to Jon'), 409);
  t.match(ada.text('[role=alert]'), 'with Jon is taken');
  t.notMatch(ada.texts('main a').join(), /With Jon/);
  await ada.follow('Zoë');
  const { weekday, month, day } = dateWords(next!.date);
  await ada.follow(`${weekday}, ${month} ${day} at ${next!.timeSlot}`);
  t.match(ada.text('.facts'), /To.* with Zoë/);
  await ada.press('Move to this time');
  t.match(await bookingRow(context, id), { artist_name: 'Zoë', time_slot: next!.timeSlot });
  await ada.open(`/console/bookings/${ida.id}/move?artist=`);
  await ada.press('Choose', { date: next!.date, time_slot: next!.timeSlot });
  t.match(ada.text('.facts'), /To.* with Mara/, 'the first who is free');
});

/** The slots of the first whole day from tomorrow on. */
async function wholeDay(): Promise<Slot[]> {
  const slots = await everyOpenSlot(context, 1);
  return slots.slice(slots.findIndex(({ timeSlot }) => timeSlot === '9:00 AM')).slice(0, 3);
}
