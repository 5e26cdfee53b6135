import t, { type Test } from 'tap';
import { busyWords } from '../../src/console/calendars/words.js';
import { sections } from '../../src/console/console-page.js';
import { linkToMove } from '../../src/console/links.js';
import { addCalendarFeed, maxFeeds } from '../../src/domain/studio/calendar-feeds.js';
import { maxWatchedCalendars } from '../../src/domain/studio/watched-calendars.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { slotKey, type Slot } from '../../src/schedule/slots.js';
import { addArtists } from '../support/artists.js';
import { insertCalendar, servesCalendar } from '../support/busy-calendars.js';
import { addPerson, newestActions, signedIn } from '../support/console.js';
import { answer, startReceiver, type Behaviour } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';
import { anyHost, busyDuring } from '../support/watched-calendars.js';

const service = await startService(t, { ...generous, ...anyHost });
const { context } = service;
const { database } = context;
const path = '/console/calendars';
const secret = 'only-the-owner-knows';

t.beforeEach(async () => {
  await database.deleteFrom('watched_calendars').execute();
  await database.deleteFrom('calendar_feeds').execute();
});

/** Fails the test if the address on show, a page, the log or the audit has one of these texts. */
async function expectSecret(t: Test, person: Visitor, ...secrets: string[]): Promise<void> {
  const shown = [
    person.path,
    service.logLines.join(''),
    JSON.stringify(await listAuditRows(database, 1_000)),
  ];
  for (const { path } of Object.values(sections)) {
    await person.open(path);
    shown.push(person.answer.body);
  }
  for (const secret of secrets) {
    t.not(secret, '');
    t.notOk(
      shown.some((text) => text.includes(secret)),
      secret,
    );
  }
}

/** The response of a calendar that is busy during a session. */
function busyIn(slot: Slot): Behaviour {
  return servesCalendar(busyDuring(slot));
}

/** A calendar that is busy during the first of two open slots, and a person on the page Calendars. */
async function start(t: Test) {
  const [busy, free] = await someOpenSlots(context, 2);
  const receiver = await startReceiver(busyIn(busy));
  t.teardown(() => receiver.close());
  const ada = await signedIn(service);
  await ada.follow('Calendars');
  const address = `${receiver.origin}/${secret}/basic.ics?key=${secret}`;
  const watch = () => ada.press('Watch this calendar', { address, label: 'Phone' });
  return { ada, receiver, address, watch, busy, free };
}

/** What the card of a slot says on the page of its day, and in the week. */
async function cardOf(person: Visitor, slot: Slot): Promise<{ day: string; week: string }> {
  await person.open(`/console?date=${slot.date}`);
  const key = slotKey(slot);
  const [day, week] = [`.slots [data-key="${key}"]`, `[data-key="week ${key}"]`];
  return { day: person.text(day), week: person.text(week) };
}

t.test('a calendar that is watched in two presses closes its slot', async (t) => {
  const { ada, watch, busy, free } = await start(t);
  const grace = await signedIn(service, 'Grace');
  await watch();
  await grace.follow('Calendars');
  t.equal(ada.presses, 3, 'one of them signs in');
  t.match(ada.path, /\?done=watched&calendar=[0-9a-f-]{36}$/);
  t.equal(ada.text('[role=status]'), 'Phone is watched and was read: 1 busy time to come.');
  t.match(ada.text('.watched'), /Phone\s*127\.0\.0\.1\s*Read .*1 busy time/);
  t.notMatch((await cardOf(ada, free)).day, /busy/);
  t.match(await cardOf(ada, busy), { day: 'busy in your calendar', week: 'busy' });
  await ada.follow(`Add a booking at ${busy.timeSlot}`);
  t.match(ada.text('main'), 'Your calendar is busy then: only you can book it.');

  await ada.follow('Calendars');
  await ada.press('Stop watching Phone');
  t.match(ada.text('[role=status]'), 'No longer watched.');
  await grace.press('Read it now: Phone');
  t.match(grace.text('[role=alert]'), 'no longer watched');
  t.match(await cardOf(ada, busy), { day: 'open' });
  const actions = (await newestActions(service, 2)).map(({ action }) => action);
  t.strictSame(actions, ['calendar watch remove', 'calendar watch add']);
});

