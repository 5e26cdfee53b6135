import t from 'tap';
import { createDatabase, createPool } from '../../src/database/pool.js';
import { awaitBooking } from '../../src/domain/booking/public-bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { addClosure, readClosures } from '../../src/domain/studio/closures.js';
import { correctByStudio } from '../../src/domain/studio/correction.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { followZoneData, knownVersion } from '../../src/domain/studio/zone-data.js';
import { addDays } from '../../src/schedule/dates.js';
import { instantOfWallClock, timeSlots } from '../../src/schedule/slots.js';
import { cutListeners, watchListener } from '../support/board.js';
import { bookingRow, storedBookings } from '../support/bookings.js';
import { addPerson } from '../support/console.js';
import { watchStatements } from '../support/database.js';
import { until } from '../support/embedded.js';
import { addFeed, readFeed } from '../support/feeds.js';
import { hold } from '../support/holds.js';
import { readCalendarPart } from '../support/mails.js';
import { callerNumber, personNumber, someOpenSlots } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import {
  dataAs,
  datesOfChanges,
  expectedAs,
  otherClocks,
  zoneChangesOf,
} from '../support/zone-data.js';

const service = await startService(t, generous, { mail: true });
const { context, smtp } = service;
const { database } = context;
t.beforeEach(() => startOver(context));

t.test(
  'by newer data, with clocks earlier or later, over both changes of the clock, each live session to come begins when its wall-clock time does, as one change with one mail',
  async (t) => {
    const slots = datesOfChanges(context).flatMap((date) =>
      timeSlots.map((timeSlot) => ({ date, timeSlot })),
    );
    const emails = new Map<string, string>();
    for (const [index, slot] of slots.entries()) {
      const person = { name: 'Grace', ...personNumber(index) };
      emails.set((await addPerson(service, slot, person)).id, person.email!);
    }
    const [one, two, three] = await someOpenSlots(context, 3);
    await hold(context, one!.date, one!.timeSlot);
    const cancelled = await addPerson(service, two!);
    await cancelByStudio(context, 'test', cancelled.id, {});
    const begun = await addPerson(service, three!);
    await database
      .updateTable('bookings')
      .set({ starts_at: new Date(context.clock.now() - 1), may_overlap: true })
      .where('id', '=', begun.id)
      .execute();
    await service.settle();
    const { path } = await addFeed(context);
    const [, date] = datesOfChanges(context);
    const dates = { fromDate: date!, toDate: date!, timeSlot: null, reason: '' };
    const block = { ...dates, hours: { from: '22:30', to: '24:00' } };
    await addClosure(context, 'test', block);

    for (const zone of otherClocks) {
      const data = dataAs(zone);
      const { bookings } = await storedBookings(context);
      const sentBefore = smtp.received().length;
      const changedCount = await followZoneData(context, data);
      await service.settle();
      const mails = smtp.received().slice(sentBefore);
      const { events: sessions } = await readFeed(service, path);
      const wanted = [`${date}T22:30:00`, `${addDays(date!, 1)}T00:00:00`].map(
        (wallClock) => new Date(instantOfWallClock(zone, wallClock).epochMs),
      );
      const [closure] = await readClosures(context, { past: true });
      t.strictSame([closure!.starts_at, closure!.ends_at], wanted, `a block as in ${zone}`);
      let [expectedCount, mailCount] = [0, 0];
      for (const before of bookings) {
        const { id, date, time_slot } = before;
        const isOver = id === cancelled.id || id === begun.id;
        const row = await bookingRow(context, id);
        const { changed_at: changedAt } = row;
        const expected = isOver ? before : expectedAs(zone, data.version!, before, changedAt);
        t.strictSame(row, expected);
        const ofPerson = mails.filter(({ to }) => to.includes(emails.get(id) ?? ''));
        if (expected === before) {
          t.strictSame(ofPerson, []);
          continue;
        }
        expectedCount += 1;
        t.ok(changedAt!.getTime() > (before.changed_at?.getTime() ?? 0));
        t.match((await zoneChangesOf(context, id)).at(-1), {
          ...{ by: 'service', is_quiet: false, sequence: expected.sequence },
          from: { date, time_slot, starts_at: before.starts_at_text },
          to: { date, time_slot, starts_at: expected.starts_at_text },
          ends_at_text: expected.ends_at_text,
        });
        if (before.status === 'pending') continue;
        mailCount += 1;
        const times = {
          startsAt: expected.starts_at.getTime(),
          endsAt: expected.ends_at!.getTime(),
        };
        t.match(sessions.find(({ uid }) => uid === id)?.occurrences, [times]);
        t.equal(ofPerson.length, 1);
        const { subject, text, attachments } = await ofPerson[0]!.parsed();
        t.match(subject, new RegExp(`^Still on .*, ${time_slot.slice(0, -3)} .*– .* · `));
        t.match(text, `Your session is still at ${time_slot}\n`);
        t.notMatch(text, /Before:|moved to/);
        const part = readCalendarPart(
          Buffer.from(attachments[0]!.content as ArrayBuffer).toString(),
        );
        t.equal(part.root.getFirstPropertyValue('method'), 'REQUEST');
        t.equal(part.event.sequence, expected.sequence);
        t.equal(part.event.startDate.toUnixTime() * 1_000, times.startsAt);
      }
      t.ok(expectedCount >= 9, `${zone}: ${expectedCount} sessions are at another instant`);
      t.equal(changedCount, expectedCount);
      t.equal(mails.length, mailCount, 'and none for the studio');
      t.equal(await followZoneData(context, data), 0, 'once');
    }
  },
);

