import t from 'tap';
import { addClosure } from '../../src/domain/closures.js';
import { readBacklog } from '../../src/domain/backlog.js';
import { lockUndispatchedEvents, markDispatched } from '../../src/repositories/events.js';
import { hold } from '../support/board.js';
import { someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

const dayMs = 86_400_000;

t.test('every instant that is stored or compared comes from the database clock', async (t) => {
  const { context, shiftClock } = await startTestService(t);
  await shiftClock(3 * dayMs);
  const isNow = (instant: Date | null | undefined) =>
    Math.abs((instant?.getTime() ?? 0) - context.clock.now()) < dayMs;

  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot!.date, slot!.timeSlot);
  t.ok(isNow(booking.created_at));
  const { oldestSeconds } = await readBacklog(context);
  t.ok(oldestSeconds >= 0 && oldestSeconds < 3_600, `the event is ${oldestSeconds} s old`);

  const closure = { fromDate: slot!.date, toDate: slot!.date, timeSlot: null, reason: '' };
  await addClosure(context, 'ada@desk', closure, { cancelBookings: false });
  const closed = await context.database.selectFrom('closures').selectAll().execute();
  t.ok(isNow(closed[0]?.created_at), 'of a closure');

  await context.database.transaction().execute(async (transaction) => {
    const events = await lockUndispatchedEvents(transaction);
    await markDispatched(
      transaction,
      events.map(({ id }) => ({ id, webhookBody: null })),
    );
  });
  const events = await context.database.selectFrom('events').selectAll().execute();
  t.equal(events.length, 2);
  for (const event of events) {
    t.ok(isNow(event.occurred_at), `of ${event.type}`);
    t.ok(isNow(event.dispatched_at), `of the dispatch of ${event.type}`);
  }
});
