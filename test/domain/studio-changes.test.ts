import t from 'tap';
import { availabilityOf } from '../../src/board/availability.js';
import { readBooking } from '../../src/domain/booking/public-bookings.js';
import { removeAddress } from '../../src/domain/studio/addresses.js';
import { readBookingHistory } from '../../src/domain/studio/booking-record.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { addClosure, removeClosure } from '../../src/domain/studio/closures.js';
import { listConflicts } from '../../src/domain/studio/conflicts.js';
import { readStudioDays } from '../../src/domain/studio/days.js';
import { changeStudio, readStudioDetails } from '../../src/domain/studio/settings.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { readStudio } from '../../src/repositories/studio-settings.js';
import { readWeek } from '../../src/repositories/weeks.js';
import { addDays } from '../../src/schedule/dates.js';
import { timeSlots } from '../../src/schedule/slots.js';
import { untilBoard } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { confirmCheckout } from '../support/checkouts.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { mailOn } from '../support/codes.js';
import { hold, sessionForPerson } from '../support/holds.js';
import { someOpenSlots, personNumber } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { runAnswering, studioEnvironment, studioOn } from '../support/studio.js';

const actor = 'ada@front-desk';
const service = await startService(t, mailOn);
const { app, context } = service;
const { database } = context;
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const hours = { opens: '09:00', closes: '20:00' };
t.beforeEach(async () => {
  await changeStudio(context, actor, { timezone: 'America/Los_Angeles' });
  const sessions = [...timeSlots];
  await changeWeek(context, actor, { weekdays: [1], hours: null });
  await changeWeek(context, actor, { weekdays: [2, 3, 4, 5, 6], hours, sessions });
  const sunday = { hours: { opens: '12:00', closes: '17:00' }, sessions: ['1:00 PM' as const] };
  await changeWeek(context, actor, { weekdays: [7], ...sunday });
  await startOver(context);
});

async function typesOfEvents(): Promise<string[]> {
  const events = context.database.selectFrom('events').select('type').orderBy('position');
  return (await events.execute()).map(({ type }) => type);
}

/** What a change is announced and written down by. */
async function recorded(): Promise<unknown> {
  return [await typesOfEvents(), await listAuditRows(context.database, 1_000)];
}

t.test('a closure cancels the bookings in it only on request, all in one commit', async (t) => {
  const slots = await someOpenSlots(context, 10);
  const { date } = slots.find(({ timeSlot }) => timeSlot === '9:00 AM')!;
  const held = await hold(context, date, '9:00 AM');
  const confirmed = await hold(context, date, '1:00 PM');
  const elsewhere = await hold(context, date, '5:00 PM');

  const one = { fromDate: date, toDate: date, timeSlot: '1:00 PM' as const, reason: '' };
  const met = await addClosure(context, actor, one);
  t.match(met, { outcome: 'added', met: [{ id: confirmed.booking.id }], decided: [] });
  await confirmCheckout(context, confirmed.token);
  const { status } = await readBooking(context, confirmed.booking.id);
  t.equal(status, 'confirmed', 'also after its slot was closed');
  t.match(await addClosure(context, actor, one, { others: 'cancel' }), { outcome: 'exists' });

  const all = { fromDate: date, toDate: addDays(date, 1), timeSlot: null, reason: '' };
  const cancelling = await addClosure(context, actor, all, { others: 'cancel' });
  const ids = [held.booking.id, confirmed.booking.id, elsewhere.booking.id];
  const cancelled = ids.map((id) => ({ outcome: 'done', booking: { id, status: 'cancelled' } }));
  t.match(cancelling, { met: [], decided: cancelled });
  t.strictSame((await typesOfEvents()).slice(-4), [
    'booking.cancelled',
    'booking.cancelled',
    'booking.cancelled',
    'calendar.changed',
  ]);
  t.match(await listAuditRows(context.database, 1), [
    { actor, action: 'closures add', details: { decided_bookings: ids } },
  ]);
});

