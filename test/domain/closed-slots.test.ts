import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sql } from 'kysely';
import t from 'tap';
import { slotsOverlapping } from '../../src/calendar/busy-times.js';
import { addDays } from '../../src/calendar/dates.js';
import { slotKey, timeSlots, todayInZone } from '../../src/calendar/slots.js';
import { closableSlot } from '../../src/domain/booked-slot.js';
import { isClosed } from '../../src/repositories/slot-taking.js';
import { loadCalendar } from '../../src/repositories/studio.js';
import { seed } from '../support/arbitraries.js';
import { startTestService } from '../support/service.js';
import { anyHost, prepareReader, secretAddress, watch } from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';
const days = 4;
const quarterMs = 900_000;

/** Quarters of an hour: how long a calendar is free, and busy then. Many begin and end with a session. */
const stretch = fc.oneof(
  fc.integer({ min: 1, max: 24 * 4 }),
  fc.constantFrom(1, 4, 12, 16, 28, 32, 24 * 4),
);
const calendar = fc.array(fc.record({ free: stretch, busy: stretch }), { maxLength: 6 });

t.test('holds and the board agree about which slots calendars close', async (t) => {
  t.comment(`seed ${seed}`);
  const reader = prepareReader();
  const { context } = await startTestService(t, anyHost, { calendarReader: reader });
  const { database } = context;
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push((await watch(context, secretAddress + name)).id);
  const today = todayInZone(timezone, context.clock.now());
  const from = closableSlot(timezone, [], { date: today, timeSlot: '9:00 AM' }).startsAt.getTime();
  const slots = Array.from({ length: days }, (_, index) => addDays(today, index)).flatMap((date) =>
    timeSlots.map((timeSlot) => ({ date, timeSlot })),
  );
  const seen = { open: 0, closed: 0 };

  await fc.assert(
    fc.asyncProperty(
      fc.tuple(calendar, calendar, calendar),
      fc.constantFrom('18:00', '19:30', '21:00'),
      async (calendars, closes) => {
        await sql`delete from busy_intervals`.execute(database);
        await sql`update opening_hours set opens = '08:00', closes = ${closes}`.execute(database);
        for (const [index, stretches] of calendars.entries()) {
          let at = from - days * 16 * quarterMs;
          for (const { free, busy } of stretches) {
            const startsAt = at + (free - 1) * quarterMs;
            at = startsAt + busy * quarterMs;
            await database
              .insertInto('busy_intervals')
              .values({
                calendar_id: ids[index]!,
                starts_at: new Date(startsAt),
                ends_at: new Date(at),
              })
              .execute();
          }
        }
        const { busy, openingHours } = await loadCalendar(database);
        const closed = slotsOverlapping(busy, { timezone, openingHours });
        for (const slot of slots) {
          const condition = isClosed(closableSlot(timezone, openingHours, slot));
          const { rows } = await sql<{ closed: boolean }>`select ${condition} as closed`.execute(
            database,
          );
          seen[rows[0]!.closed ? 'closed' : 'open'] += 1;
          assert.equal(rows[0]!.closed, closed.has(slotKey(slot)), slotKey(slot));
        }
      },
    ),
    { seed, numRuns: 60 },
  );
  t.ok(Math.min(seen.open, seen.closed) > 100, JSON.stringify(seen));
});
