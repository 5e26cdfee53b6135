import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import type { Context } from '../../src/context.js';
import { fetchDueCalendars } from '../../src/domain/studio/calendar-fetches.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import {
  fetchWatchedCalendar,
  listWatchedCalendars,
  removeWatchedCalendar,
} from '../../src/domain/studio/watched-calendars.js';
import type { CalendarReading } from '../../src/icalendar/calendar-reader.js';
import { findOwnIds, recordCalendarFailures } from '../../src/repositories/calendar-fetches.js';
import { claimDueCalendar, hasOverdueCalendar } from '../../src/repositories/watched-calendars.js';
import { localDayOf } from '../../src/schedule/slots.js';
import { stopDatabaseClock } from '../support/clock.js';
import { close, hold } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { startNeighbour } from '../support/service.js';
import {
  busyAt,
  busyDuring,
  calendarEvents,
  secretAddress,
  startWatching,
  turnMs,
  watch,
} from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';
const actor = 'ada@desk';
const hourMs = 3_600_000;

const { context, reader, pass, one, intervals } = await startWatching(t);
/** Other processes, which read as this one does. */
const neighbours = await Promise.all(
  [1, 2, 3].map(() => startNeighbour(t, context, { calendarReader: reader })),
);
const [neighbour = context] = neighbours;

t.test(
  'events of our own bookings and closures are known by their ids, others are not',
  async (t) => {
    const [slot, closed] = await someOpenSlots(context, 2);
    const { booking } = await hold(context, slot!.date, slot!.timeSlot);
    const closure = await close(context, closed!.date);
    const own = [booking.id, closure.id];
    const found = await findOwnIds(context.database, [...own, randomUUID()]);
    t.strictSame(found.toSorted(), own.toSorted());
    t.strictSame(await findOwnIds(context.database, [booking.id]), [booking.id]);
  },
);

/** Fetches what is due so long after the true time. */
async function fetchAfter(milliseconds: number): Promise<void> {
  await pass(milliseconds);
  await fetchDueCalendars(context);
}

/** Begins a fetch that is due; later ones find `next`. Returns what ends it with a reading. */
async function beginFetch(next = busyAt([])) {
  const count = reader.requests.length;
  const end = reader.hangUp();
  const fetching = fetchDueCalendars(context);
  while (reader.requests.length === count) await one();
  reader.find(next);
  return (reading: CalendarReading): Promise<void> => {
    end(reading);
    return fetching;
  };
}

t.test('four processes fetch each of ten calendars once per turn', async (t) => {
  for (let index = 0; index < 10; index += 1) await watch(context, `${secretAddress}${index}`);
  reader.requests.length = 0;
  const fetchEverywhere = () => Promise.all([context, ...neighbours].map(fetchDueCalendars));
  await fetchEverywhere();
  t.equal(reader.requests.length, 0, 'not before the first turn');
  for (const turn of [1, 2, 3]) {
    // As early as the schedule may tick.
    await pass(turn * (turnMs - 20_000));
    await fetchEverywhere();
    await fetchEverywhere();
    const addresses = reader.requests.splice(0).map(({ address }) => address);
    t.strictSame([addresses.length, new Set(addresses).size], [10, 10], `turn ${turn}`);
  }
});

t.test('a calendar whose process has died is fetched at its next turn', async (t) => {
  await watch(context);
  await pass(turnMs);
  const end = await beginFetch();
  await fetchDueCalendars(neighbour);
  await fetchWatchedCalendar(neighbour, (await one()).id);
  t.equal(reader.requests.length, 2, 'not while it is claimed');
  await pass(2 * turnMs);
  await fetchDueCalendars(neighbour);
  t.equal(reader.requests.length, 3);
  await end({ outcome: 'failed', error: 'timeout', statusCode: null });
  t.match(await one(), { claimed_until: null, last_error: null });
});

