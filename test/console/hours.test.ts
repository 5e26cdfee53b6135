import t from 'tap';
import { readBooking } from '../../src/domain/booking/public-bookings.js';
import { changeArtistWeek } from '../../src/domain/studio/artist-weeks.js';
import { readArtists } from '../../src/domain/studio/artists.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import {
  addClosure,
  readBookingsToClose,
  readClosures,
  removeClosure,
} from '../../src/domain/studio/closures.js';
import { readOpenings, removeOpening } from '../../src/domain/studio/openings.js';
import { studioToday } from '../../src/domain/studio/settings.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { readWeek } from '../../src/repositories/weeks.js';
import { addDays, weekdayOf } from '../../src/schedule/dates.js';
import { addArtists, leaveOneArtist } from '../support/artists.js';
import { newestActions, signedIn } from '../support/console.js';
import { hold } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { context } = service;
const usual = {
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  hours: { opens: '09:00', closes: '20:00' },
  sessions: ['9:00 AM', '1:00 PM', '5:00 PM'] as const,
};
const tomorrow = addDays(await studioToday(context), 1);
const weekPath = '/console/hours';
const closePath = `/console/closures/new?date=${tomorrow}`;

t.beforeEach(async () => {
  await changeWeek(context, 'test', usual);
  const dates = { fromDate: tomorrow, toDate: tomorrow, timeSlot: null };
  for (const { id } of await readBookingsToClose(context, dates)) {
    await cancelByStudio(context, 'test', id);
  }
  for (const { id } of await readClosures(context, { past: true })) {
    await removeClosure(context, 'test', id);
  }
  for (const { date } of await readOpenings(context, { past: true })) {
    await removeOpening(context, 'test', { date, sessions: usual.sessions });
  }
  await context.board.refresh();
});

t.test("Tuesday's hours are three presses away, audited, and public", async (t) => {
  const ada = await signedIn(service);
  const before = ada.presses;
  await ada.follow('Hours');
  await ada.press('Save the week', { 'opens-2': '08:30' });
  t.equal(ada.presses - before, 2, 'and the field');
  t.equal(ada.text('[role=status]'), 'Saved. People see the new hours.');
  const [, tuesday] = await readWeek(context.database);
  t.match(tuesday, { opens: '08:30', closes: '20:00' });
  const [entry] = await newestActions(service, 1);
  t.match(entry, { actor: /^Ada/, action: 'hours set' });
  const day = { weekday: 2, opens: '08:30', closes: '20:00', sessions: usual.sessions };
  t.strictSame(entry?.details, { days: [day] });
  const info = await service.app.inject({ url: '/api/public/studio' });
  t.match(info.body, '"opens":"08:30"');

  await ada.press('Save the week', { 'sessions-2': ['1:00 PM', '5:00 PM'] });
  t.match((await readWeek(context.database))[1], { sessions: ['1:00 PM', '5:00 PM'] });
  await ada.press('Save the week', { 'off-2': 'on' });
  const closed = { opens: null, closes: null, sessions: [] };
  t.match((await readWeek(context.database))[1], closed);
  t.equal(ada.$('[name=opens-2]').val() ?? '', '');
});

t.test('what another session changed meanwhile is shown and not overwritten', async (t) => {
  const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];
  for (const each of [ada, grace]) await each.open(weekPath);
  await grace.press('Save the week', { 'closes-2': '18:00', 'closes-5': '00:00' });
  await ada.press('Save the week', { 'opens-2': '07:00', 'opens-1': '07:30' });
  t.match(ada.text('[role=alert]'), 'The week has changed');
  const [, unchanged] = await readWeek(context.database);
  t.match(unchanged, { opens: '09:00', closes: '18:00' }, 'nothing was written');
  t.match(ada.text('#note-2'), 'Changed meanwhile to: 09:00 to 18:00, sessions at');
  t.equal(ada.$('[name=opens-2]').val(), '07:00', 'what was typed stays');
  t.equal(ada.$('[name=closes-5]').val(), '00:00', 'the rest is as it is');

  await ada.press('Save the week', { 'closes-2': '18:00' });
  const [monday, tuesday, , , friday] = await readWeek(context.database);
  t.match([monday, tuesday], [{ opens: '07:30' }, { opens: '07:00', closes: '18:00' }]);
  t.match(friday, { closes: '24:00' });
});

