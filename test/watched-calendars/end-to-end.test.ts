import t from 'tap';
import { slotState } from '../../src/calendar/calendar.js';
import { addDays } from '../../src/calendar/dates.js';
import { longestSessionHours } from '../../src/calendar/session-end.js';
import type { Slot } from '../../src/calendar/slots.js';
import type { CalendarState } from '../../src/calendar/board.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { fetchDueCalendars } from '../../src/domain/calendar-fetches.js';
import {
  fetchWatchedCalendar,
  listWatchedCalendars,
  removeWatchedCalendar,
} from '../../src/domain/watched-calendars.js';
import { agent } from '../support/agents.js';
import { hold, queriedState, untilBoard } from '../support/board.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { answer, startReceiver } from '../support/receiver.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { generous, startNeighbour, startTestService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { anyHost, busyDuring, turnMs, watch } from '../support/watched-calendars.js';
import { calendar, event } from './start-reader.js';

const timezone = 'America/Los_Angeles';
const { context, app } = await startTestService(t, { ...generous, ...anyHost });
const neighbour = await startNeighbour(t, context);
const receiver = await startReceiver();
t.teardown(() => receiver.close());
const address = `${receiver.origin}/private/q8w2.ics`;
t.beforeEach(() => startOver(context));

const serve = (events: string[], headers = {}) =>
  receiver.behave(answer(200, headers, calendar(...events)));
const plain = (date: string) => date.replaceAll('-', '');
const utc = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');

/** An event of an hour within the session, in UTC. */
function during(slot: Slot, ...lines: string[]): string {
  const { startsAt, endsAt } = busyDuring(timezone, slot);
  const summary = 'SUMMARY:Dentist\\, about the root canal';
  return event(summary, `DTSTART:${utc(startsAt)}`, `DTEND:${utc(endsAt)}`, ...lines);
}

const isClosed = (slot: Slot) => (state: CalendarState) =>
  slotState(state.calendar, state.taken, slot, context.clock.now()) === 'closed';
const one = async () => (await listWatchedCalendars(context))[0]!;

async function passTurns(turns: number): Promise<void> {
  await shiftDatabaseClock(context.database, turns * turnMs);
  await fetchDueCalendars(context);
}

t.test(
  'events of a calendar on a server close slots on every process, until they are over, free or removed',
  async (t) => {
    const before = await everyOpenSlot(context);
    type Four = [Slot, Slot, Slot, Slot];
    const [single, free, cancelled, open] = (await someOpenSlots(context, 4)) as Four;
    const later = (await someOpenSlots(context, 60)).at(-1)!;
    const nextDay = addDays(later.date, 1);
    serve([
      during(single),
      during(free, 'TRANSP:TRANSPARENT'),
      during(cancelled, 'STATUS:CANCELLED'),
      event(`DTSTART;VALUE=DATE:${plain(later.date)}`, `DTEND;VALUE=DATE:${plain(nextDay)}`),
    ]);
    const watched = await watch(context, address, 'Ada');
    t.match(watched, { last_error: null, host: '127.0.0.1' });
    for (const each of [context, neighbour]) {
      await untilBoard(each, isClosed(single));
      const present = await each.board.read();
      t.notOk([free, cancelled, open].some((slot) => isClosed(slot)(present)));
    }
    const closed = before.filter(({ date }) => date === later.date).length + 1;
    t.equal((await everyOpenSlot(neighbour)).length, before.length - closed);
    const response = await agent(app).hold(later);
    t.equal(response.statusCode, 409);
    t.match(response.json(), { error: { message: /^The studio is closed on/ } });
    const rows = await context.database.selectFrom('busy_intervals').selectAll().execute();
    const columns = ['calendar_id', 'starts_at', 'ends_at'];
    t.strictSame(Object.keys(rows[0]!), columns, 'nothing that events say is stored');

    serve([during(open)]);
    await fetchWatchedCalendar(context, watched.id);
    await untilBoard(neighbour, isClosed(open));
    t.notOk(isClosed(single)(await neighbour.board.read()));
    await removeWatchedCalendar(context, 'ada@desk', watched.id);
    await untilBoard(neighbour, (state) => !isClosed(open)(state));
    t.strictSame(await everyOpenSlot(context), before);
  },
);

t.test(
  'an unchanged calendar is asked for by its entity tag, and its slots stay closed',
  async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const count = receiver.requests.length;
    serve([during(slot!)], { etag: '"v1"' });
    await watch(context, address);
    receiver.behave(answer(304));
    await passTurns(1);
    await passTurns(2);
    const tags = receiver.requests.slice(count).map(({ headers }) => headers['if-none-match']);
    t.strictSame(tags, [undefined, '"v1"', '"v1"']);
    t.match(await one(), { busyIntervals: 1, last_error: null });
    await untilBoard(neighbour, isClosed(slot!));
    serve([], { etag: '"v2"' });
    await passTurns(3);
    await untilBoard(neighbour, (state) => !isClosed(slot!)(state));
  },
);

t.test('what cannot be read keeps the last state, and says why', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  serve([during(slot!)], { etag: '"v1"' });
  await watch(context, address);
  let turns = 0;
  for (const [status, body, error] of [
    [404, '', 'status'],
    [500, calendar(), 'status'],
    [302, '', 'redirect'],
    [200, '<!doctype html><title>Sign in</title>', 'not_a_calendar'],
    [200, calendar(event('DTSTART:yesterday')), 'unreadable'],
    [200, `${calendar()}${' '.repeat(5_100_000)}`, 'too_large'],
  ] as const) {
    receiver.behave(answer(status, {}, body));
    turns += 1;
    await passTurns(turns);
    t.match(await one(), { last_error: error, busyIntervals: 1, etag: '"v1"' }, error);
    t.ok(isClosed(slot!)(await queriedState(context)), error);
  }
  t.ok((await one()).failing_since);
  serve([during(slot!)], { etag: '"v1"' });
  await passTurns(turns + 1);
  t.match(await one(), { last_error: null, failing_since: null, busyIntervals: 1 });
});

t.test('our own bookings that come back through a calendar close nothing', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const { booking, token } = await hold(context, slot!.date, slot!.timeSlot);
  await confirmCheckout(context, token);
  const startsAt = booking.starts_at.getTime();
  const endsAt = startsAt + longestSessionHours * 3_600_000;
  const own = [`UID:${booking.id}`, `DTSTART:${utc(startsAt)}`, `DTEND:${utc(endsAt)}`];
  serve([event(...own), during(other!)]);
  await watch(context, address);
  t.match(await one(), { busyIntervals: 1, last_error: null });
});
