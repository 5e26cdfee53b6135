import t from 'tap';
import { createApp } from '../../src/app.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import {
  feedPath,
  removeCalendarFeed,
  rotateCalendarFeed,
} from '../../src/domain/studio/calendar-feeds.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { forgetPerson } from '../../src/domain/studio/personal-data.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { addDays } from '../../src/schedule/dates.js';
import { slotStartsAt, todayInZone, type Slot } from '../../src/schedule/slots.js';
import { createCredential } from '../../src/secrets/tokens.js';
import { charged } from '../support/agents.js';
import { countQueries } from '../support/board.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { moveCheckout } from '../support/checkouts.js';
import { addFeed, readFeed } from '../support/feeds.js';
import { sessionForPerson, holdForPerson } from '../support/holds.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@desk';
const zone = 'America/Los_Angeles';
const startOf = ({ date, timeSlot }: Slot) => slotStartsAt(zone, date, timeSlot).epochMs;
const service = await startService(t);
const { app, context } = service;
const { database } = context;

/** Another process of the same service. */
const neighbour = await startNeighbour(t, context);
const sibling = { app: await createApp(neighbour) };
t.teardown(() => sibling.app.close());
t.beforeEach(() => startOver(context, neighbour));

/** Closes the dates, at one time or all day. */
async function close(fromDate: string, toDate = fromDate, timeSlot: '5:00 PM' | null = null) {
  const closure = { fromDate, toDate, timeSlot, reason: 'x' };
  const closed = await addClosure(context, actor, closure);
  if (closed.outcome !== 'added') throw new Error(closed.outcome);
  return closed.closure;
}

t.test('the feed shows confirmed sessions and closures, and nothing else', async (t) => {
  const feed = await addFeed(context);
  const slots = await someOpenSlots(context, 8);
  const idea = 'word '.repeat(400).trim();
  const person = { ...personNumber(1), idea, pronouns: 'xe/xem' };
  const kept = await sessionForPerson(service, person, slots[0]);
  await holdForPerson(service, personNumber(2), slots[1]);
  const cancelled = await sessionForPerson(service, personNumber(3), slots[2]);
  await cancelByStudio(context, actor, cancelled.id);
  const moved = await sessionForPerson(service, personNumber(4), slots[3]);
  await service.shiftClock(60_000);
  await moveCheckout(context, moved.token, slots[4]!, 1);
  const far = { date: '2999-06-01', timeSlot: '1:00 PM' } as const;
  await addBooking(context, actor, far, { name: 'Grace' });
  const closure = await close(slots[7]!.date);
  const busyAt = startOf(slots[5]!);
  await setBusy(context, await insertCalendar(context), [busyAt, busyAt + 1]);

  const { events, answer } = await readFeed(service, feed.path);
  t.match(events, [
    { uid: kept.id, summary: 'A. P.' },
    { uid: moved.id, summary: 'A. P.' },
    { summary: 'G.' },
    { uid: closure.id, summary: 'Closed', isAllDay: true },
  ]);
  t.equal(events.length, 4);
  t.strictSame(
    events.slice(0, 3).map(({ occurrences }) => occurrences[0]!.startsAt),
    [slots[0]!, slots[4]!, far].map(startOf),
  );
  const [first, second] = events.map(({ component }) => ({
    sequence: Number(component.getFirstPropertyValue('sequence')),
    stamp: String(component.getFirstPropertyValue('dtstamp')),
  }));
  t.ok(second!.sequence > first!.sequence);
  t.ok(second!.stamp > first!.stamp, 'it changed with the move');
  const unfolded = answer.body.replaceAll('\r\n ', '');
  const secrets = ['@', 'word', 'xe/xem', 'http', 'checkout/', kept.token];
  // The phone number as it is stored and as it is written; shorter digits may be of an id.
  const details = ['Park', '2000001', '200-0001'];
  for (const secret of [...details, ...secrets]) t.notMatch(unfolded, secret);

  const detailed = await readFeed(service, (await addFeed(context, true)).path);
  t.match(detailed.events[0], { summary: 'Ada Park', description: 'Phone: (555) 200-0001' });
  t.match(detailed.events[3], { summary: 'Closed: x' });
  const everything = detailed.answer.body.replaceAll('\r\n ', '');
  for (const secret of secrets) t.notMatch(everything, secret);
  await forgetPerson(context, actor, { id: kept.id }, { cancelBookings: true });
  const after = await readFeed(service, feed.path);
  t.notOk(after.events.some(({ uid }) => uid === kept.id));
});