t.test(
  'what is read counts only while the claim lasts: not after a removal, a new time zone or another fetch',
  async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const late = busyAt([busyDuring(slot!)], '"late"');
    const present = busyAt([], '"present"');
    await watch(context);
    await pass(turnMs);
    const afterZone = await beginFetch(present);
    await changeStudio(context, actor, { timezone: 'Europe/Berlin' });
    await fetchDueCalendars(context);
    await afterZone(late);
    t.strictSame(await intervals(), []);
    t.match(await one(), { etag: '"present"', read_window: /^Europe\/Berlin / });
    await changeStudio(context, actor, { timezone });

    await pass(2 * turnMs);
    const afterAnother = await beginFetch(present);
    await fetchAfter(3 * turnMs);
    await afterAnother(late);
    t.match(await one(), { etag: '"present"' });

    await pass(4 * turnMs);
    const afterRemoval = await beginFetch(present);
    await removeWatchedCalendar(context, actor, (await one()).id);
    await afterRemoval(late);
    t.strictSame(await intervals(), []);
    t.strictSame(await listWatchedCalendars(context), []);
  },
);

t.test(
  'a fetch is conditional, but for the first of a day in the zone of the studio, or of another horizon',
  async (t) => {
    const midnight = localDayOf(timezone, context.clock.now()).until;
    const etags = () => reader.requests.splice(0).map(({ etag }) => etag);
    const fetchAt = async (epochMs: number, within: Context = context) => {
      await stopDatabaseClock(context.database, epochMs);
      await fetchDueCalendars(within);
    };
    await stopDatabaseClock(context.database, midnight - 2.1 * turnMs);
    reader.find(busyAt([], '"a"'));
    await watch(context);
    reader.find({ outcome: 'unchanged' });
    await fetchAt(midnight - 1.1 * turnMs);
    await fetchAt(midnight - 0.1 * turnMs);
    t.strictSame(etags(), [null, '"a"', '"a"']);
    reader.find(busyAt([], '"b"'));
    await fetchAt(midnight + 0.9 * turnMs);
    reader.find({ outcome: 'unchanged' });
    await fetchAt(midnight + 1.9 * turnMs);
    t.strictSame(etags(), [null, '"b"']);
    const { bookingHorizonDays } = context.config;
    t.match(await one(), { etag: '"b"', read_window: new RegExp(` ${bookingHorizonDays}$`) });

    const further = { ...context, config: { ...context.config, bookingHorizonDays: 91 } };
    reader.find(busyAt([]));
    await fetchAt(midnight + 2.9 * turnMs, further);
    await fetchAt(midnight + 3.9 * turnMs, further);
    t.strictSame(etags(), [null, null], 'a server need not send an entity tag');
  },
);

t.test('what is unchanged keeps the intervals, and counts as read', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  reader.find(busyAt([busyDuring(slot!)], '"a"'));
  const added = await watch(context);
  const before = await intervals();
  t.equal(before.length, 1);
  const events = await calendarEvents(context);
  reader.find({ outcome: 'unchanged' });
  await fetchAfter(turnMs);
  t.strictSame(await intervals(), before);
  const present = await one();
  t.match(present, { etag: '"a"', read_window: added.read_window!, failing_since: null });
  t.ok(present.read_at!.getTime() - added.read_at!.getTime() >= turnMs - 1_000);

  reader.find(busyAt([busyDuring(slot!)], '"b"'));
  await fetchAfter(2 * turnMs);
  t.match(await one(), { etag: '"b"' });
  t.strictSame(await intervals(), before);
  t.strictSame(await calendarEvents(context), events, 'no board reloads for the same intervals');
});

