import { sql } from 'kysely';
import t from 'tap';
import { createBoard, type CalendarState } from '../../src/board/board.js';
import type { Context } from '../../src/context.js';
import { createDatabase, createPool } from '../../src/database/pool.js';
import { openFor } from '../../src/schedule/calendar.js';
import type { Slot } from '../../src/schedule/slots.js';
import {
  countQueries,
  cutListeners,
  pictureOf,
  queriedState,
  untilBoard,
  watchListener,
} from '../support/board.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { allowConnections, warmPool, untilLockWaits } from '../support/database.js';
import { hold } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { startNeighbour, startService } from '../support/service.js';

function fresh({ board }: Pick<Context, 'board'>): CalendarState {
  const state = board.read();
  if (state instanceof Promise) throw new Error('the board is stale');
  return state;
}

function stateOf(context: Context, slot: Slot, state: CalendarState = fresh(context)): string {
  return openFor(state, slot, null, context.clock.now());
}

const { context, expectLog } = await startService(t);
const neighbour = await startNeighbour(t, context);

/** Open slots on both boards, also if one has not received the last change of the test before. */
async function openOnBoth(count: number): Promise<Slot[]> {
  await neighbour.board.refresh();
  return someOpenSlots(context, count);
}

t.test('a read of the board is synchronous and costs no query', async (t) => {
  const queries = countQueries(context);
  for (let count = 0; count < 1_000; count += 1) fresh(context);
  t.strictSame(queries, { board: 0, others: 0 });
});

t.test('a hold that lapses frees its slot, and subscribers are notified', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const config = { ...context.config, holdLifetimeSeconds: 1 };
  const { booking } = await hold({ ...context, config }, slot.date, slot.timeSlot);
  t.equal(stateOf(context, slot), 'held');
  const publishedAt = await new Promise<number>((resolve) => {
    context.board.subscribe((state) => {
      if (stateOf(context, slot, state) === 'open') resolve(context.clock.now());
    });
  });
  const lateMs = publishedAt - booking.expires_at.getTime();
  // With no job running, and long before the board reloads by itself.
  t.ok(lateMs >= 0 && lateMs < 20_000, `${lateMs} ms`);
});

t.test(
  'a burst of notifications costs one query per 50 ms, and the last one is not lost',
  async (t) => {
    const slots = await openOnBoth(30);
    const startedAt = performance.now();
    const queries = countQueries(context);
    for (const slot of slots) await hold(neighbour, slot.date, slot.timeSlot);
    await untilBoard(context, (state) =>
      slots.every((slot) => stateOf(context, slot, state) === 'held'),
    );
    const most = Math.ceil((performance.now() - startedAt) / 50) + 2;
    t.ok(
      queries.board <= most,
      `${queries.board} queries for ${slots.length} holds, at most ${most}`,
    );
  },
);

t.test('a query that began before a change by this process does not undo it', async (t) => {
  const { config, log, clock, listener, connection } = context;
  const [slot] = await someOpenSlots(context, 1);
  // On the connections of this board alone, a query waits for a lock after it has its snapshot.
  await sql`
    create or replace function booking_now() returns timestamptz language plpgsql volatile as $$
    begin
      if current_setting('test.waits', true) = 'yes' then
        perform pg_advisory_xact_lock_shared(1);
      end if;
      return date_trunc('milliseconds', clock_timestamp());
    end $$`.execute(context.database);
  const url = new URL(connection.connectionString ?? '');
  url.searchParams.set('options', '-c test.waits=yes');
  const database = createDatabase(createPool({ connectionString: url.href }, log));
  const board = createBoard({ database, listener, clock, log, rules: config });
  t.teardown(async () => {
    board.close();
    await database.destroy();
  });

  // By then the board listens too.
  await watchListener(context);
  await board.refresh();
  await context.database.connection().execute(async (gate) => {
    await sql`select pg_advisory_lock(1)`.execute(gate);
    const queried = board.refresh();
    await untilLockWaits(context.database, 1, queried);
    const { booking } = await hold(context, slot.date, slot.timeSlot);
    board.applyLocalChange(booking);
    await sql`select pg_advisory_unlock(1)`.execute(gate);
    await queried;
    t.equal(stateOf(context, slot, fresh({ board })), 'held');
  });
  await shiftDatabaseClock(context.database, 0);
});

function pictureNow(context: Context, state: CalendarState): string {
  return pictureOf(state, context.clock.now());
}

t.test(
  'while its connection is lost the board queries the database, and is current again afterwards',
  async (t) => {
    expectLog(lostDatabase);
    const [first, second, ...polled] = (await openOnBoth(4)) as [Slot, Slot, Slot, Slot];
    const states: string[] = [];
    context.board.subscribe((state) => void states.push(stateOf(context, first, state)));
    const watch = await watchListener(context);
    for (const { pool } of [context, neighbour]) await warmPool(pool);
    await allowConnections(context.connection, false);
    await cutListeners(context);
    await watch.lost;
    t.type(context.board.read(), Promise, 'the memory is not used');

    await hold(neighbour, first.date, first.timeSlot);
    t.equal(stateOf(context, first, await context.board.read()), 'held');
    t.equal(
      pictureNow(context, await context.board.read()),
      pictureNow(context, await queriedState(context)),
    );
    for (const slot of polled) {
      const published = new Promise<void>((resolve) => {
        context.board.subscribe((state) => {
          if (stateOf(context, slot, state) === 'held') resolve();
        });
      });
      await hold(neighbour, slot.date, slot.timeSlot);
      await published;
    }

    await allowConnections(context.connection, true);
    await hold(neighbour, second.date, second.timeSlot);
    await watch.restored;
    await untilBoard(context, (state) => stateOf(context, second, state) === 'held');
    await context.board.refresh();
    t.equal(pictureNow(context, fresh(context)), pictureNow(context, await queriedState(context)));
    t.notOk(states.includes('open'), 'no subscriber saw the held slot as open');
  },
);
