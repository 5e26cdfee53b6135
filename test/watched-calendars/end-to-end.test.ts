import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Temporal } from 'temporal-polyfill';
import t, { type Test } from 'tap';
import { slotState } from '../../src/calendar/calendar.js';
import { longestSessionHours } from '../../src/calendar/session-end.js';
import { slotStartsAt, type Slot } from '../../src/calendar/slots.js';
import type { CalendarState } from '../../src/calendar/board.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { fetchDueCalendars } from '../../src/domain/calendar-fetches.js';
import {
  fetchWatchedCalendar,
  listWatchedCalendars,
  removeWatchedCalendar,
} from '../../src/domain/watched-calendars.js';
import { hold, queriedState, untilBoard } from '../support/board.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { generous, startNeighbour, startTestService } from '../support/service.js';
import { anyHost, turnMs, watch } from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';

interface Answer {
  status: number;
  body: string;
  etag?: string;
}

/** A server of calendars on loopback, which answers 304 to a conditional request that matches. */
async function startCalendar(t: Test) {
  const requests: { ifNoneMatch: string | null; status: number }[] = [];
  let answer: Answer = { status: 200, body: calendarOf([]) };
  const server = createServer((request, response) => {
    const ifNoneMatch = request.headers['if-none-match'] ?? null;
    const isSame = answer.etag !== undefined && ifNoneMatch === answer.etag;
    const status = isSame ? 304 : answer.status;
    requests.push({ ifNoneMatch, status });
    response.writeHead(status, {
      'content-type': 'text/calendar',
      ...(answer.etag !== undefined && { etag: answer.etag }),
    });
    response.end(isSame ? '' : answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/private/q8w2.ics`,
    requests,
    serve(body: string, { status = 200, etag }: { status?: number; etag?: string } = {}) {
      answer = { status, body, ...(etag !== undefined && { etag }) };
    },
  };
}

function calendarOf(events: readonly (readonly string[])[]): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//Calendar//EN',
    ...events.flatMap((lines, index) => [
      'BEGIN:VEVENT',
      `UID:event-${index}@calendar.example.com`,
      'DTSTAMP:20200101T000000Z',
      'SUMMARY:Dentist\\, about the root canal',
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

/** `20261201T220000Z` */
function utc(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

/** An event of an hour within the session, in UTC. */
function during({ date, timeSlot }: Slot): string[] {
  const startsAt = slotStartsAt(timezone, date, timeSlot).epochMs + 3_600_000;
  return [`DTSTART:${utc(startsAt)}`, `DTEND:${utc(startsAt + 3_600_000)}`];
}

const plain = (date: string) => date.replaceAll('-', '');

async function start(t: Test) {
  const { context, app } = await startTestService(t, { ...generous, ...anyHost });
  const neighbour = await startNeighbour(t, context);
  const calendar = await startCalendar(t);
  return {
    context,
    app,
    neighbour,
    calendar,
    isClosed: (slot: Slot) => (state: CalendarState) =>
      slotState(state.calendar, state.taken, slot, context.clock.now()) === 'closed',
    one: async () => (await listWatchedCalendars(context))[0]!,
    async passTurns(turns: number) {
      await shiftDatabaseClock(context.database, turns * turnMs);
      await fetchDueCalendars(context);
    },
  };
}

t.test(
  'events of a calendar on a server close slots on every process, until they are over, free or removed',
  async (t) => {
    const { context, app, neighbour, calendar, isClosed } = await start(t);
    const before = await everyOpenSlot(context);
    const [single, free, cancelled, open] = await someOpenSlots(context, 4);
    const later = (await someOpenSlots(context, 60)).at(-1)!;
    const nextDay = Temporal.PlainDate.from(later.date).add({ days: 1 }).toString();
    calendar.serve(
      calendarOf([
        during(single!),
        [...during(free!), 'TRANSP:TRANSPARENT'],
        [...during(cancelled!), 'STATUS:CANCELLED'],
        [`DTSTART;VALUE=DATE:${plain(later.date)}`, `DTEND;VALUE=DATE:${plain(nextDay)}`],
      ]),
    );
    const watched = await watch(context, calendar.address, 'Ada');
    t.match(watched, { last_error: null, host: '127.0.0.1' });
    for (const each of [context, neighbour]) {
      await untilBoard(each, isClosed(single!));
      const present = await each.board.read();
      t.notOk([free!, cancelled!, open!].some((slot) => isClosed(slot)(present)));
    }
    const closed = before.filter(({ date }) => date === later.date).length + 1;
    t.equal((await everyOpenSlot(neighbour)).length, before.length - closed);
    const response = await app.inject({
      method: 'POST',
      url: '/api/public/holds',
      payload: {
        date: later.date,
        time_slot: later.timeSlot,
        name: 'Ada Park',
        email: 'ada@example.com',
        phone: '5555550142',
      },
    });
    t.equal(response.statusCode, 409);
    t.match(response.json(), { error: { message: /^The studio is closed on/ } });

    calendar.serve(calendarOf([during(open!)]));
    await fetchWatchedCalendar(context, watched.id);
    await untilBoard(neighbour, isClosed(open!));
    t.notOk(isClosed(single!)(await neighbour.board.read()));
    await removeWatchedCalendar(context, 'ada@desk', watched.id);
    await untilBoard(neighbour, (state) => !isClosed(open!)(state));
    t.strictSame(await everyOpenSlot(context), before);
  },
);

t.test(
  'an unchanged calendar is asked for by its entity tag, and its slots stay closed',
  async (t) => {
    const { context, neighbour, calendar, isClosed, one, passTurns } = await start(t);
    const [slot] = await someOpenSlots(context, 1);
    calendar.serve(calendarOf([during(slot!)]), { etag: '"v1"' });
    await watch(context, calendar.address);
    await passTurns(1);
    await passTurns(2);
    t.strictSame(calendar.requests, [
      { ifNoneMatch: null, status: 200 },
      { ifNoneMatch: '"v1"', status: 304 },
      { ifNoneMatch: '"v1"', status: 304 },
    ]);
    t.match(await one(), { busyIntervals: 1, last_error: null });
    await untilBoard(neighbour, isClosed(slot!));
    calendar.serve(calendarOf([]), { etag: '"v2"' });
    await passTurns(3);
    await untilBoard(neighbour, (state) => !isClosed(slot!)(state));
  },
);

t.test('what cannot be read keeps the last state, and says why', async (t) => {
  const { context, calendar, isClosed, one, passTurns } = await start(t);
  const [slot] = await someOpenSlots(context, 1);
  calendar.serve(calendarOf([during(slot!)]), { etag: '"v1"' });
  await watch(context, calendar.address);
  let turns = 0;
  for (const [status, body, error] of [
    [404, '', 'status'],
    [410, '', 'status'],
    [500, calendarOf([]), 'status'],
    [302, '', 'redirect'],
    [200, '<!doctype html><title>Sign in</title>', 'not_a_calendar'],
    [200, calendarOf([['DTSTART:yesterday']]), 'unreadable'],
    [200, `${calendarOf([])}${' '.repeat(5_100_000)}`, 'too_large'],
  ] as const) {
    calendar.serve(body, { status });
    turns += 1;
    await passTurns(turns);
    t.match(
      await one(),
      { last_error: error, busyIntervals: 1, etag: '"v1"' },
      `${status} ${error}`,
    );
    t.ok(isClosed(slot!)(await queriedState(context)), `${status} ${error}`);
  }
  const { failing_since: since } = await one();
  t.ok(since);
  calendar.serve(calendarOf([during(slot!)]), { etag: '"v1"' });
  await passTurns(turns + 1);
  t.match(await one(), { last_error: null, failing_since: null, busyIntervals: 1 });
});

t.test('our own bookings that come back through a calendar close nothing', async (t) => {
  const { context, calendar, one } = await start(t);
  const [slot, other] = await someOpenSlots(context, 2);
  const { booking, token } = await hold(context, slot!.date, slot!.timeSlot);
  await confirmCheckout(context, token);
  const startsAt = booking.starts_at.getTime();
  const endsAt = startsAt + longestSessionHours * 3_600_000;
  const own = calendarOf([
    [`DTSTART:${utc(startsAt)}`, `DTEND:${utc(endsAt)}`],
    during(other!),
  ]).replace('UID:event-0@calendar.example.com', `UID:${booking.id}`);
  calendar.serve(own);
  await watch(context, calendar.address);
  t.match(await one(), { busyIntervals: 1, last_error: null });
});

t.test('nothing that events say is stored', async (t) => {
  const { context, calendar } = await start(t);
  const [slot] = await someOpenSlots(context, 1);
  calendar.serve(calendarOf([during(slot!)]));
  await watch(context, calendar.address);
  const rows = await context.database.selectFrom('busy_intervals').selectAll().execute();
  t.strictSame(Object.keys(rows[0]!), ['calendar_id', 'starts_at', 'ends_at']);
});