t.test('a new time zone makes every calendar due; other changes do not', async (t) => {
  await watch(context);
  await watch(context, `${secretAddress}2`);
  await changeStudio(context, actor, { name: 'Night Heron' });
  await fetchDueCalendars(context);
  t.equal(reader.requests.length, 2);
  const other = 'Australia/Lord_Howe';
  await changeStudio(context, actor, { timezone: other });
  await fetchDueCalendars(context);
  const whole = { timezone: other, etag: null };
  t.match(reader.requests.slice(2), [whole, whole]);
  t.equal(reader.requests.length, 4);
  const read_window = /^Australia\/Lord_Howe \d{4}-\d\d-\d\d \d+$/;
  t.match(await listWatchedCalendars(context), [{ read_window }, { read_window }]);
  await changeStudio(context, actor, { timezone });
});

t.test(
  'a failing calendar keeps its last state; the studio is notified after two hours, once until it is read again',
  async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    reader.find(busyAt([busyDuring(slot!)], '"a"'));
    const { id } = await watch(context);
    const before = await intervals();
    const told = async () =>
      (await calendarEvents(context)).filter(({ type }) => type === 'calendar.failing');
    const recordAt = async (epochMs: number) => {
      await stopDatabaseClock(context.database, epochMs);
      // In several processes at once.
      await Promise.all([1, 2, 3].map(() => recordCalendarFailures(context.database)));
      return told();
    };
    reader.find({ outcome: 'failed', error: 'status', statusCode: 503 });
    await fetchAfter(turnMs);
    const { failing_since: since } = await one();
    t.match(await one(), { last_error: 'status', last_status_code: 503, isFailing: false });
    reader.find({ outcome: 'failed', error: 'dns_failed', statusCode: null });
    await fetchAfter(2 * hourMs);
    const failing = { last_error: 'dns_failed', last_status_code: null, failure_told_at: null };
    t.match(await one(), { ...failing, failing_since: since!, isFailing: false });
    t.strictSame(await told(), []);

    // Also while nothing is fetched.
    const twoHours = since!.getTime() + 2 * hourMs;
    t.strictSame(await recordAt(twoHours - 1), []);
    const failure = { type: 'calendar.failing', data: { calendar_id: id } };
    t.strictSame(await recordAt(twoHours), [failure]);
    t.match(await one(), { isFailing: true, failure_told_at: Date });
    await fetchAfter(9 * hourMs);
    t.equal((await told()).length, 1);
    t.strictSame(await intervals(), before);
    t.match(await one(), { etag: '"a"', failing_since: since! });

    reader.find({ outcome: 'unchanged' });
    await fetchAfter(10 * hourMs);
    const fine = { failing_since: null, last_error: null, last_status_code: null };
    t.match(await one(), { ...fine, failure_told_at: null, isFailing: false });
    reader.find({ outcome: 'failed', error: 'too_large', statusCode: 200 });
    await fetchAfter(11 * hourMs);
    await fetchAfter(13 * hourMs + turnMs);
    t.equal((await told()).length, 2, 'a failure after a success is another one');
  },
);

t.test('a calendar is overdue where no process fetches it', async (t) => {
  await watch(context);
  t.equal(await hasOverdueCalendar(context.database), false);
  await pass(turnMs);
  t.equal(await hasOverdueCalendar(context.database), false, 'its turn has only begun');
  await pass(turnMs + 60_000);
  t.equal(await hasOverdueCalendar(context.database), true);
  const end = await beginFetch();
  t.equal(await hasOverdueCalendar(context.database), false, 'it is being fetched');
  await end(busyAt([]));
  await pass(29 * 60_000);
  t.equal((await one()).isOverdue, false);
  await pass(turnMs + 31 * 60_000 + 60_000);
  t.equal((await one()).isOverdue, true);
});

t.test('the calendar that has been due for longest is fetched first', async (t) => {
  const older = await watch(context);
  const newer = await watch(context, `${secretAddress}2`);
  await sql`
    update watched_calendars set next_fetch_at = next_fetch_at - interval '1 minute'
    where id = ${newer.id}`.execute(context.database);
  await pass(turnMs);
  t.match(await claimDueCalendar(context.database), { id: newer.id });
  t.match(await claimDueCalendar(context.database), { id: older.id });
  t.equal(await claimDueCalendar(context.database), null);
});
