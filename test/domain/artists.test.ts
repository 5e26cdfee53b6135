import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sql } from 'kysely';
import t from 'tap';
import { studioData } from '../../src/board/calendar-state.js';
import { addArtist, changeArtist, hideArtist, orderArtist } from '../../src/domain/artists.js';
import { bookedSlot } from '../../src/domain/booked-slot.js';
import { nearestTimes } from '../../src/domain/closed-days.js';
import { addClosure } from '../../src/domain/closures.js';
import { placeHold } from '../../src/domain/holds.js';
import { addBooking, moveByStudio } from '../../src/domain/studio-bookings.js';
import { changeWeek } from '../../src/domain/week.js';
import type { ServiceError } from '../../src/errors.js';
import { freeArtist, isSlotTaken } from '../../src/repositories/slot-taking.js';
import { loadCalendar } from '../../src/repositories/studio.js';
import { freeArtists } from '../../src/schedule/artists.js';
import { addDays } from '../../src/schedule/dates.js';
import {
  type Slot,
  slotKey,
  slotStartsAt,
  timeSlots,
  todayInZone,
} from '../../src/schedule/slots.js';
import { seed } from '../support/arbitraries.js';
import { addArtists } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { untilLockWaits } from '../support/database.js';
import { hold } from '../support/holds.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const service = await startService(t, generous);
const { context } = service;
const { database } = context;
const neighbour = await startNeighbour(t, context);
const actor = 'ada@desk';

/** As it stands in bookings once there is a second artist. */
let artistName: string | null = null;

/** Inserts a confirmed booking past every rule but those of the database. */
const insertRow = ({ date, timeSlot }: Slot, artistId: number, changes: object = {}) =>
  database
    .insertInto('bookings')
    .values({
      ...{
        status: 'confirmed',
        date,
        time_slot: timeSlot,
        artist_id: artistId,
        artist_name: artistName,
      },
      ...{ timezone, label: 'A session', starts_at_text: '', confirmed_at: at(0) },
      ...{ created_at: at(0), expires_at: at(900_000), checkout_token_sealed: Buffer.alloc(0) },
      starts_at: new Date(slotStartsAt(timezone, date, timeSlot).epochMs),
      checkout_token_hash: sql<Buffer>`sha256(gen_random_uuid()::text::bytea)`,
      ...changes,
    } as never)
    .execute();
const timezone = 'America/Los_Angeles';
const at = (afterMs: number) => new Date(context.clock.now() + afterMs);

t.test(
  'the database holds a slot to one booking, and with a second artist to one of each',
  async (t) => {
    const [slot] = (await someOpenSlots(context, 1)) as [Slot];
    const { booking } = await hold(context, slot.date, slot.timeSlot);
    await insertCalendar(context);
    t.match(booking, { artist_id: 1, artist_name: null, label: /AM$|PM$/ });
    const refuses = async (wanted: string, insert: Promise<unknown>) => {
      const error = await insert.catch((failure: unknown) => failure);
      t.equal((error as { constraint?: string }).constraint, wanted);
      t.ok(isSlotTaken(error));
    };
    await refuses('bookings_one_live_per_slot', insertRow(slot, 1));

    t.match(await addArtist(context, actor, { name: 'Jon', about: '', email: '' }), {
      outcome: 'first_unnamed',
    });
    const artists = await addArtists(context, 4);
    artistName = 'Somebody';
    t.strictSame(
      artists.map(({ slug }) => slug),
      ['mara', 'jon', 'zoe', 'ada'],
    );
    t.match(await bookingRow(context, booking.id), {
      artist_name: 'Mara',
      label: `${booking.label} with Mara`,
      sequence: booking.sequence,
    });
    const calendars = database.selectFrom('watched_calendars').select('artist_id');
    t.strictSame(await calendars.execute(), [{ artist_id: 1 }], 'the first takes them over');
    service.expectLog(/version 2\.8\.2 may not take slots|without a version/);
    await t.rejects(sql`select lock_slots('2.8.2')`.execute(database), { code: 'BV001' });

    const ofOldProcess = insertRow({ ...slot, date: '2027-06-02' }, 1, { artist_name: null });
    await t.rejects(ofOldProcess, { code: 'BV001' }, 'it has locked without a version');
    await refuses('bookings_one_live_per_artist', insertRow(slot, 1, { may_overlap: true }));
    await insertRow(slot, 2);
    const morning: Slot = { date: '2027-06-01', timeSlot: '9:00 AM' };
    const startsAt = new Date(slotStartsAt(timezone, morning.date, '9:00 AM').epochMs + 3_600_000);
    const overlapping = (artistId: number, changes = {}) =>
      insertRow({ ...morning, timeSlot: '1:00 PM' }, artistId, { starts_at: startsAt, ...changes });
    await insertRow(morning, 2);
    await refuses('bookings_apart', overlapping(2));
    await overlapping(2, { may_overlap: true });
    await overlapping(1);
  },
);

