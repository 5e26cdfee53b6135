import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sql } from 'kysely';
import t from 'tap';
import { studioData } from '../../src/board/calendar-state.js';
import { bookedSlot } from '../../src/domain/booking/booked-slot.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { freeArtist } from '../../src/repositories/slot-taking.js';
import { loadCalendar } from '../../src/repositories/studio.js';
import { replaceDay } from '../../src/repositories/weeks.js';
import { freeArtists } from '../../src/schedule/artists.js';
import { addDays } from '../../src/schedule/dates.js';
import {
  sessionEndsAt,
  slotKey,
  slotStartsAt,
  timeSlots,
  todayInZone,
} from '../../src/schedule/slots.js';
import { seed } from '../support/arbitraries.js';
import { addArtists, insertBooking } from '../support/artists.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const { context } = await startService(t, generous);
const { database } = context;
await addArtists(context, 4);
const timezone = 'America/Los_Angeles';
const at = (afterMs: number) => new Date(context.clock.now() + afterMs);

const days = 3;
const day = fc.integer({ min: 0, max: days - 1 });
const artist = fc.integer({ min: 1, max: 4 });
const timeSlot = fc.constantFrom(...timeSlots);
const someone = fc.option(artist);
/** Days of every week, or of dates, of artists; the studio has all of every week. */
const ownDays = fc
  .array(
    fc.record({
      ...{ someone, day, isDated: fc.boolean(), sessions: fc.subarray([...timeSlots]) },
      closes: fc.constantFrom(null, '17:30', '22:00', '24:00'),
    }),
    { maxLength: 12, size: 'max' },
  )
  .map((all) => all.filter(({ someone, isDated }) => someone !== null || isDated));
