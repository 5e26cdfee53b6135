import t from 'tap';
import type { NewClosure } from '../../src/database/rows/results.js';
import { findCheckout } from '../../src/domain/booking/checkout.js';
import { addBooking, moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import {
  decide,
  type Decision,
  nearestTimes,
  readOpenQuestions,
} from '../../src/domain/studio/closed-days.js';
import {
  addClosure,
  readBookingsToClose,
  readClosures,
  removeClosure,
} from '../../src/domain/studio/closures.js';
import { forgetPerson } from '../../src/domain/studio/personal-data.js';
import {
  instantOfWallClock,
  isSameSlot,
  type Slot,
  slotKey,
  slotOf,
  timeSlots,
} from '../../src/schedule/slots.js';
import { bookingRow } from '../support/bookings.js';
import { moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { killedAt } from '../support/database.js';
import { hold, sessionForPerson } from '../support/holds.js';
import { everyOpenSlot, personNumber } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const actor = 'ada@front-desk';
const word = 'I am ill, and sorry. Please choose another time.';
const service = await startService(t, { ...generous, BOOKING_HORIZON_DAYS: '365' }, { mail: true });
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
  const all: { to: string; subject: string }[] = [];
  for (const mail of smtp.received().slice(read)) {
    all.push({ to: mail.to.join(), subject: (await mail.parsed()).subject ?? '' });
  }
  read += all.length;
  return (to) => all.filter((mail) => mail.to.includes(to)).map(({ subject }) => subject);
}

/** All that a change leaves. */
async function state(): Promise<unknown> {
  const all = (name: 'bookings' | 'closures' | 'audit_log') =>
    database.selectFrom(name).selectAll().orderBy('id').execute();
  const events = database.selectFrom('events').select(['id', 'data']).orderBy('position');
  return Promise.all([all('bookings'), all('closures'), all('audit_log'), events.execute()]);
}

const studio = 'hello@nightheron.example';

t.test(
  'closing does with each booking what is decided, tells each person once, and may be repeated',
  async (t) => {
    const { sessions, closure, at, offers } = await sick(6);
    await mailed();
    t.equal(new Set([...offers.values()].flat().map(slotKey)).size, 6, 'no time is offered twice');
    for (const { date } of [...offers.values()].flat()) t.notOk(isIn(closure, date));
    const to = offers.get(sessions[0]!.id)![0]!;
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
    t.match(rows[2], { status: 'cancelled', cancellation_reason: word, studio_word: word });
    t.match(rows[3], { closed_day_choice: 'kept', sequence: 1 }, 'its person is told nothing');
    t.match(rows[4], { status: 'confirmed', closed_day_choice: null });
    const { undecided, asked } = await readOpenQuestions(context);
    const listed = [...undecided, null, ...asked].map((each) => each?.id);
    t.strictSame(listed, [sessions[4]!.id, sessions[5]!.id, undefined, sessions[1]!.id]);

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
      t.equal(text.includes('I am ill, and sorry.'), isPersons, 'in every mail to a person');
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
    const { sessions, closure, at, offers } = await sick(2);
    const to = offers.get(sessions[0]!.id)![0]!;
    await hold(context, to.date, to.timeSlot);
    const free = (await everyOpenSlot(context, 2)).find(({ date }) => isIn(closure, date))!;
    const { booking } = await hold(context, free.date, free.timeSlot);
    const held = { id: booking.id, sequence: 0 };
    const added = await addClosure(context, actor, closure, {
      decisions: [
        { ...at(0), choice: 'move', to },
        { ...held, choice: 'ask' },
      ],
      others: 'cancel',
    });
    t.match(added, {
      decided: [{ outcome: 'taken' }, { outcome: 'not_confirmed' }, { outcome: 'done' }],
    });
    const { undecided } = await readOpenQuestions(context);
    t.ok(undecided.some(({ id }) => id === sessions[0]!.id));
    const left: Decision[] = [
      { ...at(0), choice: 'cancel' },
      { ...held, choice: 'keep' },
    ];
    t.match(await decide(context, actor, left), [{ outcome: 'done' }, { outcome: 'done' }]);
  },
);

t.test(
  'a sick day that is killed at any step is as before or wholly done, each mail once',
  async (t) => {
    const { sessions, closure, at, offers } = await sick(4);
    await mailed();
    const choices = ['move', 'ask', 'cancel', 'keep'] as const;
    const decisions = sessions.map(({ id }, index): Decision => {
      const choice = choices[index]!;
      if (choice === 'move') return { ...at(index), choice, to: offers.get(id)![0]! };
      return { ...at(index), choice };
    });
    const press = (database = context.database) =>
      addClosure({ ...context, database }, actor, closure, { decisions, word });
    const before = await state();
    let kills = 0;
    while (
      (await press(killedAt(t, context, kills + 1, false).database).catch(() => null)) === null
    ) {
      kills += 1;
      t.strictSame(await state(), before, `killed before statement ${kills}`);
    }
    t.ok(kills > 3 * sessions.length);
    const done = await state();
    t.match(await press(), {
      outcome: 'exists',
      decided: sessions.map(() => ({ outcome: 'done' })),
    });
    t.strictSame(await state(), done);
    const of = await mailed();
    const counts = sessions.map(({ email }) => of(email).length);
    t.strictSame(counts, [1, 1, 1, 0]);
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

  await decide(context, actor, [{ ...at(1), choice: 'ask' }]);
  await mailed();
  await releaseCheckout(context, other!.token, 'confirmed', null, late);
  t.match((await mailed())(other!.email), [/^Cancelled: /], 'nobody is asked any more');
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
    await decide(context, actor, [{ id: asked!.id, sequence: 2, choice: 'keep' }], { word });
    t.equal((await bookingRow(context, asked!.id)).studio_word, word);
    t.match((await mailed())(asked!.email).at(-1), /^As booked/);
    await decide(context, actor, [{ id: asked!.id, sequence: 3, choice: 'ask' }], { word });
    await removeClosure(context, actor, 'closure' in added ? added.closure.id : '');
    t.equal((await bookingRow(context, asked!.id)).closed_day_choice, 'asked');
    const keep: Decision[] = [
      { id: asked!.id, sequence: 4, choice: 'keep' },
      { ...at(1), choice: 'keep' },
    ];
    t.match(await decide(context, actor, keep), [{ outcome: 'done' }, { outcome: 'open' }]);
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

t.test(
  'a block meets bookings by their stored times, and closes each session that it overlaps until it is removed',
  async (t) => {
    const { sessions, closure, at } = await sick(2);
    const [nine, one] = sessions;
    const { date } = nine!.slot;
    t.equal(one!.slot.date, date);
    const elevenAt = instantOfWallClock('America/Los_Angeles', `${date}T11:00:00`).epochMs;
    await database
      .updateTable('bookings')
      .set({ ends_at: new Date(elevenAt) })
      .where('id', '=', nine!.id)
      .execute();
    const block = (from: string, to: string): NewClosure => {
      return { ...closure, toDate: date, hours: { from, to } };
    };
    const met = async (from: string, to: string) =>
      (await readBookingsToClose(context, block(from, to))).map(({ id }) => id);
    t.strictSame(await met('11:00', '13:00'), []);
    t.strictSame(await met('10:59', '13:00'), [nine!.id]);
    t.strictSame(await met('12:00', '13:01'), [one!.id]);
    t.strictSame(await met('17:00', '24:00'), []);

    const open = async () => {
      await context.board.refresh();
      const slots = await everyOpenSlot(context, 2);
      return slots.filter((slot) => slot.date === date).map(({ timeSlot }) => timeSlot);
    };
    t.strictSame(await open(), ['5:00 PM']);
    const lunch = block('12:00', '13:30');
    const offers = await nearestTimes(
      context,
      [await bookingRow(context, one!.id)],
      block('13:00', '19:00'),
    );
    t.not(offers.get(one!.id)![0]!.date, date, 'a time that closes is not offered');
    const early = await addClosure(context, actor, block('06:00', '08:30'));
    t.match(early, { outcome: 'added', met: [] }, 'where no session is');
    t.strictSame(await open(), ['5:00 PM']);
    const decisions: Decision[] = [
      { ...at(0), choice: 'keep' },
      { ...at(1), choice: 'cancel' },
    ];
    const added = await addClosure(context, actor, lunch, { decisions });
    const outcomes = [{ outcome: 'open' }, { outcome: 'done' }];
    t.match(added, { outcome: 'added', decided: outcomes, met: [] });
    t.match(await addClosure(context, actor, lunch), { outcome: 'exists' });
    t.match(await addClosure(context, actor, block('12:00', '13:45')), { outcome: 'added' });
    t.strictSame(await open(), ['5:00 PM']);
    await t.rejects(hold(context, date, '1:00 PM'), { code: 'slot_unavailable' });
    const { booking } = await addBooking(context, actor, one!.slot, { name: 'Grace' }).then(
      (result) => ('booking' in result ? result : Promise.reject(new Error(result.outcome))),
    );
    t.equal((await bookingRow(context, booking.id)).closed_day_choice, 'kept');
    for (const { id, from_time } of await readClosures(context, { past: false })) {
      if (from_time !== null) await removeClosure(context, actor, id);
    }
    t.equal((await bookingRow(context, booking.id)).closed_day_choice, null);
    await cancelByStudio(context, actor, booking.id);
    t.strictSame(await open(), ['1:00 PM', '5:00 PM']);
  },
);