t.test('artists who would work on a day that is closed are named, and asked about', async (t) => {
  await addArtists(context, 3);
  const all = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, sessions: usual.sessions }));
  for (const slug of ['jon', 'zoe']) await changeArtistWeek(context, 'test', slug, all);
  const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];
  for (const each of [ada, grace]) {
    await each.open(weekPath);
    t.equal(await each.press('Save the week', { 'off-4': 'on', 'closes-5': '19:00' }), 409);
  }
  t.match(ada.text('[role=alert]'), 'Nothing was saved yet');
  const [jon, zoe] = ada
    .$('[name=also]')
    .get()
    .map((each) => ada.$(each).val() as string);
  t.match([jon, zoe], [/^Jon’s own week still has Thursday \(9:00 AM, /, /^Zoë’s own week /]);
  const days = async () => {
    const [, jons, zoes] = await readArtists(context);
    const studios = await readWeek(context.database);
    return [studios, jons!.week!, zoes!.week!].map((each) => each[3]!.sessions.length);
  };
  t.strictSame(await days(), [3, 3, 3], 'nothing was written');
  t.equal(ada.$('[name=off-4]:checked').length, 1, 'what was typed stays');
  await ada.press('Save the week', { also: jon });
  t.match(ada.text('[role=status]'), 'Saved.');
  t.strictSame(await days(), [0, 0, 3]);
  t.match(await newestActions(service, 1), [{ action: 'artists hours', actor: /^Ada/ }]);

  const less = [{ weekday: 4, sessions: ['1:00 PM'] as const }];
  await changeArtistWeek(context, 'test', 'zoe', less);
  t.equal(await grace.press('Save the week', { also: [jon!, zoe!] }), 409, 'asked of another week');
  t.match(grace.texts('.week-form label'), [/Zoë’s own week still has Thursday \(1:00 PM\)/]);
  await leaveOneArtist(context);
});

t.test('weeks from a day to a day are added, changed and removed beside all others', async (t) => {
  await addArtists(context, 2);
  const { today } = await context.board.read();
  const [from, to] = [addDays(today, 30), addDays(today, 50)];
  const off = [{ weekday: 5, sessions: ['1:00 PM'] as const }];
  await changeArtistWeek(context, 'test', 'jon', off);
  const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];
  await ada.follow('Hours');
  await ada.follow('All weeks, and those of dates');
  t.match(ada.texts('thead th'), ['The studio', 'Mara', 'Jon']);
  t.match(ada.texts('tbody tr').at(4), /^Friday.*as the studio.*sessions at 1:00 PM$/s);
  for (const each of [ada, grace]) {
    await each.open('/console/hours/weeks/dated');
    t.equal(await each.press('Save these days', { from: to, to: from, 'closes-3': '18:00' }), 400);
    t.match(each.text('[role=alert]'), `${from} is before ${to}.`);
    t.equal(each.$('[name=closes-3]').val(), '18:00', 'what was typed stays');
  }
  const closing = { from, to, 'opens-5': '', 'closes-5': '', 'sessions-5': [] };
  t.equal(await ada.press('Save these days', closing), 409);
  t.match(
    ada.text('label.tick'),
    `Jon’s own week still has Friday (1:00 PM) from ${from} to ${to}.`,
  );
  await ada.press('Save these days', { also: ada.$('[name=also]').val() as string });
  t.match(ada.text('[role=status]'), 'Saved.');
  t.match(ada.texts('.closures > li'), [
    new RegExp(`^The studio from ${from} to ${to}.*Wednesday: 09:00 to 18:00.*Friday: closed`, 's'),
    new RegExp(`^Jon from ${from} to ${to}.*Friday: does not work`, 's'),
  ]);
  const { hours } = (await context.board.read()).calendar.artists[0]!;
  t.match(hours[0], { weekday: 3, from_date: from, closes: '18:00' });

  const later = { from, to, 'closes-3': '19:00' };
  t.equal(await grace.press('Save these days', later), 409, 'it has them meanwhile');
  t.match(grace.text('[role=alert]'), 'The week has changed since');
  t.equal(await ada.press('Remove the week'), 409, 'asks of Jon, who would not work on Fridays');
  t.match(ada.text('label.tick'), 'Jon’s own week does not have Friday (1:00 PM)');
  t.equal(ada.$('[name^=usual-]:checked').length, 7);
  await ada.follow('Back');
  t.match(ada.texts('.closures > li')[0], /Friday: closed/, 'nothing was removed');
  await ada.follow(`The studio from ${from} to ${to}`);
  t.equal(await ada.press('Save these days', { 'usual-5': 'on' }), 409, 'asks of Jon again');
  await ada.press('Save these days');
  t.match(ada.texts('.closures > li')[0], /^(?!.*Friday).*Wednesday/s, 'as every week again');
  await ada.press('Remove the week');
  t.match(ada.texts('.closures > li'), [/^Jon from/]);
  await ada.press('Remove the week');
  t.match(ada.text('main'), 'None from today on.');
  await leaveOneArtist(context);
});