t.test('where nothing is to be done, it is one query', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  await addPerson(service, slot!);
  const [older, data] = [dataAs(otherClocks[2]!), dataAs(otherClocks[0]!)];
  await followZoneData(context, data);
  const { bookings } = await storedBookings(context);
  const { connection, log } = context;
  const pool = createPool(connection, log, { max: 1 });
  const ownDatabase = createDatabase(pool);
  t.teardown(() => ownDatabase.destroy());
  let statements = 0;
  watchStatements(pool, () => (statements += 1));
  for (const each of [data, older, { ...older, version: null }]) {
    t.equal(await followZoneData({ database: ownDatabase, log }, each), 0);
  }
  t.equal(statements, 2, 'none where the data have no version');
  t.strictSame((await storedBookings(context)).bookings, bookings);
});

t.test('a wait ends when the instant changes, also where the notification is lost', async (t) => {
  const service = await startService(t);
  service.expectLog(lostDatabase);
  const { context } = service;
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot!.date, slot!.timeSlot);
  let reads = 0;
  const reading: typeof context = {
    ...context,
    async publicBookings(id) {
      const read = await context.publicBookings(id);
      reads += 1;
      return read;
    },
  };
  const ending = AbortSignal.timeout(25_000);
  const wait = () => awaitBooking(reading, callerNumber(1), booking.id, 60, ending);
  const notified = wait();
  await until(() => reads === 1);
  await followZoneData(context, dataAs('America/Denver'));
  t.match((await notified).booking, { status: 'pending', starts_at_text: /-07:00$/ });
  const waiting = wait();
  await until(() => reads === 3);
  const watch = await watchListener(context);
  await cutListeners(context);
  await watch.lost;
  // Without an event.
  const { starts_at_text } = booking;
  await context.database.updateTable('bookings').set({ starts_at_text }).execute();
  t.match((await waiting).booking, { status: 'pending', starts_at_text });
  t.notOk(ending.aborted, 'neither by the time');
});

t.test('a change of the place or the person ends no wait', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot!.date, slot!.timeSlot);
  const ending = AbortSignal.timeout(25_000);
  const waiting = awaitBooking(context, callerNumber(1), booking.id, 60, ending);
  const announced = new Promise<void>((resolve) => {
    context.listener.subscribe('booking_events', {
      notified(payload) {
        if (payload.includes('booking.corrected')) resolve();
      },
    });
  });
  await changeStudio(context, 'test', { street: '2 Birch Lane' });
  await correctByStudio(context, 'test', booking.id, { email: 'corrected@example.com' });
  await announced;
  await cancelByStudio(context, 'test', booking.id, {});
  t.match(await waiting, { booking: { status: 'cancelled' } });
});

t.test('versions are compared by year, then by letters; odd ones are none', async (t) => {
  for (const odd of [undefined, '', '2025', 'c', '2025C', '2025c1', '2025c-4', 'unknown']) {
    t.equal(knownVersion(odd), null);
  }
  for (const version of ['2099z', '2099za', '2100a']) {
    t.equal(knownVersion(version), version);
    await followZoneData(context, dataAs('America/Phoenix', version));
    await followZoneData(context, dataAs('America/Phoenix', '2099y'));
    const rows = await database.selectFrom('zone_data').select('version').execute();
    t.strictSame(rows, [{ version }]);
  }
});
