import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sql } from 'kysely';
import t from 'tap';
import { studioData } from '../../src/board/calendar-state.js';
import { bookedSlot } from '../../src/domain/booking/booked-slot.js';
import { fetchWatchedCalendar } from '../../src/domain/studio/watched-calendars.js';
import { isClosed } from '../../src/repositories/slot-taking.js';
import { loadCalendar } from '../../src/repositories/studio.js';
import { slotsOverlapping } from '../../src/schedule/busy-times.js';
import { addDays } from '../../src/schedule/dates.js';
import { slotKey, slotStartsAt, timeSlots, todayInZone } from '../../src/schedule/slots.js';
import { agent } from '../support/agents.js';
import { seed } from '../support/arbitraries.js';
import { setBusy } from '../support/busy-calendars.js';
import { untilLockWaits } from '../support/database.js';
import { someOpenSlots } from '../support/requests.js';
import { startNeighbour } from '../support/service.js';
import {
  busyAt,
  busyDuring,
  prepareReader,
  secretAddress,
  startWatching,
  watch,
} from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';

/** It serves requests, and another process fetches a calendar. */
const { app, context } = await startWatching(t);
const reader = prepareReader();
const fetcher = await startNeighbour(t, context, { calendarReader: reader });

t.test('a hold waits for a fetch that is being written, and loses', async (t) => {
  const { id } = await watch(fetcher);
  const [slot] = await someOpenSlots(context, 1);
  let holding: ReturnType<ReturnType<typeof agent>['hold']> | undefined;
  let fetching: ReturnType<typeof fetchWatchedCalendar> | undefined;
  await context.database.transaction().execute(async (transaction) => {
    // The fetch has claimed the calendar, and has the lock of the slots, before it needs the row.
    let isRead: () => void = () => undefined;
    const read = new Promise<void>((resolve) => (isRead = resolve));
    let answer: () => void = () => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    reader.find(async () => {
      isRead();
      await mayAnswer;
      return busyAt([busyDuring(slot)]);
    });
    fetching = fetchWatchedCalendar(fetcher, id);
    await read;
    await sql`select from watched_calendars for update`.execute(transaction);
    answer();
    await untilLockWaits(context.database, 1, fetching);
    holding = agent(app).hold(slot);
    await untilLockWaits(context.database, 2, holding);
  });
  t.match(await fetching, { busyIntervals: 1 });
  const response = await holding!;
  t.equal(response.statusCode, 409);
  t.match(response.json(), { error: { message: /^The studio is closed on/ } });
});

const days = 4;
const quarterMs = 900_000;

/** Quarters of an hour: how long a calendar is free, and busy then. Many begin and end with a session. */
const stretch = fc.oneof(
  fc.integer({ min: 1, max: 24 * 4 }),
  fc.constantFrom(1, 4, 12, 16, 28, 32, 24 * 4),
);
const calendar = fc.array(fc.record({ free: stretch, busy: stretch }), { maxLength: 6 });

t.test('holds and the board agree about which slots calendars close', async (t) => {
  const { database } = context;
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push((await watch(context, secretAddress + name)).id);
  const today = todayInZone(timezone, context.clock.now());
  const from = slotStartsAt(timezone, today, '9:00 AM').epochMs;
  const slots = Array.from({ length: days }, (_, index) => addDays(today, index)).flatMap((date) =>
    timeSlots.map((timeSlot) => ({ date, timeSlot })),
  );
  const seen = { open: 0, closed: 0 };
  const closingTimes = fc.constantFrom('18:00', '19:30', '21:00');
  await fc.assert(
    fc.asyncProperty(calendar, calendar, calendar, closingTimes, async (...drawn) => {
      const calendars = drawn.slice(0, 3) as { free: number; busy: number }[][];
      await sql`update week_days set opens = '08:00', closes = ${drawn[3]}`.execute(database);
      for (const [index, stretches] of calendars.entries()) {
        let at = from - days * 16 * quarterMs;
        const intervals = stretches.map(({ free, busy }): [number, number] => {
          const startsAt = at + (free - 1) * quarterMs;
          at = startsAt + busy * quarterMs;
          return [startsAt, at];
        });
        await setBusy(context, ids[index]!, ...intervals);
      }
      const data = studioData(await loadCalendar(database), context.config);
      const { busy, openingHours } = data;
      const byBoard = slotsOverlapping(busy, { timezone, openingHours });
      const conditions = slots.map((slot) => isClosed(bookedSlot(data, slot)));
      const { rows } = await sql<{ closed: boolean[] }>`
        select array[${sql.join(conditions)}] as closed from artists`.execute(database);
      for (const [index, isClosedForHolds] of rows[0]!.closed.entries()) {
        seen[isClosedForHolds ? 'closed' : 'open'] += 1;
        const key = slotKey(slots[index]!);
        assert.equal(isClosedForHolds, byBoard.has(key), key);
      }
    }),
    { seed, numRuns: 60 },
  );
  t.ok(Math.min(seen.open, seen.closed) > 100, JSON.stringify(seen));
});
