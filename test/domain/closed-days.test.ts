import pg from 'pg';
import t, { type Test } from 'tap';
import { migrateTo, migrateToLatest } from '../../src/database/migrate.js';
import { createDatabase, createPool } from '../../src/database/pool.js';
import { findCheckout } from '../../src/domain/checkout.js';
import {
  decide,
  type Decision,
  nearestTimes,
  readOpenQuestions,
} from '../../src/domain/closed-days.js';
import { addClosure, readBookingsToClose, removeClosure } from '../../src/domain/closures.js';
import { forgetPerson } from '../../src/domain/personal-data.js';
import { addBooking, moveByStudio } from '../../src/domain/studio-bookings.js';
import type { NewClosure } from '../../src/repositories/closures.js';
import { addDays } from '../../src/schedule/dates.js';
import { isSameSlot, type Slot, slotKey, slotOf, timeSlots } from '../../src/schedule/slots.js';
import { bookingRow } from '../support/bookings.js';
import { moveCheckout } from '../support/checkouts.js';
import { createEmptyDatabase } from '../support/database.js';
import { hold, sessionForPerson } from '../support/holds.js';
import { everyOpenSlot, personNumber } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startService } from '../support/service.js';

const actor = 'ada@front-desk';
const word = 'I am ill, and sorry. Please choose another time.';
const service = await startService(t, { ...generous, BOOKING_HORIZON_DAYS: '365' }, { mail: true });
service.expectLog(lostDatabase);
const { context, smtp } = service;
const { database } = context;

let person = 0;
let block = 0;

/** Confirmed sessions of different people in the first slots of days that are far from others, and their closure. */
async function sick(count: number) {
  block += 1;
  const open = await everyOpenSlot(context, 2);
  const first = open.findIndex(
    ({ timeSlot }, index) => index >= 50 * block && timeSlot === '9:00 AM',
  );
  const sessions: (Awaited<ReturnType<typeof sessionForPerson>> & { email: string })[] = [];
  for (const slot of open.slice(first, first + count)) {
    person += 1;
    const { email } = personNumber(person);
    sessions.push({ ...(await sessionForPerson(service, personNumber(person), slot)), email });
  }
  const slots = sessions.map(({ slot }) => slot);
  await service.settle();
  const [from, to] = [slots[0]!.date, slots.at(-1)!.date];
  const closure = { fromDate: from, toDate: to, timeSlot: null, reason: '' };
  const there = await readBookingsToClose(context, closure);
  const at = (index: number) => {
    const { id, sequence } = there.find((each) => each.id === sessions[index]!.id)!;
    return { id, sequence };
  };
  return { sessions, closure, there, at, offers: await nearestTimes(context, there, closure) };
}

function isIn({ fromDate, toDate }: NewClosure, date: string): boolean {
  return fromDate <= date && date <= toDate;
}

/** The subjects that were mailed to an address, or to the studio, since the last call. */
let read = 0;
async function mailed(): Promise<(to: string) => string[]> {
  await service.settle();
  const all = await Promise.all(
    smtp
      .received()
      .slice(read)
      .map(async (mail) => ({
        to: mail.to.join(),
        subject: (await mail.parsed()).subject ?? '',
      })),
  );
  read += all.length;
  return (to) => all.filter((mail) => mail.to.includes(to)).map(({ subject }) => subject);
}

/** All that a change leaves. */
async function state(): Promise<unknown> {
  const all = (name: 'bookings' | 'closures' | 'audit_log') =>
    database.selectFrom(name).selectAll().orderBy('id').execute();
  const events = database.selectFrom('events').select(['id', 'data']).orderBy('position');
  return [
    await all('bookings'),
    await all('closures'),
    await all('audit_log'),
    await events.execute(),
  ];
}

const studio = 'hello@nightheron.example';

