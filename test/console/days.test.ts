import t from 'tap';
import { addClosure } from '../../src/domain/closures.js';
import { recordNoShow } from '../../src/domain/studio-bookings.js';
import { addDays } from '../../src/schedule/dates.js';
import type { Slot } from '../../src/schedule/slots.js';
import { dateWords } from '../../src/schedule/words.js';
import { releaseCheckout, moveCheckout } from '../support/checkouts.js';
import { addPerson, signedIn } from '../support/console.js';
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
