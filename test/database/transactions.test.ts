import { sql } from 'kysely';
import t from 'tap';
import { runPipelinedTransaction } from '../../src/database/pipelined-transaction.js';
import { createPool } from '../../src/database/pool.js';
import { summaryOf } from '../../src/database/traced-queries.js';
import { followEvents, readBacklog } from '../../src/domain/studio/event-log.js';
import { lockUndispatchedEvents, markDispatched } from '../../src/repositories/events.js';
import { close, hold } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

const dayMs = 86_400_000;
const { context, shiftClock } = await startService(t);

void t.test('every instant that is stored or compared is of the database clock', async (t) => {
  await shiftClock(3 * dayMs);
  const isNow = (instant: Date | null | undefined) =>
    Math.abs((instant?.getTime() ?? 0) - context.clock.now()) < dayMs;

  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot!.date, slot!.timeSlot);
  t.ok(isNow(booking.created_at));
  const { oldestSeconds } = await readBacklog(context);
  t.ok(oldestSeconds >= 0 && oldestSeconds < 3_600, `the event is ${oldestSeconds} s old`);

  await close(context, slot!.date);
  const closed = await context.database.selectFrom('closures').selectAll().execute();
  t.ok(isNow(closed[0]?.created_at), 'of a closure');

  await context.database.transaction().execute(async (transaction) => {
    const events = await lockUndispatchedEvents(transaction);
    const dispatched = events.map(({ id }) => ({ id, webhookBody: null }));
    await markDispatched(transaction, dispatched);
  });
  const events = await context.database.selectFrom('events').selectAll().execute();
  t.equal(events.length, 2);
  for (const event of events) {
    t.ok(isNow(event.occurred_at), `of ${event.type}`);
    t.ok(isNow(event.dispatched_at), `of the dispatch of ${event.type}`);
  }
});

void t.test('pipelined statements are one transaction, and each returns its rows', async (t) => {
  const { connection, database, log } = context;
  // The one connection must be given back by each step for the next.
  const pool = createPool(connection, log, { max: 1, pipeline: true });
  t.teardown(() => pool.end());
  const connect = () => pool.connect();
  await pool.query('create table notes (id integer primary key)');
  const step = (name: string, text: string) => ({ name, query: sql.raw(text).compile(database) });
  const returned = 'returning id, txid_current()::text as transaction';
  const write = (id: number) => step(`write ${id}`, `insert into notes values (${id}) ${returned}`);
  const count = async () => (await pool.query('select * from notes')).rowCount;

  const written = (await runPipelinedTransaction(connect, [write(1), write(2)])) as {
    id: number;
    transaction: string;
  }[][];
  t.match(written, [[{ id: 1 }], [{ id: 2 }]]);
  t.equal(written[0]?.[0]?.transaction, written[1]?.[0]?.transaction);
  t.equal(await count(), 2);

  const twice = runPipelinedTransaction(connect, [write(3), write(1), write(4)]);
  await t.rejects(twice, { code: '23505' });
  t.equal(await count(), 2, 'an error rolls back all statements');
  t.match(
    await runPipelinedTransaction(connect, [write(3)]),
    [[{ id: 3 }]],
    'the connection is back in the pool, and usable',
  );

  const broken = step('broken', 'select no_such_column');
  await t.rejects(runPipelinedTransaction(connect, [write(4), broken]), { code: '42703' });
  t.equal(await count(), 3);

  const cut = step('cut', 'select pg_terminate_backend(pg_backend_pid())');
  await t.rejects(runPipelinedTransaction(connect, [cut]));
  const one = step('one', 'select 1 as one');
  t.match(
    await runPipelinedTransaction(connect, [one]),
    [[{ one: 1 }]],
    'a lost one leaves the pool',
  );
});

void t.test('the summary of a statement has what it does to which tables, nothing else', (t) => {
  for (const [text, summary] of [
    ['begin', 'BEGIN'],
    [`select 'Ada' from "bookings" where name = 'from Ada'`, 'SELECT bookings'],
    ['with moment as (select booking_now() as now) select now from moment', 'SELECT'],
    ['select * from events where dispatched_at is null for update skip locked', 'SELECT events'],
    [
      `with held as (insert into bookings (name) select 'insert into Ada' returning *)
      insert into events (type) select 'hold.created' from held`,
      'INSERT bookings INSERT events',
    ],
    ['update "mails" set status = $1', 'UPDATE mails'],
    ['delete from events_to_mail using events', 'DELETE events_to_mail'],
  ] as const) {
    t.equal(summaryOf(text), summary);
  }
  t.end();
});

t.test('events are followed without a gap, however many come at once', async (t) => {
  const { database } = context;
  const readNew = followEvents(context, 1);
  await readNew();
  await sql`
    insert into events (type, occurred_at, data)
    select 'calendar.failing', booking_now(), '{}' from generate_series(1, 2500)`.execute(database);
  t.equal((await readNew()).length, 2_500);
  t.strictSame(await readNew(), []);
});