const studio = fc.record({
  hidden: fc.uniqueArray(artist, { maxLength: 3 }),
  stays: fc.uniqueArray(
    fc
      .record({ artist, from: fc.option(day), until: fc.option(day) })
      .filter(({ from, until }) => from === null || until === null || from <= until),
    { selector: (each) => each.artist, maxLength: 2 },
  ),
  ownDays,
  closures: fc.array(fc.record({ day, timeSlot: fc.option(timeSlot), someone }), { maxLength: 3 }),
  blocks: fc.array(
    fc.record({
      day,
      from: fc.integer({ min: 0, max: 23 * 4 }),
      quarters: fc.integer({ min: 1, max: 16 }),
      someone,
    }),
    { maxLength: 3 },
  ),
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
/** `HH:MM` after quarters of an hour. */
const clockAt = (quarters: number) =>
  [Math.floor(quarters / 4), (quarters % 4) * 15]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
const runs = Number(process.env['ARTIST_WEEKS'] ?? 60);

t.test(
  'holds and the board agree about who is free, and the least busy gets the slot',
  async (t) => {
    await changeWeek(context, 'test', {
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      hours: { opens: '09:00', closes: '20:00' },
      sessions: timeSlots,
    });
    const first = addDays(todayInZone(timezone, context.clock.now()), 2);
    const dates = Array.from({ length: days }, (_, index) => addDays(first, index));
    const weekday = (date: string) => new Date(`${date}T00:00Z`).getUTCDay() || 7;
    const seen = { free: 0, full: 0, differing: 0 };
    await fc.assert(
      fc.asyncProperty(studio, async (drawn) => {
        await startOver(context);
        await sql`
        delete from week_days where artist_id is not null or from_date is not null;
        update artists set hidden_at = null, first_day = null, last_day = null`.execute(database);
        const ids = drawn.hidden;
        await sql`update artists set hidden_at = booking_now() where id = any(${ids})`.execute(
          database,
        );
        for (const stay of drawn.stays) {
          const [from, until] = [stay.from, stay.until].map((each) => dates[each ?? -1] ?? null);
          await sql`update artists set first_day = ${from}, last_day = ${until}
            where id = ${stay.artist}`.execute(database);
        }
        for (const { someone, day, isDated, sessions, closes } of drawn.ownDays) {
          const hours = { opens: closes === null ? null : '08:00', closes };
          const own = { weekday: weekday(dates[day]!), ...hours, sessions };
          const range = isDated ? { from_date: first, to_date: dates.at(-1)! } : {};
          await database
            .transaction()
            .execute((transaction) => replaceDay(transaction, { ...own, ...range }, someone));
        }
        for (const each of drawn.closures) {
          const date = dates[each.day]!;
          const closure = { from_date: date, to_date: date, time_slot: each.timeSlot };
          await database
            .insertInto('closures')
            .values({ ...closure, artist_id: each.someone })
            .execute();
        }
        for (const { day, from, quarters, someone } of drawn.blocks) {
          const fromDate = dates[day]!;
          const hours = { from: clockAt(from), to: clockAt(Math.min(from + quarters, 96)) };
          const block = { fromDate, toDate: fromDate, timeSlot: null, hours, reason: '' };
          await addClosure(context, 'test', { ...block, artistId: someone });
        }
        for (const { hour, someone } of drawn.busy) {
          const from = slotStartsAt(timezone, first, '9:00 AM').epochMs + hour * 3_600_000;
          const calendar = await insertCalendar(context, { artist_id: someone });
          await setBusy(context, calendar, [from, from + 3_600_000]);
        }
        for (const [index, each] of drawn.bookings.entries()) {
          const slot = { date: dates[each.day]!, timeSlot: each.timeSlot };
          const startsAt = slotStartsAt(timezone, slot.date, slot.timeSlot).epochMs;
          const isConfirmed = each.status === 'confirmed';
          await insertBooking(context, slot, each.artist, {
            artist_name: 'Somebody',
            may_overlap: true,
            starts_at: new Date(startsAt + each.shiftHours * 3_600_000),
            status: isConfirmed ? 'confirmed' : 'pending',
            confirmed_at: isConfirmed ? at(-1) : null,
            created_at: at(-900_000 + index),
            expires_at: at(each.status === 'lapsed' ? -1_000 : 600_000),
          });
        }
        const data = studioData(await loadCalendar(database), context.config);
        await context.board.refresh();
        const { calendar, taken } = await context.board.read();
        const ofArtist = (id: number) => drawn.bookings.filter(({ artist }) => artist === id);
        // All days are within 14 of each other; what has lapsed but is not swept counts beside the date.
        const rank = (date: string, id: number) => [
          ofArtist(id).filter((each) => dates[each.day] === date && each.status !== 'lapsed')
            .length,
          ofArtist(id).length,
          drawn.bookings.findLastIndex(({ artist }) => artist === id),
        ];
        const compare = (one: number[], other: number[]) =>
          one.map((each, index) => each - other[index]!).find((each) => each !== 0) ?? 0;
        for (const slot of dates.flatMap((date) =>
          timeSlots.map((each) => ({ date, timeSlot: each })),
        )) {
          const [expected] = freeArtists(calendar, taken, slot, context.clock.now())
            .map(({ id }) => id)
            .sort((one, other) => compare(rank(slot.date, one), rank(slot.date, other)));
          const { rows } = await sql<{ artist_id: number; end: Date }>`
          with moment as materialized (select booking_now() as now),
          ${freeArtist(bookedSlot(data, slot), { by: 'person' })}
          select artist_id, session_ends_at as end from artist`.execute(database);
          seen[expected === undefined ? 'full' : 'free'] += 1;
          assert.equal(rows[0]?.artist_id, expected, `${slotKey(slot)} ${JSON.stringify(drawn)}`);
          if (expected === undefined) continue;
          const { hours } = calendar.artists.find(({ id }) => id === expected)!;
          const { epochMs } = slotStartsAt(timezone, slot.date, slot.timeSlot);
          assert.equal(rows[0]!.end.getTime(), sessionEndsAt(epochMs, timezone, hours));
          if (bookedSlot(data, slot).ends.length > 0) seen.differing += 1;
        }
      }),
      { seed, numRuns: runs },
    );
    t.ok(Math.min(seen.free, seen.full, seen.differing) > runs, JSON.stringify(seen));
  },
);
