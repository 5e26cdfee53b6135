import t from 'tap';
import type { Context } from '../../src/context.js';
import { moveByStudio } from '../../src/domain/studio/bookings.js';
import { findNewConflicts } from '../../src/domain/studio/calendar-fetches.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { listConflicts, recordConflicts } from '../../src/domain/studio/conflicts.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { isAnyCalendarBusy } from '../../src/repositories/calendar-fetches.js';
import { insertConflicts } from '../../src/repositories/conflicts.js';
import { readStudio } from '../../src/repositories/studio-settings.js';
import { addDays } from '../../src/schedule/dates.js';
import { slotStartsAt, todayInZone, type Slot } from '../../src/schedule/slots.js';
import { addArtists } from '../support/artists.js';
import { bookingRow, eventTypesOf } from '../support/bookings.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { confirmCheckout } from '../support/checkouts.js';
import { stopDatabaseClock } from '../support/clock.js';
import { addPerson } from '../support/console.js';
import { hold } from '../support/holds.js';
import { startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@front-desk';
const hourMs = 3_600_000;

const { context } = await startService(t);
const neighbour = await startNeighbour(t, context);
const { timezone } = await readStudio(context.database);
const date = addDays(todayInZone(timezone, context.clock.now()), 3);
const slot = (timeSlot: Slot['timeSlot'], days = 0): Slot => ({
  date: addDays(date, days),
  timeSlot,
});
const startOf = (of: Slot) => slotStartsAt(timezone, of.date, of.timeSlot).epochMs;
let calendarId = '';
t.beforeEach(async () => {
  await startOver(context, neighbour);
  // All three sessions each day, until 20:00.
  await changeWeek(context, actor, {
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    hours: { opens: '09:00', closes: '20:00' },
    sessions: ['9:00 AM', '1:00 PM', '5:00 PM'],
  });
  calendarId = await insertCalendar(context);
});

const add = (slot: Slot) => addPerson({ context }, slot);

function record({ database }: Context = context): Promise<number> {
  return database.transaction().execute(recordConflicts);
}

/** The events of conflicts of a booking. */
async function conflictsOf(id: string): Promise<number> {
  return (await eventTypesOf(context, id)).filter((type) => type === 'booking.conflict').length;
}

t.test(
  'a busy event over a confirmed booking leaves it alone, is listed, and is an event once, however often and whence it is found',
  async (t) => {
    const one = slot('1:00 PM');
    const { id } = await add(one);
    t.equal(await record(), 0);
    t.strictSame(await listConflicts(context), []);
    const before = await bookingRow(context, id);
    const at = startOf(one);
    await setBusy(context, calendarId, [at - hourMs, at + 60_000], [at + hourMs, at + 2 * hourMs]);
    t.equal(await record(), 1);
    t.equal(await record(), 0);
    t.strictSame(await bookingRow(context, id), before);
    t.match(await listConflicts(context), [
      {
        booking: { id },
        busy: [
          { calendarId, label: 'Phone', startsAt: new Date(at - hourMs) },
          { calendarId, endsAt: new Date(at + 2 * hourMs) },
        ],
      },
    ]);

    await setBusy(context, calendarId);
    t.strictSame(await listConflicts(context), [], 'what has vanished is not listed');
    t.equal(await record(), 0);
    await setBusy(context, calendarId, [at, at + hourMs]);
    t.equal((await listConflicts(context)).length, 1);
    t.equal(await record(), 0, 'and when it comes back, it is known');
    const events = context.database.selectFrom('events').select(['data', 'booking_id']);
    const { data, booking_id } = await events
      .where('type', '=', 'booking.conflict')
      .executeTakeFirstOrThrow();
    const { date, timeSlot: time_slot } = one;
    t.equal(booking_id, id);
    t.match(data, { id, status: 'confirmed', date, time_slot, sequence: before.sequence });
    t.notMatch(JSON.stringify(data), /Grace|Phone/);
  },
);

t.test('after a move to another busy slot, it is a conflict again', async (t) => {
  const [one, two] = [slot('1:00 PM'), slot('1:00 PM', 1)];
  const { id } = await add(one);
  await setBusy(context, calendarId, [startOf(one), startOf(two) + hourMs]);
  t.equal(await record(), 1);
  t.match(await moveByStudio(context, actor, id, two), { outcome: 'moved' });
  t.equal(await record(), 1);
  t.equal(await record(), 0);
  t.match(await listConflicts(context), [{ booking: { id, date: two.date } }]);
  t.equal(await conflictsOf(id), 2);
});

t.test('a hold is no conflict until it is confirmed, and a cancelled booking none', async (t) => {
  const held = slot('9:00 AM');
  const { booking, token } = await hold(context, held.date, held.timeSlot);
  await setBusy(context, calendarId, [startOf(held), startOf(held) + hourMs]);
  t.equal(await record(), 0);
  t.strictSame(await listConflicts(context), []);
  await confirmCheckout(context, token);
  t.equal(await record(), 1);
  t.equal((await listConflicts(context)).length, 1);
  await cancelByStudio(context, actor, booking.id, {});
  t.strictSame(await listConflicts(context), []);

  const other = await add(held);
  await cancelByStudio(context, actor, other.id, {});
  t.equal(await record(), 0);
});

t.test(
  'a conflict is listed until the session is over, and found until it begins, to the millisecond',
  async (t) => {
    // Until the studio closes, three hours later.
    const last = slot('5:00 PM');
    const booking = await add(last);
    await setBusy(context, calendarId, [startOf(last) - hourMs, startOf(last) + 1]);
    const listedAt = async (at: number) => {
      await stopDatabaseClock(context.database, at);
      return (await listConflicts(context)).length;
    };
    await stopDatabaseClock(context.database, startOf(last));
    t.equal(await record(), 0, 'it has begun');
    const transaction = context.database.transaction();
    const late = transaction.execute((each) => insertConflicts(each, [booking]));
    t.equal(await late, 0, 'also one that was found a moment earlier');
    await stopDatabaseClock(context.database, startOf(last) - 1);
    t.equal(await record(), 1);
    t.equal(await listedAt(startOf(last) + 3 * hourMs - 1), 1);
    t.equal(await listedAt(startOf(last) + 3 * hourMs), 0);
  },
);

t.test(
  'an event before the start or from the end on is none; the end follows the opening hours and the zone of the booking',
  async (t) => {
    const [early, last] = [slot('9:00 AM'), slot('5:00 PM')];
    const ids = [await add(last), await add(early)].map(({ id }) => id).reverse();
    const isConflict = async (...busy: [number, number]) => {
      await setBusy(context, calendarId, busy);
      const conflicts = (await listConflicts(context)).filter(({ busy: all }) => all.length > 0);
      return conflicts.map(({ booking }) => ids.indexOf(booking.id));
    };
    const [begin, late] = [startOf(early), startOf(last)];
    t.strictSame(await isConflict(begin - hourMs, begin), []);
    t.strictSame(await isConflict(begin - hourMs, begin + 1), [0]);
    t.strictSame(await isConflict(begin, late + 1), [0, 1], 'by their starts');
    t.strictSame(await isConflict(begin + 4 * hourMs, begin + 5 * hourMs), []);
    t.strictSame(await isConflict(begin + 4 * hourMs - 1, begin + 5 * hourMs), [0]);
    t.strictSame(await isConflict(late + 3 * hourMs, late + 5 * hourMs), [], 'it has closed');
    t.equal(await record(), 0);
    t.strictSame(await isConflict(late + 3 * hourMs - 1, late + 5 * hourMs), [1]);
    t.equal(await record(), 1);

    // In the new zone, where it is hours later, the session would go beyond the closing time.
    await changeStudio(context, actor, { timezone: 'America/New_York' });
    t.strictSame(await isConflict(begin + 4 * hourMs - 1, begin + 5 * hourMs), [0]);
    t.strictSame(await isConflict(late + 3 * hourMs, late + 5 * hourMs), []);
    await changeStudio(context, actor, { timezone });
  },
);

t.test(
  'a conflict that is being recorded is left to the other transaction, also where that fails',
  async (t) => {
    const one = slot('1:00 PM');
    const { id } = await add(one);
    await setBusy(context, calendarId, [startOf(one), startOf(one) + hourMs]);
    const failing = context.database.transaction().execute(async (transaction) => {
      t.equal(await recordConflicts(transaction), 1);
      t.equal(await record(neighbour), 0, 'and nobody waits');
      throw new Error('rolled back');
    });
    await t.rejects(failing, /rolled back/);
    t.equal(await record(neighbour), 1);
    t.equal(await conflictsOf(id), 1);
  },
);

t.test('new conflicts are looked for only while a calendar is busy', async (t) => {
  const last = slot('5:00 PM');
  const { id } = await add(last);
  await findNewConflicts(context);
  await setBusy(context, calendarId, [startOf(last) - 2 * hourMs, startOf(last) + hourMs]);
  t.equal(await isAnyCalendarBusy(context.database), true);
  await findNewConflicts(context);
  t.equal(await conflictsOf(id), 1);
  await stopDatabaseClock(context.database, startOf(last) + hourMs);
  t.equal(await isAnyCalendarBusy(context.database), false, 'it is over');
});

t.test('a calendar of an artist is in conflict with their sessions alone', async (t) => {
  const [mara, jon] = await addArtists(context, 2);
  await context.database.updateTable('watched_calendars').set({ artist_id: jon!.id }).execute();
  const one = slot('1:00 PM');
  await addPerson({ context }, { ...one, artistId: mara!.id });
  await setBusy(context, calendarId, [startOf(one), startOf(one) + hourMs]);
  t.equal(await record(), 0);
  const { id } = await addPerson({ context }, { ...one, artistId: jon!.id });
  t.equal(await record(), 1);
  t.match(await listConflicts(context), [{ booking: { id, artist_name: 'Jon' } }]);
});
