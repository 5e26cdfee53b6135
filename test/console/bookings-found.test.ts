import t from 'tap';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { addClosure } from '../../src/domain/closures.js';
import { recordNoShow } from '../../src/domain/studio-bookings.js';
import { addDays } from '../../src/schedule/dates.js';
import type { Slot } from '../../src/schedule/slots.js';
import { dateWords } from '../../src/schedule/words.js';
import { addPerson, signedIn } from '../support/console.js';
import { holdForPerson } from '../support/holds.js';
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
  await ada.open(`/console?date=${date}`);
  t.equal(ada.text('.closed-day'), '');
  await ada.follow('Day after');
  t.equal(ada.path, `/console?date=${addDays(date, 1)}`);
  await ada.follow('Day before');
  t.equal(ada.path, `/console?date=${date}`);
  await ada.follow('Add a booking');
  t.equal(ada.$('#date').val(), date);
});

t.test('bookings are listed by date, and found by what nothing logs', async (t) => {
  const slots = await everyOpenSlot(context, 2);
  const heron = await addPerson(service, slots[60]!, {
    name: 'Zoë Nguyễn O’Heron_Smith',
    email: 'Zoe+tattoo@example.com',
    phone: '(971) 555-0199',
    idea: 'A secret crane',
  });
  const gone = await addPerson(service, slots[61]!, { name: 'Gone' });
  await cancelByStudio(context, 'test', gone.id, { reason: 'A private reason' });
  for (const slot of slots.slice(0, 55)) await addPerson(service, slot, { name: 'Somebody' });

  const ada = await signedIn(service);
  const list = '/console/bookings';
  const rows = () => ada.texts('.booking-rows li');
  await ada.open(list);
  t.equal(rows().length, 50);
  await ada.follow('Later');
  t.equal(rows().length, 6);
  await ada.follow('Earlier');
  t.equal(rows().length, 50);
  await ada.press('Show', { from: heron.date, to: addDays(heron.date, 14), status: 'cancelled' });
  t.match(ada.path, /status=cancelled/);
  t.match(rows(), [/Gone/]);
  t.equal(rows().length, 1);
  await ada.open(`${list}?from=nonsense&to=2026-02-31&status=__proto__&page=-3`);
  t.equal(rows().length, 50, 'what is no filter is ignored');

  for (const text of [
    'zoë',
    'ZOE NGUYEN',
    "nguyễn o'heron",
    'OHeron',
    'heron_s',
    'ZOE+TATTOO@example.com',
    '(971) 555-0199',
    '+1 971 555 0199',
    '\u202A+1 (971) 555\u00A00199\u202C',
    '0199',
    heron.id.slice(0, 8),
    heron.id,
  ]) {
    await ada.press('Search', { text });
    t.match(ada.text('main [role=status]'), /^1 found/, text);
    t.match(rows(), [/Zoë Nguyễn O’Heron_Smith/]);
    t.match(ada.path, /^\/console\/bookings\?search=[\w-]+$/);
    t.equal(ada.$('[type=search]').val(), text);
  }
  const found = ada.path;
  await ada.follow('Zoë Nguyễn O’Heron_Smith');
  t.equal(await ada.open(found), 200, 'one can go back to what was found');
  t.match(rows(), [/O’Heron_Smith/]);
  await ada.open(found.replace(/....$/, 'AAAA'));
  t.equal(rows().length, 50, 'what was not sealed here is no search');
  for (const [text, answer] of [
    ['%', 'Nothing was found.'],
    ['heron%smith', 'Nothing was found.'],
    ['deadbeef is no id', 'Nothing was found.'],
    ['\\', 'Nothing was found.'],
    ['  ', 'Nothing was found.'],
    ['’', 'Nothing was found.'],
    ['somebody', 'The first 50 found'],
  ] as const) {
    await ada.press('Search', { text });
    t.match(ada.text('main [role=status]'), answer);
  }
  t.notMatch(ada.path, /somebody|c29tZWJvZHk/i);
  await ada.open(`${list}/${heron.id}`);
  const log = service.logLines.join('\n');
  t.notMatch(log, /zo[eë]|heron_|5550199|crane|private reason/i);
});

t.test('a search shows the sessions to come first, in their order', async (t) => {
  const slots = await someOpenSlots(context, 4);
  const [past, cancelled, ...toCome] = await Promise.all(
    slots.map((slot) => addPerson(service, slot, { name: 'Marie Müller' })),
  );
  await cancelByStudio(context, 'test', cancelled!.id);
  await shiftClock(past!.ends_at!.getTime() - context.clock.now() + 60_000);
  const ada = await signedIn(service);
  await ada.open('/console/bookings');
  await ada.press('Search', { text: 'muller' });
  t.strictSame(
    ada
      .$('.booking-rows .client')
      .map((_, each) => ada.$(each).attr('href'))
      .get(),
    [...toCome, cancelled, past].map((booking) => `/console/bookings/${booking!.id}`),
  );
  await shiftClock(0);
});

t.test('names and ideas that are markup or turn text around are only text', async (t) => {
  const markup = '</title><img src=x onerror=alert(1)>"\'<script>alert(2)</script>';
  const { id } = await holdForPerson(service, {
    name: `\u202e${markup}`,
    idea: `\u202e</textarea>${markup}\n${'w'.repeat(900)}`,
    pronouns: '\u2067<b>they</b>',
  });
  const ada = await signedIn(service);
  const path = `/console/bookings/${id}`;
  for (const address of ['/console', '/console/bookings', `${path}/move`, path]) {
    await ada.open(address);
    t.match(ada.text('#work'), '<script>alert(2)</script>');
    t.equal(ada.$('img, b, main script').length, 0);
  }
  t.equal(ada.$('.facts bdi:contains("onerror")').length, 1);
  await ada.open('/console/bookings');
  await ada.press('Search', { text: `"><img src=x>${markup}` });
  t.match(ada.text('main'), 'Nothing was found.');
  t.equal(ada.$('img').length, 0);
});