t.test('a week that is saved as it was changes nothing', async (t) => {
  const ada = await signedIn(service);
  const before = await newestActions(service, 1);
  await ada.follow('Hours');
  await ada.press('Save the week');
  t.match(ada.text('main'), 'Nothing was changed.');
  t.strictSame(await newestActions(service, 1), before);
});

t.test('bookings that the new week leaves outside are listed with links', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot!.date, slot!.timeSlot);
  const ada = await signedIn(service);
  await ada.follow('Hours');
  await ada.press('Save the week', { [`off-${weekdayOf(slot!.date)}`]: 'on' });
  t.match(ada.texts('h2'), ['Bookings outside these sessions', 'Closures', 'Opened days']);
  t.equal(ada.$(`main a[href="/console/bookings/${booking.id}"]`).length, 1);
  await cancelByStudio(context, 'test', booking.id);
});

t.test('tomorrow is closed in two presses, and the dashboard shows it', async (t) => {
  const [ada, person] = [await signedIn(service), visitor(service)];
  const before = ada.presses;
  await ada.follow(ada.text(`main a[href="${closePath}"]`));
  await ada.press('Close');
  t.equal(ada.presses - before, 2);
  const done = 'Closed. These sessions can no longer be booked.';
  t.equal(ada.text('[role=status]'), done);
  t.match(await readClosures(context, { past: false }), [
    { from_date: tomorrow, to_date: tomorrow, time_slot: null, reason: '' },
  ]);
  const [entry] = await newestActions(service, 1);
  t.match(entry, { actor: /^Ada/, action: 'closures add', details: { from_date: tomorrow } });
  const timesToBook = async () => {
    await person.open('/');
    return person.$(`a[href*="${tomorrow}"]`).length;
  };
  t.equal(await timesToBook(), 0);

  await ada.press('Remove the closure');
  t.match(
    ada.text('[role=status]'),
    'The closure is removed. Sessions that only it closed can be booked again.',
  );
  t.not(await timesToBook(), 0);
});

