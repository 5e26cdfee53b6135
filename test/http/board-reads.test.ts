import t from 'tap';
import { createBoardCache } from '../../src/board/board.js';
import { createClock } from '../../src/platform/clock.js';
import { addDays } from '../../src/schedule/dates.js';
import { countQueries } from '../support/board.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { hold } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { startNeighbour, startService } from '../support/service.js';

void t.test('repeated reads cost no query, and a change shows in the next one', async (t) => {
  const { app, context } = await startService(t);
  const [slot] = await someOpenSlots(context, 1);
  const { date, timeSlot } = slot!;
  const url = `/api/public/availability?from=${date}&to=${addDays(date, 31)}`;
  const isOpen = async () => {
    const { days } = (await app.inject(url)).json<{
      data: { days: { date: string; slots: { time_slot: string }[] }[] };
    }>().data;
    const day = days.find((each) => each.date === date);
    return day?.slots.some((each) => each.time_slot === timeSlot) ?? false;
  };
  const queries = countQueries(context);
  for (let count = 0; count < 50; count += 1) {
    t.equal(await isOpen(), true);
    t.equal((await app.inject('/api/public/studio')).statusCode, 200);
  }
  t.equal(queries.others, 0);
  await hold(context, date, timeSlot);
  t.equal(await isOpen(), false);
});

void t.test('a response is computed once, until the state or the time changes it', async (t) => {
  const { context } = await startService(t);
  let shiftMs = 0;
  const clock = createClock(() => Date.now() + shiftMs);
  const { board, database } = await startNeighbour(t, context, { clock });
  const answers = createBoardCache<object>(board, 10);
  let computed = 0;
  const read = async (key: string): Promise<object> =>
    answers(key, ({ version }) => {
      computed += 1;
      return { key, version };
    });
  const first = await read('one');
  t.equal(await read('one'), first, 'the very same');
  t.not(await read('two'), first);
  t.equal(computed, 2);

  const { validUntil } = await board.read();
  shiftMs = validUntil - clock.now();
  await shiftDatabaseClock(database, shiftMs);
  t.not(await read('one'), first, 'no event was needed');
  t.equal(computed, 3);
});

void t.test('the number of cached responses is bounded', async (t) => {
  const { context } = await startService(t);
  const answers = createBoardCache<object>(context.board, 500);
  const first = await answers('0', () => ({}));
  for (let count = 1; count < 600; count += 1) await answers(String(count), () => ({}));
  t.not(await answers('0', () => ({})), first, 'the one that was not asked for again is forgotten');
});
