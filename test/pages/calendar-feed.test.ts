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
import { generous, startTestService } from '../support/service.js';
import { addFeed, holdNumber, readFeed, sessionNumber } from '../support/feeds.js';

const actor = 'ada@desk';
const zone = 'America/Los_Angeles';

t.test('the feed shows confirmed sessions and closures, and nothing else', async (t) => {
  const service = await startTestService(t);
  const { context } = service;
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
  await addBooking(context, actor, { date: '2999-06-01', timeSlot: '1:00 PM' }, { name: 'Grace' });
  const closure = { fromDate: slots[7]!.date, toDate: slots[7]!.date, timeSlot: null, reason: 'x' };
  const closed = await addClosure(context, actor, closure, { cancelBookings: false });
  if (closed.outcome !== 'added') throw new Error(closed.outcome);
  const { id: calendar_id } = await context.database
    .insertInto('watched_calendars')
    .values({
      label: 'Private',
      host: 'calendar.example',
      address_sealed: Buffer.from(''),
      address_hash: Buffer.from(''),
      created_at: new Date(context.clock.now()),
      next_fetch_at: new Date(context.clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const starts_at = new Date(slotStartsAt(zone, slots[5]!.date, slots[5]!.timeSlot).epochMs);
  const ends_at = new Date(starts_at.getTime() + 1);
  await context.database
    .insertInto('busy_intervals')
    .values({ calendar_id, starts_at, ends_at })
    .execute();

  const { events, answer } = await readFeed(service, feed.path);
  t.match(events, [
    { uid: kept.id, summary: 'A. P.' },
    { uid: moved.id, summary: 'A. P.' },
    { summary: 'G.' },
    { uid: closed.closure.id, summary: 'Closed', isAllDay: true },
  ]);
  t.equal(events.length, 4);
  const startOf = (slot: Slot) => slotStartsAt(zone, slot.date, slot.timeSlot).epochMs;
  t.strictSame(
    events.slice(0, 3).map(({ occurrences }) => occurrences[0]!.startsAt),
    [slots[0]!, slots[4]!, { date: '2999-06-01', timeSlot: '1:00 PM' as const }].map(startOf),
  );
  const [first, second] = events.map(({ component }) => ({
    sequence: component.getFirstPropertyValue('sequence'),
    stamp: String(component.getFirstPropertyValue('dtstamp')),
  }));
  t.ok(Number(second!.sequence) > Number(first!.sequence));
  t.ok(second!.stamp > first!.stamp, 'it changed with the move');
  const unfolded = answer.body.replaceAll('\r\n ', '');
  for (const secret of ['Park', '@', '555', 'word', 'xe/xem', 'http', 'checkout/', kept.token]) {
    t.notMatch(unfolded, secret);
  }

  const detailed = await readFeed(service, (await addFeed(context, true)).path);
  t.match(detailed.events[0], { summary: 'Ada Park', description: 'Phone: (555) 200-0001' });
  t.match(detailed.events[3], { summary: 'Closed: x' });
  const everything = detailed.answer.body.replaceAll('\r\n ', '');
  for (const secret of ['@', 'word', 'xe/xem', 'http', 'checkout/', kept.token]) {
    t.notMatch(everything, secret);
  }
  await forgetPerson(context, actor, { id: kept.id }, { cancelBookings: true });
  const after = await readFeed(service, feed.path);
  t.notOk(after.events.some(({ uid }) => uid === kept.id));
});

t.test('it reaches 31 days back, and closures end at the horizon', async (t) => {
  const service = await startTestService(t, { ...generous, BOOKING_HORIZON_DAYS: '90' });
  const { context } = service;
  const feed = await addFeed(context);
  const today = todayInZone(zone, context.clock.now());
  const rows = [-40, -32, -31, 0, 90, 91].map((days) => addDays(today, days));
  const { id } = await sessionNumber(service, 1, (await someOpenSlots(context, 1))[0]!);
  const bookings = context.database.updateTable('bookings').where('id', '=', id);
  const closures = await context.database
    .insertInto('closures')
    .values(rows.map((date) => ({ from_date: date, to_date: date, time_slot: null })))
    .returningAll()
    .execute();
  const uids = async () => (await readFeed(service, feed.path)).events.map(({ uid }) => uid);
  const shown = closures.slice(2, 5).map((row) => row.id);
  t.strictSame(await uids(), [id, ...shown]);
  for (const [days, isShown] of [
    [-32, false],
    [-31, true],
  ] as const) {
    const date = addDays(today, days);
    const starts_at = new Date(slotStartsAt(zone, date, '9:00 AM').epochMs);
    await bookings.set({ date, starts_at }).execute();
    t.equal((await uids()).includes(id), isShown, `${days} days`);
  }
});

t.test(
  'sessions keep the zone in which they were booked, closures are in the studio’s',
  async (t) => {
    const service = await startTestService(t);
    const { context } = service;
    const feed = await addFeed(context);
    const [slot, other] = await someOpenSlots(context, 2);
    const { id } = await sessionNumber(service, 1, slot!);
    await changeStudio(context, actor, { timezone: 'Europe/Berlin' });
    await context.board.refresh();
    const { id: berlin } = await sessionNumber(service, 2, (await someOpenSlots(context, 5))[4]!);
    const closure = { fromDate: other!.date, toDate: addDays(other!.date, 2), reason: '' };
    const slots = { ...closure, timeSlot: '5:00 PM' as const };
    await addClosure(context, actor, slots, { cancelBookings: false });
    const { events, root } = await readFeed(service, feed.path);
    t.strictSame(
      root
        .getAllSubcomponents('vtimezone')
        .map((each) => each.getFirstPropertyValue('tzid'))
        .sort(),
      [zone, 'Europe/Berlin'],
    );
    const zones = new Map(
      events.map(({ uid, component }) => [
        uid,
        component.getFirstProperty('dtstart')!.getParameter('tzid'),
      ]),
    );
    t.equal(zones.get(id), zone);
    t.equal(zones.get(berlin), 'Europe/Berlin');
    t.strictSame(
      events.at(-1)!.occurrences.map(({ startsAt }) => startsAt),
      [0, 1, 2].map(
        (days) => slotStartsAt('Europe/Berlin', addDays(other!.date, days), '5:00 PM').epochMs,
      ),
    );
  },
);
