import t from 'tap';
import { slotState } from '../../src/calendar/calendar.js';
import type { Slot } from '../../src/calendar/slots.js';
import type { CalendarState } from '../../src/calendar/board.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { fetchWatchedCalendar } from '../../src/domain/watched-calendars.js';
import { agent } from '../support/agents.js';
import { hold, queriedState, untilBoard } from '../support/board.js';
import { answer, startReceiver } from '../support/receiver.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { generous, startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { anyHost, busyDuring, watch } from '../support/watched-calendars.js';
import { calendar, event } from './start-reader.js';

const timezone = 'America/Los_Angeles';
const { context, app } = await startService(t, { ...generous, ...anyHost });
const neighbour = await startNeighbour(t, context);
const receiver = await startReceiver();
t.teardown(() => receiver.close());
const address = `${receiver.origin}/private/q8w2.ics`;
t.beforeEach(() => startOver(context, neighbour));

const serve = (...events: string[]) => receiver.behave(answer(200, {}, calendar(...events)));
const utc = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');

/** An event of an hour within the session, in UTC. */
function during(slot: Slot, ...lines: string[]): string {
  const { startsAt, endsAt } = busyDuring(timezone, slot);
  const summary = 'SUMMARY:Dentist\\, about the root canal';
  return event(summary, `DTSTART:${utc(startsAt)}`, `DTEND:${utc(endsAt)}`, ...lines);
}

const isClosed = (slot: Slot) => (state: CalendarState) =>
  slotState(state.calendar, state.taken, slot, context.clock.now()) === 'closed';

t.test(
  'events of a calendar on a server close slots, unless they are free or our own',
  async (t) => {
    const before = await everyOpenSlot(context);
    type Five = [Slot, Slot, Slot, Slot, Slot];
    const [single, free, cancelled, own, open] = (await someOpenSlots(context, 5)) as Five;
    const later = before[60]!;
    const { booking, token } = await hold(context, own.date, own.timeSlot);
    await confirmCheckout(context, token);
    serve(
      during(single),
      during(free, 'TRANSP:TRANSPARENT'),
      during(cancelled, 'STATUS:CANCELLED'),
      during(own, `UID:${booking.id}`),
      event(`DTSTART;VALUE=DATE:${later.date.replaceAll('-', '')}`),
    );
    const watched = await watch(context, address, 'Ada');
    t.match(watched, { last_error: null, host: '127.0.0.1' });
    await untilBoard(neighbour, isClosed(single));
    const present = await neighbour.board.read();
    t.notOk([free, cancelled, own, open].some((slot) => isClosed(slot)(present)));
    const ofThatDay = before.filter(({ date }) => date === later.date).length;
    t.equal((await everyOpenSlot(neighbour)).length, before.length - ofThatDay - 2);
    const response = await agent(app).hold(later);
    t.equal(response.statusCode, 409);
    t.match(response.json(), { error: { message: /^The studio is closed on/ } });
    const rows = await context.database.selectFrom('busy_intervals').selectAll().execute();
    const columns = ['calendar_id', 'starts_at', 'ends_at'];
    t.strictSame(Object.keys(rows[0]!), columns, 'nothing that events say is stored');

    serve(during(open));
    t.match(await fetchWatchedCalendar(context, watched.id), { busyIntervals: 1 });
  },
);

t.test('what cannot be read keeps the last state, and says why', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  serve(during(slot!));
  const { id } = await watch(context, address);
  for (const [status, body, error] of [
    [404, '', 'status'],
    [302, '', 'redirect'],
    [200, '<!doctype html><title>Sign in</title>', 'not_a_calendar'],
    [200, calendar(event('DTSTART:yesterday')), 'unreadable'],
    [200, `${calendar()}${' '.repeat(5_100_000)}`, 'too_large'],
  ] as const) {
    receiver.behave(answer(status, {}, body));
    const failing = { last_error: error, busyIntervals: 1, failing_since: Date };
    t.match(await fetchWatchedCalendar(context, id), failing, error);
    t.ok(isClosed(slot!)(await queriedState(context)), error);
  }
  serve(during(slot!));
  const fine = { last_error: null, failing_since: null, busyIntervals: 1 };
  t.match(await fetchWatchedCalendar(context, id), fine);
});
