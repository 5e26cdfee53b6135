import { sql } from 'kysely';
import t from 'tap';
import { localDayOf } from '../../src/calendar/slots.js';
import type { Context } from '../../src/context.js';
import { fetchDueCalendars } from '../../src/domain/calendar-fetches.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import {
  fetchWatchedCalendar,
  listWatchedCalendars,
  removeWatchedCalendar,
} from '../../src/domain/watched-calendars.js';
import { stopDatabaseClock } from '../support/clock.js';
import { someOpenSlots } from '../support/requests.js';
import { startNeighbour } from '../support/service.js';
import {
  busyAt,
  busyDuring,
  calendarEvents,
  prepareReader,
  secretAddress,
  startWatching,
  turnMs,
  watch,
} from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';
const actor = 'ada@desk';

t.test('ten processes fetch each of ten calendars once per turn', async (t) => {
  const { context, reader, pass } = await startWatching(t);
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    ids.push((await watch(context, `${secretAddress}${index}`)).id);
  }
  const contexts = [context];
  while (contexts.length < 10) {
    contexts.push(await startNeighbour(t, context, { calendarReader: reader }));
  }
  reader.requests.length = 0;
  const fetchEverywhere = () => Promise.all(contexts.map(fetchDueCalendars));
  await fetchEverywhere();
  t.equal(reader.requests.length, 0, 'not before the first turn');
  const tolerance = 20_000;
  for (const turn of [1, 2, 3]) {
    // As early as the schedule may tick.
    await pass(turn * (turnMs - tolerance));
    await fetchEverywhere();
    await fetchEverywhere();
    const addresses = reader.requests.splice(0).map(({ address }) => address);
    t.equal(new Set(addresses).size, 10);
    t.equal(addresses.length, 10, `turn ${turn}`);
  }
  t.equal(new Set(ids).size, 10);
});

t.test('a calendar whose process has died is fetched at its next turn', async (t) => {
  const { context, reader, pass, one } = await startWatching(t);
  await watch(context);
  const end = reader.hangUp();
  await pass(turnMs);
  const fetching = fetchDueCalendars(context);
  while (reader.requests.length < 2) await one();
  t.equal(reader.requests.length, 2);
  reader.find(busyAt([]));
  const other = await startNeighbour(t, context, { calendarReader: reader });
  await fetchDueCalendars(other);
  await fetchWatchedCalendar(other, (await one()).id);
  t.equal(reader.requests.length, 2, 'not while it is claimed');
  await pass(2 * turnMs);
  await fetchDueCalendars(other);
  t.equal(reader.requests.length, 3);
  end({ outcome: 'failed', error: 'timeout', statusCode: null });
  await fetching;
  t.match(await one(), { claimed_until: null, last_error: null });
});

t.test(
  'what is read counts only while the claim lasts: not after a removal, a new time zone or another fetch',
  async (t) => {
    const { context, reader, pass, one, intervals } = await startWatching(t);
    const [slot] = await someOpenSlots(context, 1);
    const late = busyAt([busyDuring(timezone, slot!)], '"late"');
    const begin = async () => {
      const count = reader.requests.length;
      const end = reader.hangUp();
      const fetching = fetchDueCalendars(context);
      while (reader.requests.length === count) await one();
      reader.find(busyAt([], '"present"'));
      return () => {
        end(late);
        return fetching;
      };
    };
    await watch(context);
    await pass(turnMs);
    const afterZone = await begin();
    await changeStudio(context, actor, { timezone: 'Europe/Berlin' });
    await fetchDueCalendars(context);
    await afterZone();
    t.strictSame(await intervals(), []);
    t.match(await one(), { etag: '"present"', read_window: /^Europe\/Berlin / });

    await pass(2 * turnMs);
    const afterAnother = await begin();
    await pass(3 * turnMs);
    await fetchDueCalendars(context);
    await afterAnother();
    t.match(await one(), { etag: '"present"' });

    await pass(4 * turnMs);
    const afterRemoval = await begin();
    await removeWatchedCalendar(context, actor, (await one()).id);
    await afterRemoval();
    t.strictSame(await intervals(), []);
    t.strictSame(await listWatchedCalendars(context), []);
  },
);

t.test('a fetch that a stop ends leaves the calendar due, and nothing else', async (t) => {
  const { context, reader, pass, one } = await startWatching(t);
  const [slot] = await someOpenSlots(context, 1);
  reader.find(busyAt([busyDuring(timezone, slot!)], '"one"'));
  const added = await watch(context);
  await pass(turnMs);
  reader.hangUp();
  const fetching = fetchDueCalendars(context);
  while (reader.requests.length < 2) await one();
  await reader.close();
  await fetching;
  const present = await one();
  t.match(present, { ...added, next_fetch_at: Date, claimed_until: null });
  const other = await startNeighbour(t, context, { calendarReader: prepareReader() });
  await fetchDueCalendars(other);
  t.ok((await one()).read_at! > added.read_at!);
});

t.test(
  'a fetch is conditional, but for the first of a day in the zone of the studio, or of another horizon',
  async (t) => {
    const { context, reader, one } = await startWatching(t);
    const { database } = context;
    const midnight = localDayOf(timezone, context.clock.now()).until;
    const etags = () => reader.requests.splice(0).map(({ etag }) => etag);
    const fetchAt = async (epochMs: number, within: Context = context) => {
      await stopDatabaseClock(database, epochMs);
      await fetchDueCalendars(within);
    };
    await stopDatabaseClock(database, midnight - 2.1 * turnMs);
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
  const { context, reader, pass, one, intervals } = await startWatching(t);
  const [slot] = await someOpenSlots(context, 1);
  reader.find(busyAt([busyDuring(timezone, slot!)], '"a"'));
  const added = await watch(context);
  const before = await intervals();
  t.equal(before.length, 1);
  const events = await calendarEvents(context);
  reader.find({ outcome: 'unchanged' });
  await pass(turnMs);
  await fetchDueCalendars(context);
  t.strictSame(await intervals(), before);
  const present = await one();
  t.match(present, { etag: '"a"', read_window: added.read_window!, failing_since: null });
  t.ok(present.read_at!.getTime() - added.read_at!.getTime() >= turnMs - 1_000);

  reader.find(busyAt([busyDuring(timezone, slot!)], '"b"'));
  await pass(2 * turnMs);
  await fetchDueCalendars(context);
  t.match(await one(), { etag: '"b"' });
  t.strictSame(await intervals(), before);
  t.strictSame(await calendarEvents(context), events, 'no board reloads for the same intervals');
});

t.test('a new time zone makes every calendar due; other changes do not', async (t) => {
  const { context, reader } = await startWatching(t);
  await watch(context);
  await watch(context, `${secretAddress}2`);
  await changeStudio(context, actor, { name: 'Night Heron' });
  await fetchDueCalendars(context);
  t.equal(reader.requests.length, 2);
  const other = 'Australia/Lord_Howe';
  await changeStudio(context, actor, { timezone: other });
  await fetchDueCalendars(context);
  t.strictSame(
    reader.requests.slice(2).map((request) => [request.timezone, request.etag]),
    [
      [other, null],
      [other, null],
    ],
  );
  const { rows } = await sql<{ read_window: string }>`
    select distinct read_window from watched_calendars`.execute(context.database);
  t.match(rows, [{ read_window: /^Australia\/Lord_Howe \d{4}-\d\d-\d\d \d+$/ }]);
});