t.test('it reaches 31 days back, and closures end at the horizon', async (t) => {
  const feed = await addFeed(context);
  const today = todayInZone(zone, context.clock.now());
  const { horizonDays } = (await context.board.read()).calendar;
  const days = [-40, -32, -31, 0, horizonDays, horizonDays + 1];
  const dates = days.map((each) => addDays(today, each));
  const { id } = await sessionForPerson(
    service,
    personNumber(1),
    (await someOpenSlots(context, 1))[0],
  );
  const closures = await database
    .insertInto('closures')
    .values(dates.map((date) => ({ from_date: date, to_date: date, time_slot: null })))
    .returning('id')
    .execute();
  const uids = async () => (await readFeed(service, feed.path)).events.map(({ uid }) => uid);
  t.strictSame(await uids(), [id, ...closures.slice(2, 5).map((row) => row.id)]);
  for (const date of dates.slice(1, 3)) {
    const startsAt = startOf({ date, timeSlot: '9:00 AM' });
    const times = { starts_at: new Date(startsAt), ends_at: new Date(startsAt + 4 * 3_600_000) };
    await database
      .updateTable('bookings')
      .set({ date, ...times })
      .where('id', '=', id)
      .execute();
    t.equal((await uids()).includes(id), date === dates[2], date);
  }
});

t.test('sessions keep the zone of their booking, closures are in the studio’s', async (t) => {
  t.teardown(() => changeStudio(context, actor, { timezone: zone }));
  const feed = await addFeed(context);
  const [slot, other] = await someOpenSlots(context, 2);
  const { id } = await sessionForPerson(service, personNumber(1), slot);
  const timezone = 'Europe/Berlin';
  await changeStudio(context, actor, { timezone });
  await context.board.refresh();
  const { id: berlin } = await sessionForPerson(
    service,
    personNumber(2),
    (await someOpenSlots(context, 5))[4],
  );
  const dates = [0, 1, 2].map((days) => addDays(other!.date, days));
  await close(dates[0]!, dates[2]!, '5:00 PM');
  const { events } = await readFeed(service, feed.path);
  const zoneOf = (wanted: string) => {
    const { component } = events.find(({ uid }) => uid === wanted)!;
    return component.getFirstProperty('dtstart')!.getParameter('tzid');
  };
  t.strictSame([id, berlin].map(zoneOf), [zone, timezone]);
  t.strictSame(
    events.at(-1)!.occurrences.map(({ startsAt }) => startsAt),
    dates.map((date) => slotStartsAt(timezone, date, '5:00 PM').epochMs),
  );
});

t.test('the answer is a private calendar, for GET and HEAD, whole also for a Range', async (t) => {
  const { path } = await addFeed(context);
  await sessionForPerson(service, personNumber(1), (await someOpenSlots(context, 1))[0]);
  const answer = await app.inject(path);
  t.match(answer.headers, {
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'inline; filename="studio.ics"',
    'cache-control': 'private, no-cache',
    'x-robots-tag': /noindex/,
    'x-content-type-options': 'nosniff',
    'content-security-policy': /default-src 'none'/,
    'referrer-policy': 'same-origin',
    etag: /^"[\w-]{22}"$/,
    'content-length': String(Buffer.byteLength(answer.body)),
  });
  const head = await app.inject({ method: 'HEAD', url: path });
  t.equal(head.body, '');
  for (const name of ['etag', 'content-type', 'content-length', 'cache-control']) {
    t.equal(head.headers[name], answer.headers[name], name);
  }
  const ranged = await app.inject({ url: path, headers: { range: 'bytes=0-9' } });
  t.match(ranged, { statusCode: 200, body: answer.body });
  const posted = await app.inject({ method: 'POST', url: path });
  t.match(posted, { statusCode: 405, headers: { allow: 'GET, HEAD' } });
});