t.test('forty people at two processes fill a slot to exactly its free artists', async (t) => {
  await startOver(context, neighbour);
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const process = index % 2 === 0 ? context : neighbour;
      const request = holdRequest(slot, personNumber(index));
      return placeHold(process, callerNumber(index), request, null).then(
        ({ booking }) => booking.artist_name!,
        (error: unknown) => (error as ServiceError).code,
      );
    }),
  );
  const held = outcomes.filter((outcome) => outcome !== 'slot_unavailable').sort();
  t.strictSame(held, ['Ada', 'Jon', 'Mara', 'Zoë'], 'no artist twice, and nobody in vain');
  t.match(await addBooking(context, actor, slot, { name: 'Walter' }), { outcome: 'taken' });
});

t.test('whose artist is confirmed at that moment gets another who is free', async (t) => {
  await startOver(context, neighbour);
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const { booking } = await hold(context, slot.date, slot.timeSlot);
  t.equal(booking.artist_name, 'Mara');
  let holding: ReturnType<typeof placeHold> | undefined;
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('bookings')
      .set({ status: 'confirmed', confirmed_at: booking.created_at })
      .where('id', '=', booking.id)
      .execute();
    await service.shiftClock(16 * 60_000);
    await context.board.refresh();
    holding = placeHold(context, callerNumber(2), holdRequest(slot, personNumber(2)), null);
    await untilLockWaits(database, 1, holding);
  });
  t.match(await holding, { booking: { artist_name: 'Jon' } });
  await service.shiftClock(0);
});

t.test(
  'a sick day within the notice has another artist, and a move nobody who is away',
  async (t) => {
    await startOver(context, neighbour);
    const [slot, other] = (await someOpenSlots(context, 2)) as [Slot, Slot];
    const added = await addBooking(context, actor, { ...slot, artistId: 1 }, { name: 'Walter' });
    const booking = await bookingRow(context, 'booking' in added ? added.booking.id : '');
    await service.shiftClock(booking.starts_at.getTime() - context.clock.now() - 30 * 60_000);
    const closure = { fromDate: slot.date, toDate: other.date, timeSlot: null, artistId: 1 };
    const offers = await nearestTimes(context, [booking], closure);
    t.match(offers.get(booking.id), [{ ...slot, artistName: 'Jon' }, {}]);
    await service.shiftClock(0);
    await addClosure(context, actor, { ...closure, reason: '' });
    t.match(await moveByStudio(context, actor, booking.id, other), {
      outcome: 'moved',
      booking: { artist_name: 'Jon' },
      schedule: 'open',
    });
  },
);

t.test('a name goes to live bookings, and the last who is shown stays', async (t) => {
  await startOver(context, neighbour);
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const added = await addBooking(context, actor, { ...slot, artistId: 3 }, { name: 'Walter' });
  t.match(added, { outcome: 'added', booking: { artist_name: 'Zoë', label: / with Zoë$/ } });
  const id = 'booking' in added ? added.booking.id : '';
  t.match(await changeArtist(context, actor, 'zoe', { name: 'jon' }), {
    mistakes: { name: /Another artist/ },
  });
  t.match(await changeArtist(context, actor, 'zoe', { name: 'Zoe Q.', email: 'zoe' }), {
    mistakes: { email: /e-mail address/ },
  });
  await changeArtist(context, actor, 'zoe', { name: ' Zoe  Q. ', about: ' Fine\nline ' });
  t.match(await bookingRow(context, id), { artist_name: 'Zoe Q.', label: / with Zoe Q\.$/ });
  for (const slug of ['mara', 'jon', 'ada']) await hideArtist(context, actor, slug, true);
  t.match(await hideArtist(context, actor, 'zoe', true), { outcome: 'last_shown' });
  t.match(await addBooking(context, actor, slot, { name: 'Ida' }), { outcome: 'taken' });
  const ofHidden = await addBooking(context, actor, { ...slot, artistId: 1 }, { name: 'Ida' });
  t.match(ofHidden, { outcome: 'added', booking: { artist_name: 'Mara' } }, 'the studio by name');
  await t.rejects(placeHold(context, callerNumber(1), holdRequest(slot), null), {
    code: 'slot_unavailable',
  });
  for (const slug of ['mara', 'jon', 'ada']) await hideArtist(context, actor, slug, false);
  await orderArtist(context, actor, 'ada', 1);
  const order = database.selectFrom('artists').select('slug').orderBy('position');
  t.strictSame(
    (await order.execute()).map(({ slug }) => slug),
    ['ada', 'mara', 'jon', 'zoe'],
  );
});