t.test('a busy time over a booking is a conflict wherever the booking is shown', async (t) => {
  const { ada, receiver, watch, busy, free } = await start(t);
  const { id } = await addPerson(service, busy, { name: 'Grace Hopper' });
  await watch();
  t.match(ada.texts('.conflicts > li'), [/Grace Hopper\s*Phone busy \d+(?: [AP]M)? – \d+ [AP]M/]);
  await ada.follow('Grace Hopper');
  t.equal(ada.path, `/console/bookings/${id}`);
  t.match(ada.text('.facts'), /Your calendar is busy then: Phone, \d/);
  const card = await cardOf(ada, busy);
  t.match(card, { day: /Grace Hopper\s*Your calendar is busy then/, week: 'conflict' });

  receiver.behave(busyIn(free));
  await ada.follow('Calendars');
  await ada.press('Read it now: Phone');
  t.match(ada.text('[role=status]'), 'Phone was read: 1 busy time to come.');
  t.equal(ada.$('.conflicts').length, 0);
  t.notMatch((await cardOf(ada, busy)).day, /busy/);
  await ada.open(linkToMove(id, free));
  t.match(ada.text('.warned'), 'Your calendar is busy then: only you');
  await ada.press('Move to this time');
  t.equal(ada.text('[role=status]'), 'Moved. Your calendar is busy then. They get no mail.');
  t.match(ada.text('.facts'), 'Your calendar is busy then: Phone');
});

t.test('a failing calendar says why, and keeps what it closes and its secrets', async (t) => {
  const { ada, receiver, address, watch, busy } = await start(t);
  await watch();
  await ada.press('Watch this calendar', { address: address.replace(/^http:/, 'HTTP:') });
  t.match(ada.text('[role=alert]'), 'is watched already, as Phone.');
  t.notMatch(ada.answer.body, secret, 'a form with an address that is known');
  receiver.behave(answer(404));
  await ada.press('Read it now: Phone');
  t.match(ada.text('[role=alert]'), /^Phone could not be read\. .*\(404\)/);
  t.match(ada.text('.watched'), /Failing since.*\(404\).*1 busy time/);
  t.match(await cardOf(ada, busy), { day: 'busy in your calendar' });
  await expectSecret(t, ada, secret, 'What the event says');
});

t.test(
  'a calendar that cannot be read is watched only if that is wanted, and in part as far as it can',
  async (t) => {
    const { ada, receiver, watch, address } = await start(t);
    receiver.behave(answer(404));
    await watch();
    t.match(ada.text('[role=alert]'), 'No calendar was added.');
    t.match(ada.text('#watch-address-mistake'), '(404)');
    t.equal(ada.$('.watched').length, 0);
    await ada.press('Watch this calendar', { address, label: 'Phone', anyway: 'yes' });
    t.match(ada.text('[role=alert]'), /^Phone is watched, but could not be read\. /);
    t.match(
      ada.text('.watched'),
      /It has never been read; it closes nothing\.\s*There is no calendar/,
    );
    const event = `BEGIN:VEVENT\r\nDTSTART:20261131T100000Z\r\nSUMMARY:${secret}\r\nEND:VEVENT`;
    receiver.behave(answer(200, {}, `BEGIN:VCALENDAR\r\n${event}\r\nEND:VCALENDAR\r\n`));
    await ada.press('Read it now: Phone');
    t.match(ada.text('.watched'), /Read in part\s*Cannot be read: line 3 \(a date or time\)\./);
    await expectSecret(t, ada, secret);
  },
);

async function read(address: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await service.app.inject({ url: new URL(address).pathname });
  return { status: statusCode, text: body };
}

/** The address of a feed that the page shows once. */
function shownAddress(person: Visitor): { address: string; token: string } {
  const address = String(person.$('.new-address input').val());
  return { address, token: /\/calendar\/(tsf_\w+)\.ics$/.exec(address)?.[1] ?? '' };
}

t.test('an address is made in two presses, shows the bookings, and is shown once', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  await addPerson(service, slot, { name: 'Grace Hopper', phone: '5035550142' });
  const ada = await signedIn(service);
  await ada.follow('Calendars');
  await ada.press('Make the address', { label: 'Phone', details: 'yes' });
  t.equal(ada.presses, 3, 'one of them signs in');
  const { address, token } = shownAddress(ada);
  t.match(ada.text('.new-address'), /not shown again.*Anyone who has it can read/);
  const link = ada.$('.new-address a:contains("Subscribe on this device")').attr('href');
  t.equal(link, address.replace('http:', 'webcal:'));
  t.match(await read(address), { status: 200, text: /^BEGIN:VCALENDAR[^]*Grace Hopper/ });
  await expectSecret(t, ada, token);
  await ada.open(path);
  t.match(ada.text('.feeds'), /Phone\s*Names and phone numbers\s*created/);
  t.match(await newestActions(service, 1), [{ actor: /^Ada/, action: 'calendar feed add' }]);

  await ada.press('Make the address', { label: 'Tablet' });
  const initials = await read(shownAddress(ada).address);
  t.match(initials.text, /G\. ?H\./);
  t.notMatch(initials.text, /Grace|Hopper|555/);
});