t.test('what is unchanged gets 304, and each change another entity tag', async (t) => {
  const { path } = await addFeed(context, true);
  const slots = await someOpenSlots(context, 3);
  const tags = new Set<string>();
  const tagged = async (change: string) => {
    const { etag } = (await app.inject(path)).headers;
    t.notOk(tags.has(etag!), change);
    tags.add(etag!);
    return etag!;
  };
  await tagged('an empty calendar');
  const booking = await sessionForPerson(service, personNumber(1), slots[0]);
  const etag = await tagged('a session');
  await holdForPerson(service, personNumber(2), slots[1]);
  for (const condition of [etag, `W/${etag}`, `"other", W/${etag}`, `${etag}, "other"`, '*']) {
    for (const [method, each] of [['GET', app] as const, ['HEAD', sibling.app] as const]) {
      const headers = { 'if-none-match': condition };
      const answer = await each.inject({ method, url: path, headers });
      t.match(answer, { statusCode: 304, body: '' }, condition);
      t.match(answer.headers, { etag, 'cache-control': 'private, no-cache' });
      t.match(charged(answer), /^pages /, 'also what is unchanged costs a page');
    }
  }
  const other = await app.inject({ url: path, headers: { 'if-none-match': '"other"' } });
  t.match(other, { statusCode: 200, headers: { etag } });
  await moveCheckout(context, booking.token, slots[2]!, 1);
  await tagged('a move');
  await close('2999-01-01');
  const before = (await app.inject(path)).headers.etag;
  t.ok(tags.has(before!), 'a closure beyond the horizon changes nothing');
  await close(slots[0]!.date);
  await tagged('a closure');
  await cancelByStudio(context, actor, booking.id);
  await tagged('a cancellation');
});

t.test('an address that was replaced or removed is gone at once, at every process', async (t) => {
  const statuses = (path: string, headers = {}) =>
    Promise.all(
      [app, sibling.app].map(
        async (each) => (await each.inject({ url: path, headers })).statusCode,
      ),
    );
  const feed = await addFeed(context);
  const other = await addFeed(context);
  t.strictSame(await statuses(feed.path), [200, 200]);
  const rotated = await rotateCalendarFeed(context, actor, feed.id);
  const { etag } = (await app.inject(other.path)).headers;
  t.strictSame(await statuses(feed.path), [404, 404]);
  const path = feedPath(rotated!.token);
  t.strictSame(await statuses(path), [200, 200]);
  t.match(await removeCalendarFeed(context, actor, feed.id), { id: feed.id });
  for (const headers of [{}, { 'if-none-match': '*' }, { 'if-none-match': etag! }]) {
    t.strictSame(await statuses(path, headers), [404, 404]);
  }
  t.strictSame(await statuses(other.path), [200, 200], 'the other feed stays');
});

t.test('unknown addresses get 404, malformed ones without a query', async (t) => {
  const { token } = await addFeed(context);
  const queries = countQueries(context);
  const last = token.endsWith('x') ? 'y' : 'x';
  const wrong = ['x', token.slice(0, -1), token.slice(0, -1) + last, `${token}x`, `${token}%00`];
  const malformed = [...wrong, createCredential('tsk')].map(feedPath);
  const truncated = ['/calendar', '/calendar/', `/calendar/${token}`, `${feedPath(token)}/more`];
  for (const url of [...malformed, ...truncated]) {
    const answer = await app.inject(url);
    t.match(answer, { statusCode: 404, headers: { 'cache-control': 'no-store' } }, url);
    t.match(answer.json(), { error: { message: /link is not known/ } });
  }
  t.equal(queries.others, 0);
  t.equal((await app.inject(feedPath(createCredential('tsf')))).statusCode, 404);
  t.equal(queries.others, 1);
  const page = await app.inject({ url: malformed[0]!, headers: { accept: 'text/html' } });
  t.match(page, { statusCode: 404, headers: { 'content-type': /text\/html/ } });
});