t.test(
  'with another time zone, bookings keep their instants and open slots follow the new wall clock, before and after its clock change',
  async (t) => {
    // New York leaves daylight-saving time on 2027-11-07; Phoenix has none.
    const now = Date.parse('2027-10-20T12:00:00Z');
    await shiftDatabaseClock(context.database, now - context.clock.own());
    await context.board.refresh();
    const sessions = ['9:00 AM', '1:00 PM'] as const;
    await changeWeek(context, actor, { weekdays: everyDay, hours, sessions: [...sessions] });
    await changeStudio(context, actor, { timezone: 'America/Phoenix' });
    await untilBoard(context, ({ calendar }) => calendar.timezone === 'America/Phoenix');
    const summer = await hold(context, '2027-11-06', '9:00 AM');
    const winter = await hold(context, '2027-11-08', '9:00 AM');
    await confirmCheckout(context, winter.token);

    const changed = await changeStudio(context, actor, { timezone: 'America/New_York' });
    t.match(changed, { outcome: 'saved', changed: ['timezone'], bookingsInOtherZone: 2 });
    await untilBoard(context, ({ calendar }) => calendar.timezone === 'America/New_York');

    for (const [{ booking }, startsAt] of [
      [summer, '2027-11-06T09:00:00-07:00'],
      [winter, '2027-11-08T09:00:00-07:00'],
    ] as const) {
      const after = await readBooking(context, booking.id);
      t.match(after, { starts_at_text: startsAt, timezone: 'America/Phoenix' });
    }
    const range = { from: '2027-11-06', to: '2027-11-08' };
    const { days } = availabilityOf(await context.board.read(), range);
    t.strictSame(
      days.flatMap(({ slots }) => slots.map(({ starts_at }) => starts_at)),
      ['2027-11-07T09:00:00-05:00', '2027-11-07T13:00:00-05:00'],
      'but for the slots that both overlap',
    );
    const { days: shown } = await readStudioDays(context, { from: '2027-11-06', count: 1 });
    const [, afternoon] = shown[0]!.slots;
    t.match(afternoon, { timeSlot: '1:00 PM', schedule: 'closed', booking: null });
    const booked = { code: 'slot_unavailable', message: /is held at the moment/ };
    await t.rejects(hold(context, '2027-11-06', '1:00 PM'), booked);
    const ids = async () => (await listConflicts(context)).map(({ booking }) => booking.id);
    t.strictSame(await ids(), [winter.booking.id]);
    await confirmCheckout(context, summer.token);
    t.equal((await readBooking(context, summer.booking.id)).status, 'confirmed');
    t.strictSame(await ids(), [summer.booking.id, winter.booking.id]);
    const later = Date.parse('2027-11-09T12:00:00Z') - context.clock.own();
    await shiftDatabaseClock(context.database, later);
    t.match(
      await readStudioDetails(context),
      { bookingsInOtherZone: { length: 0 } },
      'they are over',
    );
    t.strictSame(await ids(), []);
  },
);

t.test('invalid hours and closures are rejected, and nothing is recorded', async (t) => {
  const readAll = async () => [await readWeek(context.database), await recorded()];
  const before = await readAll();
  const refused = [
    { weekdays: [2], hours: { opens: '20:00', closes: '09:00' } },
    { weekdays: [1], hours: { opens: '10:00', closes: '10:00' } },
    { weekdays: [2], hours: { opens: '10:00', closes: '20:00' } },
    { weekdays: [1], sessions: ['1:00 PM'] as const },
    { weekdays: [2, 7], sessions: ['5:00 PM'] as const },
  ];
  for (const change of refused) {
    const problems = [{ problem: String }];
    t.match(await changeWeek(context, actor, change), { outcome: 'refused', problems });
  }
  const unstorable = { fromDate: '2999-06-01', toDate: '2999-06-01', timeSlot: null, reason: '\0' };
  const closing = await addClosure(context, actor, unstorable);
  t.match(closing, { outcome: 'refused', mistakes: { reason: /cannot be stored/ } });
  t.strictSame(await readAll(), before);
});

t.test('hours that exclude a booked session are reported, and the booking stays', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot!.date, slot!.timeSlot);
  const changed = await changeWeek(context, actor, { weekdays: everyDay, hours: null });
  t.match(changed, { outcome: 'saved', bookingsOutside: [{ id: booking.id }] });
  t.equal((await readBooking(context, booking.id)).status, 'pending');
});

t.test('a change without effect is neither announced nor recorded', async (t) => {
  const studio = await readStudio(context.database);
  const recordedBefore = await recorded();
  const { name, timezone } = studio;
  const notices = JSON.stringify(studio.notices);
  const same = await changeStudio(context, actor, { name, timezone, notices });
  t.match(same, { outcome: 'saved', changed: [] });
  t.match(await changeWeek(context, actor, { weekdays: [1], hours: null }), { outcome: 'saved' });
  const unknown = '00000000-0000-4000-8000-000000000000';
  t.equal(await removeClosure(context, actor, unknown), null);
  t.match(await cancelByStudio(context, actor, unknown), { outcome: 'not_found' });
  t.strictSame(await recorded(), recordedBefore);
});