t.test('an address that is replaced or removed is gone at once', async (t) => {
  const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];
  await ada.follow('Calendars');
  await ada.press('Make the address', { label: 'Phone' });
  const first = shownAddress(ada);
  for (const each of [ada, grace]) await each.open(path);
  t.match(ada.text('.feeds details'), 'stops at once');
  await ada.press('Replace the address of Phone');
  const second = shownAddress(ada);
  t.not(second.address, first.address);
  t.match(
    [await read(first.address), await read(second.address)],
    [{ status: 404 }, { status: 200 }],
  );
  await expectSecret(t, ada, second.token);

  // What follows the form, opened again, replaces nothing.
  await ada.open(`${path}/feeds`);
  t.equal(ada.path, path);
  await ada.press('Remove the address of Phone');
  t.equal(ada.path, `${path}?done=removed`);
  t.equal((await read(second.address)).status, 404);
  await grace.press('Replace the address of Phone');
  t.match(grace.text('[role=alert]'), 'had been removed before');
  const actions = (await newestActions(service, 2)).map(({ action }) => action);
  t.strictSame(actions, ['calendar feed remove', 'calendar feed rotate']);
});

t.test('calendars and feeds have limits, which are said above the form', async (t) => {
  const ada = await signedIn(service);
  const feed = { label: 'Phone', hasDetails: false };
  for (let count = 1; count < maxFeeds; count += 1) await addCalendarFeed(context, 'test', feed);
  for (let count = 1; count < maxWatchedCalendars; count += 1) await insertCalendar(context);
  for (const [button, fields, limit] of [
    ['Watch this calendar', { address: 'http://127.0.0.1/a.ics' }, '10 watched calendars'],
    ['Make the address', { label: 'Phone' }, '20 feeds'],
  ] as const) {
    await ada.open(path);
    if (button === 'Make the address') await addCalendarFeed(context, 'test', feed);
    else await insertCalendar(context);
    t.equal(await ada.press(button, fields), 400);
    t.equal(ada.text('[role=alert]'), `There are ${limit} already: remove one first.`);
    t.equal(ada.$('.mistake').length, 0);
  }
});

t.test('a busy time names its dates only where it leaves the date of the session', async (t) => {
  const session = { date: '2027-03-14', timezone: 'America/Los_Angeles' };
  for (const [startsAt, endsAt, expected] of [
    ['2027-03-14T14:00-07:00', '2027-03-14T16:00-07:00', '2 – 4 PM'],
    ['2027-03-14T11:30-07:00', '2027-03-14T13:00-07:00', '11:30 AM – 1 PM'],
    ['2027-03-14T20:00-07:00', '2027-03-15T00:00-07:00', 'Mar 14, 8 PM – Mar 15, 12 AM'],
    ['2027-03-13T22:00-08:00', '2027-03-14T10:00-07:00', 'Mar 13, 10 PM – Mar 14, 10 AM'],
    // The clocks go forward: the day has 23 hours.
    ['2027-03-14T00:00-08:00', '2027-03-15T00:00-07:00', 'all day'],
    ['2027-03-13T00:00-08:00', '2027-03-16T00:00-07:00', 'Mar 13 – 15, all day'],
    ['2027-03-15T00:00-07:00', '2027-03-16T00:00-07:00', 'Mar 15, all day'],
  ] as const) {
    const interval = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
    t.equal(busyWords(interval, session), expected);
  }
});

// The last one: from here on the studio has several artists.
t.test('a calendar and an address may be of one artist, which the lists say', async (t) => {
  const { ada, address, busy } = await start(t);
  t.equal(ada.$('[name=artist]').length, 0, 'one artist is not chosen');
  const [mara, jon] = (await addArtists(context, 2)).map(({ id }) => id);
  const artist = 'jon';
  await ada.open(path);
  await ada.press('Make the address', { label: '', artist });
  t.equal(ada.$('#feed-artist').val(), artist, 'what was chosen stays');
  await ada.press('Make the address', { label: 'Phone', artist });
  await ada.press('Make the address', { label: 'Desk' });
  t.match(ada.texts('.feeds > li'), [/^Desk.*only · everybody/, /^Phone.*only · Jon/]);
  await ada.press('Watch this calendar', { address: 'mine', artist });
  t.equal(ada.$('#watch-artist').val(), artist);
  await addPerson(service, { ...busy, artistId: mara! }, { name: 'Ida' });
  await addPerson(service, { ...busy, artistId: jon! }, { name: 'Cora' });
  await ada.press('Watch this calendar', { address, label: 'Private', artist });
  t.match(ada.texts('.watched > li'), [/^Private · Jon/]);
  t.match(ada.texts('.conflicts > li'), [/with Jon\s*Cora\s*Private busy/], 'and not Mara’s');
  t.equal(await ada.press('Make the address', { label: 'X', artist: 'nobody' }), 400);
});