const days = 3;
const day = fc.integer({ min: 0, max: days - 1 });
const artist = fc.integer({ min: 1, max: 4 });
const timeSlot = fc.constantFrom(...timeSlots);
const someone = fc.option(artist);
const sessions = fc.uniqueArray(fc.record({ day, timeSlot }), {
  selector: (each) => `${each.day} ${each.timeSlot}`,
});
const studio = fc.record({
  hidden: fc.uniqueArray(artist, { maxLength: 3 }),
  weeks: fc.uniqueArray(fc.record({ artist, sessions }), { selector: (each) => each.artist }),
  closures: fc.array(fc.record({ day, timeSlot: fc.option(timeSlot), someone }), { maxLength: 3 }),
  busy: fc.array(fc.record({ hour: fc.integer({ min: 0, max: days * 24 }), someone }), {
    maxLength: 3,
  }),
  bookings: fc.uniqueArray(
    fc.record({
      ...{ artist, day, timeSlot },
      /** One of another time zone is at another instant. */
      shiftHours: fc.constantFrom(0, 0, 0, 2, -3),
      status: fc.constantFrom('confirmed', 'pending', 'lapsed'),
    }),
    {
      selector: (each) => `${each.artist} ${each.day} ${each.timeSlot}`,
      maxLength: days * 3 * 4,
      size: 'max',
    },
  ),
});
const runs = Number(process.env['ARTIST_WEEKS'] ?? 60);

t.test(
  'holds and the board agree about who is free, and the least busy gets the slot',
  async (t) => {
    await changeWeek(context, actor, {
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      hours: { opens: '09:00', closes: '20:00' },
      sessions: timeSlots,
    });
    const first = addDays(todayInZone(timezone, context.clock.now()), 2);
    const dates = Array.from({ length: days }, (_, index) => addDays(first, index));
    const weekday = (date: string) => new Date(`${date}T00:00Z`).getUTCDay() || 7;
    const seen = { free: 0, full: 0 };
    await fc.assert(
      fc.asyncProperty(studio, async (drawn) => {
        await startOver(context);
        await sql`
        delete from artist_sessions;
        update artists set hidden_at = null, has_own_week = false`.execute(database);
        const ids = drawn.hidden;
        await sql`update artists set hidden_at = booking_now() where id = any(${ids})`.execute(
          database,
        );
        for (const week of drawn.weeks) {
          await sql`update artists set has_own_week = true where id = ${week.artist}`.execute(
            database,
          );
          for (const each of week.sessions) {
            const own = { artist_id: week.artist, weekday: weekday(dates[each.day]!) };
            await database
              .insertInto('artist_sessions')
              .values({ ...own, time_slot: each.timeSlot })
              .execute();
          }
        }
        for (const each of drawn.closures) {
          const date = dates[each.day]!;
          const closure = { from_date: date, to_date: date, time_slot: each.timeSlot };
          await database
            .insertInto('closures')
            .values({ ...closure, artist_id: each.someone })
            .execute();
        }
        for (const { hour, someone } of drawn.busy) {
          const from = slotStartsAt(timezone, first, '9:00 AM').epochMs + hour * 3_600_000;
          const calendar = await insertCalendar(context, { artist_id: someone });
          await setBusy(context, calendar, [from, from + 3_600_000]);
        }
        for (const each of drawn.bookings) {
          const slot = { date: dates[each.day]!, timeSlot: each.timeSlot };
          const startsAt = slotStartsAt(timezone, slot.date, slot.timeSlot).epochMs;
          const isConfirmed = each.status === 'confirmed';
          await insertRow(slot, each.artist, {
            may_overlap: true,
            starts_at: new Date(startsAt + each.shiftHours * 3_600_000),
            status: isConfirmed ? 'confirmed' : 'pending',
            confirmed_at: isConfirmed ? at(-1) : null,
            created_at: at(-900_000),
            expires_at: at(each.status === 'lapsed' ? -1_000 : 600_000),
          });
        }
        const data = studioData(await loadCalendar(database), context.config);
        await context.board.refresh();
        const { calendar, taken } = await context.board.read();
        const sessionsOf = (date: string, id: number) =>
          drawn.bookings.filter(
            (each) => dates[each.day] === date && each.artist === id && each.status !== 'lapsed',
          ).length;
        for (const slot of dates.flatMap((date) =>
          timeSlots.map((each) => ({ date, timeSlot: each })),
        )) {
          const [expected] = freeArtists(calendar, taken, slot, context.clock.now())
            .map(({ id }) => id)
            .sort((one, other) => sessionsOf(slot.date, one) - sessionsOf(slot.date, other));
          const { rows } = await sql<{ artist_id: number }>`
          with moment as materialized (select booking_now() as now),
          ${freeArtist(bookedSlot(data, slot), { by: 'person' })}
          select artist_id from artist`.execute(database);
          seen[expected === undefined ? 'full' : 'free'] += 1;
          assert.equal(rows[0]?.artist_id, expected, `${slotKey(slot)} ${JSON.stringify(drawn)}`);
        }
      }),
      { seed, numRuns: runs },
    );
    t.ok(Math.min(seen.free, seen.full) > runs, JSON.stringify(seen));
  },
);