/** Two booked sessions of different days. */
async function bookTwo() {
  const slots = await someOpenSlots(context, 9);
  const kept = await sessionForPerson(service, personNumber(1), slots[0]!);
  const touched = await sessionForPerson(service, personNumber(2), slots[8]!);
  return { kept, touched };
}

t.test('a change is audited without the address, and in the history of each session', async (t) => {
  const { kept, touched } = await bookTwo();
  const from = touched.slot.date;
  const changes = { street: '2 Birch Lane', city: 'Salem' };

  const { sequence } = await bookingRow(context, touched.id);
  const listed = (id: string, seen: number) => ({ from, listed: [{ id, sequence: seen }] });
  for (const stale of [listed(kept.id, sequence), listed(touched.id, sequence - 1)]) {
    const refused = await changeStudio(context, actor, changes, {}, stale);
    t.match(refused, { outcome: 'touches', touched: [{ id: touched.id }] });
  }
  const changed = listed(touched.id, sequence);
  t.match(await changeStudio(context, actor, changes, {}, changed), { outcome: 'saved' });
  t.match(await listAuditRows(database, 1), [
    {
      actor,
      action: 'info set',
      details: { changed: ['street', 'city'], address_from: from, changed_bookings: [touched.id] },
    },
  ]);
  const rows = await database.selectFrom('audit_log').select('details').execute();
  t.notMatch(JSON.stringify(rows), /Birch|Salem/);
  const history = (id: string) => readBookingHistory(context, id);
  t.match((await history(touched.id)).at(-1), {
    what: 'changed',
    change: 'booking.readdressed',
    actor,
  });
  t.strictSame(
    (await history(kept.id)).map(({ what }) => what),
    ['held', 'confirmed'],
  );
  t.match(await changeStudio(context, actor, changes, {}, { from }), { changed: [] });
  t.match(await removeAddress(context, actor, kept.slot.date), { outcome: 'not_found' });
  const past = { from: '2020-01-01' };
  t.match(await changeStudio(context, actor, { street: 'x' }, {}, past), { outcome: 'past' });
});

t.test('pages announce an address only where it is another one than before', async (t) => {
  const { kept, touched } = await bookTwo();
  const { street } = (await context.board.read()).studio;
  const announced = async () => {
    await context.board.refresh();
    const pages = await Promise.all(['/', '/book'].map((url) => app.inject(url)));
    return pages.map(({ body }) => body.match(/sessions are at [\w ]+/g));
  };
  for (const [from, there] of [
    [kept.slot.date, '2 Birch Lane'],
    [touched.slot.date, street],
  ] as const) {
    await changeStudio(context, actor, { street: there }, {}, { from });
  }
  const both = ['sessions are at 2 Birch Lane', `sessions are at ${street}`];
  t.strictSame(await announced(), [both, both]);
  await removeAddress(context, actor, kept.slot.date);
  t.strictSame(await announced(), [null, null]);
});

t.test('the command lists whom it moves, and mails nobody without a yes', async (t) => {
  const { touched } = await bookTwo();
  const set = ['info', 'set', '--street', '2 Birch Lane', '--address-from', touched.slot.date];
  const sequence = async () => (await bookingRow(context, touched.id)).sequence;
  const before = await sequence();
  const refused = await studioOn(context)(...(set as [string]));
  t.match(refused, { code: 4, stderr: /1 session another address, and mail the people/ });
  t.match(refused.stderr, touched.id.slice(0, 8));
  const environment = studioEnvironment(context);
  t.match(await runAnswering(environment, set, ['n']), { code: 4 });
  t.equal(await sequence(), before);
  t.match(await runAnswering(environment, set, ['y']), { code: 0 });
  t.equal(await sequence(), before + 1);
  const remove = ['info', 'address', 'remove', touched.slot.date];
  const removed = await studioOn(context)(...(remove as [string]), '--mail', 'no');
  t.match(removed, { code: 0, stdout: /without a mail: 1 session/ });
  const moved = database.selectFrom('events').select('data').orderBy('position');
  const events = await moved.where('type', '=', 'booking.readdressed').execute();
  t.match(events.slice(-2), [{ data: { is_quiet: false } }, { data: { is_quiet: true } }]);
});