t.test(
  'closing does with each booking what is decided, tells each person once, and may be repeated',
  async (t) => {
    const { sessions, closure, at, offers } = await sick(6);
    await mailed();
    t.equal(new Set([...offers.values()].map(slotKey)).size, 6, 'no time is offered twice');
    for (const { date } of offers.values()) t.notOk(isIn(closure, date));
    const to = offers.get(sessions[0]!.id)!;
    const decisions: Decision[] = [
      { ...at(0), choice: 'move', to },
      { ...at(1), choice: 'ask' },
      { ...at(2), choice: 'cancel' },
      { ...at(3), choice: 'keep' },
      { ...at(4), sequence: 9, choice: 'cancel' },
    ];
    const added = await addClosure(context, actor, closure, { decisions, word });
    const outcomes = (decided: { outcome: string }[]) => decided.map(({ outcome }) => outcome);
    t.match(added, { outcome: 'added' });
    const decided = 'decided' in added ? added.decided : [];
    t.strictSame(outcomes(decided), ['done', 'done', 'done', 'done', 'changed']);
    const rows = await Promise.all(sessions.map(({ id }) => bookingRow(context, id)));
    t.ok(isSameSlot(slotOf(rows[0]!), to));
    t.match(rows[1], { closed_day_choice: 'asked', studio_word: word, sequence: 2 });
    t.match(rows[2], { status: 'cancelled', cancellation_reason: word });
    t.match(rows[3], { closed_day_choice: 'kept', sequence: 1 }, 'its person is told nothing');
    t.match(rows[4], { status: 'confirmed', closed_day_choice: null });
    const { undecided, asked } = await readOpenQuestions(context);
    t.strictSame(
      undecided.map(({ id }) => id),
      sessions.slice(4).map(({ id }) => id),
    );
    t.strictSame(
      asked.map(({ id }) => id),
      [sessions[1]!.id],
    );

    const of = await mailed();
    t.match(
      sessions.map(({ email }) => of(email)),
      [[/^Moved to/], [/^Please choose another time/], [/^Cancelled/], [], [], []],
    );
    t.strictSame(
      of(studio).filter((subject) => !subject.startsWith('Moved')),
      ['Undecided on closed days: 2 sessions'],
      'one mail for all that is undecided',
    );
    for (const mail of smtp.received().slice(-5)) {
      const { text = '' } = await mail.parsed();
      const isPersons = !mail.to.join().includes(studio);
      t.equal(
        text.includes('I am ill, and sorry.'),
        isPersons,
        'the word is in every mail to a person',
      );
    }
    const events = JSON.stringify(await database.selectFrom('events').select('data').execute());
    const audit = JSON.stringify(await database.selectFrom('audit_log').selectAll().execute());
    t.notMatch(events + audit + service.logLines.join(), 'I am ill');

    const before = await state();
    const again = await addClosure(context, actor, closure, { decisions, word });
    t.match(again, { outcome: 'exists' });
    t.strictSame(outcomes('decided' in again ? again.decided : []), outcomes(decided));
    t.strictSame(await state(), before, 'the same form, sent twice, changes nothing more');
    t.strictSame(smtp.received().length, read);
  },
);

t.test(
  'what cannot be done is refused alone: a time that is taken, a question of a hold',
  async (t) => {
    const { sessions, closure, at, offers } = await sick(3);
    const to = offers.get(sessions[0]!.id)!;
    await hold(context, to.date, to.timeSlot);
    const dates = await everyOpenSlot(context, 2);
    const free = dates.find(({ date }) => isIn(closure, date));
    const held = { id: '', sequence: 0 };
    if (free !== undefined) held.id = (await hold(context, free.date, free.timeSlot)).booking.id;
    const added = await addClosure(context, actor, closure, {
      decisions: [
        { ...at(0), choice: 'move', to },
        { ...held, choice: 'ask' },
      ],
      others: 'cancel',
    });
    t.match(added, {
      decided: [{ outcome: 'taken' }, { outcome: 'not_confirmed' }, { outcome: 'done' }, {}],
    });
    const { undecided } = await readOpenQuestions(context);
    t.ok(undecided.some(({ id }) => id === sessions[0]!.id));
    const left: Decision[] = [
      { ...at(0), choice: 'cancel' },
      { ...held, choice: 'keep' },
    ];
    t.match(await decide(context, actor, left, null), [{ outcome: 'done' }, { outcome: 'done' }]);
  },
);

/** The database through a connection that dies once its nth statement was carried out. */
function dying(t: Test, step: number) {
  const pool = createPool(context.connection, context.log, { max: 1 });
  t.teardown(() => pool.end());
  let sent = 0;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } })
      .connection;
    client.query = (async (...args: unknown[]) => {
      const result = await query(...args);
      sent += 1;
      if (sent !== step) return result;
      stream.destroy();
      throw new Error('the answer is lost');
    }) as typeof client.query;
  });
  return createDatabase(pool, context.metrics);
}

t.test(
  'a sick day that is killed at any step is as before or wholly done, each mail once',
  async (t) => {
    const { sessions, closure, at, offers } = await sick(8);
    await mailed();
    const choices = ['move', 'ask', 'cancel', 'keep'] as const;
    const decisions = sessions.map(({ id }, index): Decision => {
      const choice = choices[index % 4]!;
      if (choice === 'move') return { ...at(index), choice, to: offers.get(id)! };
      return { ...at(index), choice };
    });
    const press = (database = context.database) =>
      addClosure({ ...context, database }, actor, closure, { decisions, word });
    const before = JSON.stringify(await state());
    let kills = 0;
    do {
      kills += 1;
      await t.rejects(press(dying(t, kills)), `killed after statement ${kills}`);
    } while (JSON.stringify(await state()) === before);
    t.ok(kills > 3 * sessions.length, 'the last of them is the commit, whose answer is lost');
    const done = await state();
    t.match(await press(), {
      outcome: 'exists',
      decided: sessions.map(() => ({ outcome: 'done' })),
    });
    t.strictSame(await state(), done);
    const of = await mailed();
    const counts = sessions.map(({ email }) => of(email).length);
    t.strictSame(counts, [1, 1, 1, 0, 1, 1, 1, 0]);
  },
);

