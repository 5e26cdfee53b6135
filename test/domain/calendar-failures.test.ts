import t from 'tap';
import { fetchDueCalendars } from '../../src/domain/calendar-fetches.js';
import { recordCalendarFailures } from '../../src/repositories/calendar-fetches.js';
import { hasOverdueCalendar } from '../../src/repositories/watched-calendars.js';
import { someOpenSlots } from '../support/requests.js';
import {
  busyAt,
  busyDuring,
  calendarEvents,
  startWatching,
  turnMs,
  watch,
} from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';
const hourMs = 3_600_000;

t.test(
  'a failing calendar keeps its last state; the studio is notified after two hours, once until it is read again',
  async (t) => {
    const { context, reader, pass, one, intervals } = await startWatching(t);
    const [slot] = await someOpenSlots(context, 1);
    reader.find(busyAt([busyDuring(timezone, slot!)], '"a"'));
    const { id } = await watch(context);
    const before = await intervals();
    const told = async () =>
      (await calendarEvents(context)).filter(({ type }) => type === 'calendar.failing');
    const fetchAfter = async (milliseconds: number) => {
      await pass(milliseconds);
      await fetchDueCalendars(context);
    };
    reader.find({ outcome: 'failed', error: 'status', statusCode: 503 });
    await fetchAfter(turnMs);
    const { failing_since: since } = await one();
    t.match(await one(), { last_error: 'status', last_status_code: 503, isFailing: false });
    reader.find({ outcome: 'failed', error: 'dns_failed', statusCode: null });
    await fetchAfter(2 * hourMs);
    t.match(await one(), {
      failing_since: since!,
      last_error: 'dns_failed',
      last_status_code: null,
      isFailing: false,
      failure_told_at: null,
    });
    t.strictSame(await told(), []);

    // Also while nothing is fetched, and in several processes at once.
    await pass(2 * hourMs + turnMs + 60_000);
    await Promise.all([1, 2, 3].map(() => recordCalendarFailures(context.database)));
    t.strictSame(await told(), [{ type: 'calendar.failing', data: { calendar_id: id } }]);
    t.match(await one(), { isFailing: true, failure_told_at: Date });
    await fetchAfter(9 * hourMs);
    t.equal((await told()).length, 1);
    t.strictSame(await intervals(), before);
    t.match(await one(), { etag: '"a"', failing_since: since! });

    reader.find({ outcome: 'unchanged' });
    await fetchAfter(10 * hourMs);
    t.match(await one(), {
      failing_since: null,
      last_error: null,
      last_status_code: null,
      failure_told_at: null,
      isFailing: false,
    });
    reader.find({ outcome: 'failed', error: 'too_large', statusCode: 200 });
    await fetchAfter(11 * hourMs);
    await fetchAfter(13 * hourMs + turnMs);
    t.equal((await told()).length, 2, 'a failure after a success is another one');
    t.strictSame(
      (
        await context.database
          .selectFrom('events')
          .select('booking_id')
          .where('type', '=', 'calendar.failing')
          .execute()
      ).map(({ booking_id: bookingId }) => bookingId),
      [null, null],
    );
  },
);

t.test('a calendar is overdue where no process fetches it', async (t) => {
  const { context, reader, pass, one } = await startWatching(t);
  await watch(context);
  t.equal(await hasOverdueCalendar(context.database), false);
  await pass(turnMs);
  t.equal(await hasOverdueCalendar(context.database), false, 'its turn has only begun');
  await pass(turnMs + 60_000);
  t.equal(await hasOverdueCalendar(context.database), true);
  const end = reader.hangUp();
  const fetching = fetchDueCalendars(context);
  while (reader.requests.length < 2) await one();
  t.equal(await hasOverdueCalendar(context.database), false, 'it is being fetched');
  end(busyAt([]));
  await fetching;
  await pass(29 * 60_000);
  t.equal((await one()).isOverdue, false);
  await pass(turnMs + 31 * 60_000 + 60_000);
  t.equal((await one()).isOverdue, true);
});
