import t from 'tap';
import type { Context } from '../../src/context.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import { changesBetween, listRecentChanges } from '../../src/domain/booking/recent-changes.js';
import { readBookingRecord } from '../../src/domain/studio/booking-record.js';
import { addBooking, moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { recordNoShow } from '../../src/domain/studio/no-show.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { readStudio } from '../../src/repositories/studio-settings.js';
import { addDays } from '../../src/schedule/dates.js';
import { slotStartsAt, timeSlots, todayInZone, type Slot } from '../../src/schedule/slots.js';
import { queriedState } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { failCalendar, insertCalendar } from '../support/busy-calendars.js';
import { stopDatabaseClock } from '../support/clock.js';
import { addPerson } from '../support/console.js';
import { close, hold } from '../support/holds.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@front-desk';
const hourMs = 3_600_000;
const everyDay = [1, 2, 3, 4, 5, 6, 7];

const { context } = await startService(t);
const { timezone } = await readStudio(context.database);
const date = addDays(todayInZone(timezone, context.clock.now()), 2);
const startOf = (slot: Slot) => slotStartsAt(timezone, slot.date, slot.timeSlot).epochMs;
t.beforeEach(async () => {
  await startOver(context);
  // All three sessions each day, until 20:00.
  await changeStudio(context, actor, { timezone });
  const hours = { opens: '09:00', closes: '20:00' };
  await changeWeek(context, actor, { weekdays: everyDay, hours, sessions: [...timeSlots] });
  await context.board.refresh();
});

const add = (slot: Slot, contact = {}) =>
  addPerson({ context }, slot, { name: 'Walk In', ...contact });

/** The context, with other limits. */
const under = (changes: Partial<Context['config']>) => ({
  ...context,
  config: { ...context.config, ...changes },
});

t.test(
  'a running session can be added and moved to until it is over, to the millisecond',
  async (t) => {
    const until: [Slot, number][] = [
      [{ date, timeSlot: '9:00 AM' }, startOf({ date, timeSlot: '1:00 PM' })],
      // Until the studio closes.
      [{ date, timeSlot: '5:00 PM' }, startOf({ date, timeSlot: '5:00 PM' }) + 3 * hourMs],
    ];
    const { id } = await add({ date: addDays(date, 7), timeSlot: '1:00 PM' });
    for (const [slot, endsAt] of until) {
      const adding = () => addBooking(context, actor, slot, { name: 'Walk In' });
      const move = (to: Slot) => moveByStudio(context, actor, id, to);
      await stopDatabaseClock(context.database, endsAt);
      t.match(await adding(), { outcome: 'over' });
      t.match(await move(slot), { outcome: 'over' });
      await stopDatabaseClock(context.database, endsAt - 1);
      t.match(await move(slot), { outcome: 'moved' });
      await move({ date: addDays(date, 7), timeSlot: '1:00 PM' });
      t.match(await adding(), { outcome: 'added' });
    }
  },
);

t.test(
  'notice, horizon, closures and the weekly schedule do not bind the studio; the result says whether the slot is closed or has no session',
  async (t) => {
    const strict = await startNeighbour(t, under({ minNoticeMinutes: 525_600 }));
    const closed = addDays(date, 1);
    await close(context, closed);
    const outside = addDays(date, 400);
    await changeWeek(context, actor, { weekdays: everyDay, sessions: ['1:00 PM', '5:00 PM'] });

    const scheduleOf: [Slot, string][] = [
      [{ date, timeSlot: '1:00 PM' }, 'open'],
      [{ date: closed, timeSlot: '1:00 PM' }, 'closed'],
      [{ date: outside, timeSlot: '9:00 AM' }, 'no_session'],
      [{ date: outside, timeSlot: '1:00 PM' }, 'open'],
    ];
    const parked = { date: addDays(outside, 7), timeSlot: '1:00 PM' } as const;
    const { id } = await add(parked);
    for (const [slot, schedule] of scheduleOf) {
      const move = (to: Slot) => moveByStudio(strict, actor, id, to);
      t.match(await move(slot), { outcome: 'moved', booking: { id }, schedule });
      t.match(await move(slot), { outcome: 'same_slot' });
      await move(parked);
      const adding = () => addBooking(strict, actor, slot, { name: 'Walk In' });
      t.match(await adding(), { outcome: 'added', schedule });
      t.match(await adding(), { outcome: 'taken' });
      t.match(await move(slot), { outcome: 'taken' });
    }
  },
);

t.test('the studio neither moves nor cancels a booking that it saw in another slot', async (t) => {
  const slots = timeSlots.map((timeSlot) => ({ date: addDays(date, 2), timeSlot }));
  const { id, sequence } = await add(slots[0]!);
  await moveByStudio(context, actor, id, slots[1]!, { sequence });
  const changed = { outcome: 'changed', booking: { id, time_slot: slots[1]!.timeSlot } };
  t.match(await moveByStudio(context, actor, id, slots[2]!, { sequence }), changed);
  t.match(await cancelByStudio(context, actor, id, { sequence }), changed);
  t.match(await cancelByStudio(context, actor, id, { sequence: sequence + 1 }), {
    outcome: 'cancelled',
  });
});

t.test(
  'a no-show is neither recorded in a booking that has moved since, nor lost by a move or a cancellation that did not see it',
  async (t) => {
    const slot = { date, timeSlot: '9:00 AM' } as const;
    const { id, sequence } = await add(slot);
    await stopDatabaseClock(context.database, startOf(slot));
    const record = (undo: boolean, seen: number) =>
      recordNoShow(context, actor, id, { undo, sequence: seen });
    t.match(await record(false, sequence + 1), { outcome: 'changed', booking: { id } });
    t.match(await record(false, sequence), { outcome: 'recorded' });
    t.match(await record(false, sequence), { outcome: 'unchanged' });
    t.match(await record(true, sequence + 1), { outcome: 'changed' });

    const stale = { sequence, isMissed: false };
    const later = { date, timeSlot: '1:00 PM' } as const;
    t.match(await moveByStudio(context, actor, id, later, stale), { outcome: 'changed' });
    t.match(await cancelByStudio(context, actor, id, stale), { outcome: 'changed' });
    t.match(await bookingRow(context, id), { no_show_at: Date, status: 'confirmed' });
    const fresh = { sequence, isMissed: true };
    t.match(await moveByStudio(context, actor, id, later, fresh), { outcome: 'moved' });
    t.match(await record(false, sequence), { outcome: 'changed' });
  },
);

t.test('a date that the time zone of the studio skips has no slot', async (t) => {
  const booking = await add({ date, timeSlot: '1:00 PM' });
  await changeStudio(context, actor, { timezone: 'Pacific/Apia' });
  const skipped = { date: '2011-12-30', timeSlot: '1:00 PM' } as const;
  t.match(await addBooking(context, actor, skipped, { name: 'A' }), { outcome: 'no_such_slot' });
  t.match(await moveByStudio(context, actor, booking.id, skipped), { outcome: 'no_such_slot' });
});

t.test('what the studio adds counts towards no cap, and no cap hinders it', async (t) => {
  const capped = under({ maxLiveBookingsPerPerson: 3 });
  const slots = await someOpenSlots(context, 8);
  const person = { email: 'ada@example.com', phone: '5555550142' };
  const holdFor = (slot: Slot) =>
    placeHold(capped, callerNumber(1), holdRequest(slot, person), null);
  for (const slot of slots.slice(0, 3)) await add(slot, person);
  for (const slot of slots.slice(3, 6)) await holdFor(slot);
  await t.rejects(holdFor(slots[6]), { code: 'rate_limited' });
  const walkIn = { name: 'Walk In', ...person };
  t.match(await addBooking(capped, actor, slots[7], walkIn), { outcome: 'added' });
});

t.test(
  'a no-show can be recorded from the start of a confirmed session on, taken back, and is cleared by a move',
  async (t) => {
    const slot = { date, timeSlot: '1:00 PM' } as const;
    const { id, sequence } = await add(slot);
    const record = (undo = false) => recordNoShow(context, actor, id, { undo });
    await stopDatabaseClock(context.database, startOf(slot) - 1);
    t.match(await record(), { outcome: 'not_begun' });
    await stopDatabaseClock(context.database, startOf(slot));
    t.match(await record(true), { outcome: 'unchanged' });
    t.match(await record(), { outcome: 'recorded', booking: { no_show_at: Date, sequence } });
    t.match(await record(), { outcome: 'unchanged' });
    t.match(await record(true), { outcome: 'recorded', booking: { no_show_at: null } });
    await record();
    const movedTo = addDays(date, 7);
    await moveByStudio(context, actor, id, { date: movedTo, timeSlot: '1:00 PM' });
    const moved = { no_show_at: null, status: 'confirmed', date: movedTo } as const;
    t.match(await bookingRow(context, id), moved);
    t.match(await record(), { outcome: 'not_begun' });
    // Newest first; what changes nothing is not recorded.
    t.match(await listAuditRows(context.database, 4), [
      { action: 'bookings move' },
      { action: 'bookings no-show', details: { undone: false } },
      { action: 'bookings no-show', details: { undone: true } },
      { action: 'bookings no-show', details: { undone: false } },
    ]);

    const [open] = await someOpenSlots(context, 1);
    const { booking } = await hold(context, open.date, open.timeSlot);
    const missed = await recordNoShow(context, actor, booking.id, { undo: false });
    t.match(missed, { outcome: 'not_confirmed' });

    const begins = startOf({ date: movedTo, timeSlot: '1:00 PM' });
    await stopDatabaseClock(context.database, begins);
    await record();
    await stopDatabaseClock(context.database, begins + 1);
    await cancelByStudio(context, actor, id);
    t.match((await readBookingRecord(context, id))?.history.slice(-2), [
      { what: 'no-show', actor, isUndone: false },
      { what: 'cancelled', actor, through: null },
    ]);
  },
);

t.test(
  'a session that has begun does not free its slot when the studio moves or cancels it, neither by the board nor by the event log',
  async (t) => {
    const [begun] = await someOpenSlots(context, 1);
    const later = { date: addDays(begun.date, 7), timeSlot: begun.timeSlot };
    const { id } = await add(begun);
    const newest = async () => (await listRecentChanges(context)).slice(0, 2);

    await stopDatabaseClock(context.database, startOf(begun));
    await context.board.refresh();
    const before = await queriedState(context);
    t.match(await moveByStudio(context, actor, id, later), { outcome: 'moved' });
    await context.board.refresh();
    const moved = [{ slot: later, kind: 'taken' }];
    const after = { ...(await queriedState(context)), validFrom: startOf(begun) };
    t.match(changesBetween(before, after), moved);
    t.equal(changesBetween(before, after).length, 1);
    t.match(await newest(), [...moved, { slot: begun, kind: 'taken' }]);

    t.match(await moveByStudio(context, actor, id, begun), { outcome: 'moved' });
    await cancelByStudio(context, actor, id);
    t.match(await newest(), [
      { slot: begun, kind: 'taken' },
      { slot: later, kind: 'freed' },
    ]);
  },
);

t.test(
  'once the studio no longer needs a slot, it is free again unless it is closed',
  async (t) => {
    const [closed, open, other] = await someOpenSlots(context, 3);
    await close(context, closed.date, closed.timeSlot);
    const { id } = await add(closed);
    await context.board.refresh();
    const before = await queriedState(context);
    await moveByStudio(context, actor, id, open);
    await context.board.refresh();
    const moved = await queriedState(context);
    t.match(changesBetween(before, moved), [{ slot: open, kind: 'taken' }]);
    t.match(await listRecentChanges(context), [
      { slot: open, kind: 'taken' },
      { slot: closed, kind: 'taken' },
    ]);
    await moveByStudio(context, actor, id, other);
    await failCalendar(context, await insertCalendar(context));
    const changes = await listRecentChanges(context);
    t.ok(
      changes.every(({ slot }) => slot.date !== undefined),
      'of a failing calendar is none',
    );
    await context.board.refresh();
    t.match(changesBetween(moved, await queriedState(context)), [
      { slot: open, kind: 'freed' },
      { slot: other, kind: 'taken' },
    ]);
  },
);