t.test('a day outside the week is opened in two presses, and the dashboard shows it', async (t) => {
  await changeWeek(context, 'test', { weekdays: [weekdayOf(tomorrow)], hours: null });
  await context.board.refresh();
  const [ada, grace, person] = [
    await signedIn(service),
    await signedIn(service, 'Grace'),
    visitor(service),
  ];
  const timesToBook = async () => {
    await person.open('/');
    return person.$(`a[href*="${tomorrow}"]`).length;
  };
  t.equal(await timesToBook(), 0);
  const openPath = `/console/openings/new?date=${tomorrow}`;
  t.equal(ada.$('a[href^="/console/openings/new"]').length, 1, 'only where a session is missing');
  const before = ada.presses;
  await ada.follow(ada.text(`main a[href="${openPath}"]`));
  await ada.press('Open', { sessions: ['9:00 AM', '1:00 PM'] });
  t.equal(ada.presses - before, 2);
  t.equal(ada.text('[role=status]'), 'Opened. People can book these sessions.');
  t.match(ada.text('.closures'), '· 9:00 AM, 1:00 PMClose again');
  t.equal(await timesToBook(), 2);
  const details = { date: tomorrow, sessions: ['9:00 AM', '1:00 PM'] };
  const [entry] = await newestActions(service, 1);
  t.match(entry, { actor: /^Ada/, action: 'openings add', details });

  await grace.open(weekPath);
  const { booking } = await hold(context, tomorrow, '9:00 AM');
  const evening = {
    fromDate: tomorrow,
    toDate: tomorrow,
    timeSlot: '5:00 PM' as const,
    reason: '',
  };
  await addClosure(context, 'test', evening);
  await ada.open(openPath);
  await ada.press('Open', { sessions: '5:00 PM' });
  const stays = 'Opened, but a closure or a busy calendar keeps some of these sessions closed.';
  t.equal(ada.text('[role=status]'), stays);
  t.match(ada.text('main'), '· 9:00 AM, 1:00 PM, 5:00 PM (closed)Close again');

  await grace.press('Remove the opening');
  t.match(grace.text('[role=status]'), 'The opening is removed. Bookings that exist stay.');
  t.match(grace.text('main'), '· 5:00 PM (closed)Close again', 'what the page showed is removed');
  t.match(grace.texts('h2'), ['Bookings outside these sessions', 'Closures', 'Opened days']);
  t.equal(grace.$(`main a[href="/console/bookings/${booking.id}"]`).length, 1);
  t.equal(await timesToBook(), 0);
  t.equal((await readBooking(context, booking.id)).status, 'pending');
});

t.test('one session is closed, once; the audit has no free text', async (t) => {
  const ada = await signedIn(service);
  for (const sentence of ['Closed. These sessions', 'These dates are closed already.']) {
    await ada.open(closePath);
    await ada.press('Close', { time_slot: '9:00 AM', reason: 'Dentist' });
    t.match(ada.text('main'), sentence);
  }
  const closures = await readClosures(context, { past: false });
  t.match(closures, [{ time_slot: '9:00 AM', reason: 'Dentist' }]);
  t.equal(closures.length, 1);
  t.notMatch(JSON.stringify(await newestActions(service, 1)), 'Dentist');
});

t.test('a booking that the form did not show is asked about, and not cancelled', async (t) => {
  const first = (await hold(context, tomorrow, '5:00 PM')).booking.id;
  const ada = await signedIn(service);
  await ada.open(closePath);
  t.match(ada.text('.there'), 'A booking is on these dates');
  const second = (await hold(context, tomorrow, '1:00 PM')).booking.id;
  await ada.press('Close', { [`choice-${first}`]: 'cancel 0', reason: 'Flood' });
  t.match(ada.text('main'), /that the form did not show.*2 bookings are on these dates/);
  t.equal(ada.$('[name=reason]').val(), 'Flood');
  t.equal(ada.$(`[name="choice-${first}"]:checked`).val(), 'cancel 0', 'what was chosen stays');
  t.strictSame(await readClosures(context, { past: false }), []);
  for (const id of [first, second]) t.equal((await readBooking(context, id)).status, 'pending');

  await ada.press('Cancel', { to: '2026-01-01', word: 'x'.repeat(1_001) });
  t.match(ada.text('main'), /The last date comes before the first.*It can have at most/);
  t.equal(ada.$('.there').length, 0);
  t.equal(await ada.press('Close', { to: '', word: '' }), 409, 'what is not shown decides nothing');
  await ada.press('Close');
  t.match(ada.text('h2'), 'Moved or cancelled with the closure');
  for (const id of [first, second]) {
    t.equal((await readBooking(context, id)).status, 'cancelled');
    t.equal(ada.$(`main a[href="/console/bookings/${id}"]`).length, 1);
  }
});
