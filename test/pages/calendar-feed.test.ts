import t from 'tap';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { addClosure } from '../../src/domain/closures.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { forgetPerson } from '../../src/domain/personal-data.js';
import { addBooking } from '../../src/domain/studio-bookings.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import { addDays } from '../../src/calendar/dates.js';
import { slotStartsAt, todayInZone, type Slot } from '../../src/calendar/slots.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { addFeed, holdNumber, readFeed, sessionNumber } from '../support/feeds.js';

const actor = 'ada@desk';
const zone = 'America/Los_Angeles';
const noCancelling = { cancelBookings: false };
const startOf = ({ date, timeSlot }: Slot) => slotStartsAt(zone, date, timeSlot).epochMs;

t.test('the feed shows confirmed sessions and closures, and nothing else', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const { database, clock } = context;
  const feed = await addFeed(context);
  const slots = await someOpenSlots(context, 8);
  const idea = 'word '.repeat(400).trim();
  const kept = await sessionNumber(service, 1, slots[0]!, { idea, pronouns: 'xe/xem' });
  await holdNumber(service, 2, slots[1]!);
  const cancelled = await sessionNumber(service, 3, slots[2]!);
  await cancelByStudio(context, actor, cancelled.id);
  const moved = await sessionNumber(service, 4, slots[3]!);
  await service.shiftClock(60_000);
  await moveCheckout(context, moved.token, slots[4]!, 1);
  const far = { date: '2999-06-01', timeSlot: '1:00 PM' } as const;
  await addBooking(context, actor, far, { name: 'Grace' });
  const { date } = slots[7]!;
  const closure = { fromDate: date, toDate: date, timeSlot: null, reason: 'x' };
  const closed = await addClosure(context, actor, closure, noCancelling);
  if (closed.outcome !== 'added') throw new Error(closed.outcome);
  const now = new Date(clock.now());
  const { id: calendar_id } = await database
    .insertInto('watched_calendars')
    .values({
      ...{ label: 'Private', host: 'calendar.example', created_at: now, next_fetch_at: now },
      ...{ address_sealed: Buffer.from(''), address_hash: Buffer.from('') },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const starts_at = new Date(startOf(slots[5]!));
  const ends_at = new Date(starts_at.getTime() + 1);
  await database.insertInto('busy_intervals').values({ calendar_id, starts_at, ends_at }).execute();

  const { events, answer } = await readFeed(service, feed.path);
  t.match(events, [
    { uid: kept.id, summary: 'A. P.' },
    { uid: moved.id, summary: 'A. P.' },
    { summary: 'G.' },
    { uid: closed.closure.id, summary: 'Closed', isAllDay: true },
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
  const service = await startService(t, { ...generous, BOOKING_HORIZON_DAYS: '90' });
  const { context } = service;
  const feed = await addFeed(context);
  const today = todayInZone(zone, context.clock.now());
  const rows = [-40, -32, -31, 0, 90, 91].map((days) => addDays(today, days));
  const { id } = await sessionNumber(service, 1, (await someOpenSlots(context, 1))[0]!);
  const closures = await context.database
    .insertInto('closures')
    .values(rows.map((date) => ({ from_date: date, to_date: date, time_slot: null })))
    .returningAll()
    .execute();
  const uids = async () => (await readFeed(service, feed.path)).events.map(({ uid }) => uid);
  const shown = closures.slice(2, 5).map((row) => row.id);
  t.strictSame(await uids(), [id, ...shown]);
  for (const days of [-32, -31]) {
    const date = addDays(today, days);
    const starts_at = new Date(startOf({ date, timeSlot: '9:00 AM' }));
    const session = context.database.updateTable('bookings').where('id', '=', id);
    await session.set({ date, starts_at }).execute();
    t.equal((await uids()).includes(id), days === -31, `${days} days`);
  }
});

t.test('sessions keep the zone of their booking, closures are in the studio’s', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const feed = await addFeed(context);
  const [slot, other] = await someOpenSlots(context, 2);
  const { id } = await sessionNumber(service, 1, slot!);
  const timezone = 'Europe/Berlin';
  await changeStudio(context, actor, { timezone });
  await context.board.refresh();
  const { id: berlin } = await sessionNumber(service, 2, (await someOpenSlots(context, 5))[4]!);
  const dates = [0, 1, 2].map((days) => addDays(other!.date, days));
  const closure = {
    fromDate: dates[0]!,
    toDate: dates[2]!,
    timeSlot: '5:00 PM',
    reason: '',
  } as const;
  await addClosure(context, actor, closure, noCancelling);
  const { events, root } = await readFeed(service, feed.path);
  const zones = root.getAllSubcomponents('vtimezone');
  const names = zones.map((each) => String(each.getFirstPropertyValue('tzid')));
  t.strictSame(names.sort(), [zone, timezone]);
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
