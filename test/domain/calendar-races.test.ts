import { sql } from 'kysely';
import t, { type Test } from 'tap';
import type { CalendarState } from '../../src/calendar/board.js';
import { slotKey, type Slot } from '../../src/calendar/slots.js';
import { fetchWatchedCalendar } from '../../src/domain/watched-calendars.js';
import { agent, aMoment } from '../support/agents.js';
import { untilBoard } from '../support/board.js';
import { lockWaits } from '../support/lock-waits.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startNeighbour, startTestService } from '../support/service.js';
import { anyHost, busyAt, busyDuring, prepareReader, watch } from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';
const fewestRounds = 60;
const mostRounds = 300;
/** Of each outcome, for the race to be one. */
const fewestOfEach = 5;

/** A service that serves requests, and another process that fetches a calendar. */
async function start(t: Test) {
  const reader = prepareReader();
  const { app, context } = await startTestService(
    t,
    { ...generous, ...anyHost },
    { calendarReader: prepareReader() },
  );
  const fetcher = await startNeighbour(t, context, { calendarReader: reader });
  const { id } = await watch(fetcher);
  return { app, context, fetcher, reader, id };
}

t.test(
  'of a hold and a fetch that race for a slot one wins: the hold stays, or is refused since the studio is closed',
  async (t) => {
    const { app, context, fetcher, reader, id } = await start(t);
    const slots = await someOpenSlots(context, mostRounds);
    const times = { held: 0, closed: 0 };
    let round = 0;
    const isDecided = () =>
      round >= fewestRounds && Math.min(times.held, times.closed) >= fewestOfEach;
    for (; round < mostRounds && !isDecided(); round += 1) {
      const slot = slots[round]!;
      let holding: ReturnType<ReturnType<typeof agent>['hold']> | undefined;
      reader.find(async () => {
        // Between the hold and the transaction of the fetch, by a little more each time.
        const begin = agent(app).hold(slot, undefined, personNumber(round));
        holding = begin;
        for (let moments = round % 12; moments > 0; moments -= 1) await aMoment();
        return busyAt([busyDuring(timezone, slot)]);
      });
      const fetched = await fetchWatchedCalendar(fetcher, id);
      if (fetched?.busyIntervals !== 1) t.fail('the fetch is not written');
      const answer = await holding!;
      const key = slotKey(slot);
      const { rows } = await sql<{ status: string | null; isBefore: boolean | null }>`
        select status, held.position < changed.position as "isBefore"
        from (select max(position) as position from events where type = 'calendar.changed') as changed
          left join bookings on date = ${slot.date} and time_slot = ${slot.timeSlot}
          left join events held on held.booking_id = bookings.id`.execute(context.database);
      if (answer.statusCode === 201) {
        times.held += 1;
        t.strictSame(rows, [{ status: 'pending', isBefore: true }]);
      } else {
        times.closed += 1;
        t.equal(answer.statusCode, 409);
        t.match(answer.json(), {
          error: { code: 'slot_unavailable', message: /^The studio is closed on/ },
        });
        t.strictSame(rows, [{ status: null, isBefore: null }]);
      }
      const agrees = ({ calendar, taken }: CalendarState) =>
        calendar.busySlots.has(key) && taken.has(key) === (answer.statusCode === 201);
      for (const each of [context, fetcher]) await untilBoard(each, agrees);
    }
    t.comment(times);
    t.ok(isDecided(), 'both outcomes were seen');
  },
);

t.test('a hold waits for a fetch that is being written, and loses', async (t) => {
  const { app, context, fetcher, reader, id } = await start(t);
  const [slot] = (await someOpenSlots(context, 1)) as [Slot];
  const waiting = async (count: number): Promise<void> => {
    while ((await lockWaits(context.database)) !== count);
  };
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
      return busyAt([busyDuring(timezone, slot)]);
    });
    fetching = fetchWatchedCalendar(fetcher, id);
    await read;
    await sql`select from watched_calendars for update`.execute(transaction);
    answer();
    await waiting(1);
    holding = agent(app).hold(slot);
    await waiting(2);
  });
  t.match(await fetching, { busyIntervals: 1 });
  const response = await holding!;
  t.equal(response.statusCode, 409);
  t.match(response.json(), { error: { message: /^The studio is closed on/ } });
});
