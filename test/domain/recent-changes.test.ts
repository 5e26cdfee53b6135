import t from 'tap';
import { addDays } from '../../src/calendar/dates.js';
import { slotStartsAt, type Slot } from '../../src/calendar/slots.js';
import { addClosure } from '../../src/domain/closures.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { changesBetween, listRecentChanges } from '../../src/domain/recent-changes.js';
import { addBooking, moveByStudio } from '../../src/domain/studio-bookings.js';
import { stopDatabaseClock } from '../support/clock.js';
import { queriedState } from '../support/board.js';
import { someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

const actor = 'ada@front-desk';

t.test(
  'a session that has begun does not free its slot when the studio moves or cancels it, neither by the board nor by the event log',
  async (t) => {
    const { context } = await startTestService(t);
    const [begun] = (await someOpenSlots(context, 1)) as [Slot];
    const later = { date: addDays(begun.date, 7), timeSlot: begun.timeSlot };
    const added = await addBooking(context, actor, begun, { name: 'Walk In' });
    if (added.outcome !== 'added') throw new Error(added.outcome);
    const { id, timezone } = added.booking;
    const { epochMs } = slotStartsAt(timezone, begun.date, begun.timeSlot);
    const newest = async (count: number) =>
      (await listRecentChanges(context)).slice(0, count).map(({ slot, kind }) => ({ slot, kind }));

    await stopDatabaseClock(context.database, epochMs);
    await context.board.refresh();
    const before = await queriedState(context);
    t.match(await moveByStudio(context, actor, id, later), { outcome: 'moved' });
    await context.board.refresh();
    const moved = [{ slot: later, kind: 'taken' }];
    t.match(changesBetween(before, await queriedState(context)), moved);
    t.strictSame(await newest(2), [...moved, { slot: begun, kind: 'taken' }]);

    t.match(await moveByStudio(context, actor, id, begun), { outcome: 'moved' });
    await cancelByStudio(context, actor, id);
    t.strictSame(await newest(2), [
      { slot: begun, kind: 'taken' },
      { slot: later, kind: 'freed' },
    ]);
  },
);

t.test('a slot that is closed is not free again once the studio no longer needs it', async (t) => {
  const { context } = await startTestService(t);
  const [closed, open] = (await someOpenSlots(context, 2)) as [Slot, Slot];
  const { date, timeSlot } = closed;
  const closure = { fromDate: date, toDate: date, timeSlot, reason: '' };
  await addClosure(context, actor, closure, { cancelBookings: false });
  const added = await addBooking(context, actor, closed, { name: 'Walk In' });
  if (added.outcome !== 'added') throw new Error(added.outcome);
  await context.board.refresh();
  const before = await queriedState(context);
  await moveByStudio(context, actor, added.booking.id, open);
  await context.board.refresh();
  t.match(changesBetween(before, await queriedState(context)), [{ slot: open, kind: 'taken' }]);
  t.match(await listRecentChanges(context), [
    { slot: open, kind: 'taken' },
    { slot: closed, kind: 'taken' },
  ]);
});