t.test('who is asked may move until the session begins, without counting a move', async (t) => {
  const { sessions, closure, at } = await sick(2);
  const [one, other] = sessions;
  await database
    .updateTable('bookings')
    .set({ moves_once_confirmed: 2 })
    .where('id', 'in', [one!.id, other!.id])
    .execute();
  const decisions: Decision[] = [{ ...at(0), choice: 'ask' }];
  await addClosure(context, actor, closure, { decisions });
  await context.board.refresh();
  const free = (await everyOpenSlot(context, 2)).find(({ date }) => date > closure.toDate)!;
  const browser = await service.browser(one!.id);
  const late = await service.browser(other!.id);
  t.equal((await findCheckout(context, other!.token))?.move.allowed, false);
  t.match(await moveCheckout(context, other!.token, free, 1, late), { outcome: 'move_refused' });
  t.match((await findCheckout(context, one!.token))?.move, { allowed: true, movesLeft: null });
  t.match(await moveCheckout(context, one!.token, free, 2, browser), { outcome: 'done' });
  const moved = await bookingRow(context, one!.id);
  t.match(moved, { moves_once_confirmed: 2, closed_day_choice: null, date: free.date });
  t.match((await findCheckout(context, one!.token))?.move, { reason: 'number' }, 'once');
});

t.test(
  'who was asked can be told to come after all; a closure that is removed forgets what was kept',
  async (t) => {
    const { sessions, closure, at } = await sick(2);
    await mailed();
    const decisions: Decision[] = [
      { ...at(0), choice: 'ask' },
      { ...at(1), choice: 'keep' },
    ];
    const added = await addClosure(context, actor, closure, { decisions });
    const [asked, kept] = sessions;
    await decide(context, actor, [{ id: asked!.id, sequence: 2, choice: 'keep' }], word);
    t.equal((await bookingRow(context, asked!.id)).studio_word, word);
    t.match((await mailed())(asked!.email), [/^As booked/], 'the first mail was not sent yet');
    await removeClosure(context, actor, 'closure' in added ? added.closure.id : '');
    for (const { id } of [asked!, kept!]) {
      t.equal((await bookingRow(context, id)).closed_day_choice, null);
    }
    await forgetPerson(context, actor, { id: asked!.id }, { cancelBookings: true });
    t.match(await bookingRow(context, asked!.id), { name: null, studio_word: null });
  },
);

t.test(
  'what the studio places on a closed day is kept, and what leaves one is decided',
  async (t) => {
    const { sessions, closure } = await sick(1);
    await addClosure(context, actor, closure);
    const free = timeSlots.map((timeSlot) => ({ date: closure.fromDate, timeSlot }));
    const slots = free.filter((slot) => slotKey(slot) !== slotKey(sessions[0]!.slot));
    const added = await addBooking(context, actor, slots[0]!, { name: 'Walk In' });
    t.match(added, { booking: { closed_day_choice: 'kept' } });
    const { id } = sessions[0]!;
    const move = (slot: Slot) => moveByStudio(context, actor, id, slot);
    t.match(await move(slots[1]!), { outcome: 'moved' });
    t.equal((await bookingRow(context, id)).closed_day_choice, 'kept');
    const open = (await everyOpenSlot(context, 2)).find(({ date }) => date > closure.toDate);
    await move(open!);
    t.equal((await bookingRow(context, id)).closed_day_choice, null);
  },
);

t.test('what was closed before the upgrade counts as kept', async (t) => {
  const { connectionString } = await createEmptyDatabase(t);
  await migrateTo({ connectionString }, '0027-form-nonces');
  const client = new pg.Client({ connectionString });
  await client.connect();
  t.teardown(() => client.end());
  const today = new Date(Date.now()).toISOString().slice(0, 10);
  const [closed, open] = [addDays(today, 20), addDays(today, 21)];
  for (const date of [closed, open]) {
    await client.query(
      `insert into bookings (status, date, time_slot, starts_at, starts_at_text, timezone, label,
        created_at, expires_at, confirmed_at, checkout_token_hash, checkout_token_sealed)
      values ('confirmed', $1, '1:00 PM', $2::text::timestamptz, $2::text, 'UTC', 'x', now(), now() + interval '1 hour', now(), $3::text::bytea, 'x')`,
      [date, `${date}T13:00:00Z`, date],
    );
  }
  await client.query('insert into closures (from_date, to_date) values ($1, $1)', [closed]);
  await migrateToLatest({ connectionString });
  const { rows } = await client.query('select closed_day_choice from bookings order by date');
  t.strictSame(rows, [{ closed_day_choice: 'kept' }, { closed_day_choice: null }]);
});
