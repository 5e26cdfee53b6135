import t from 'tap';
import { availabilityOf } from '../../src/board/availability.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import { readBooking } from '../../src/domain/booking/public-bookings.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { addOpening, readOpenings, removeOpening } from '../../src/domain/studio/openings.js';
import { changeWeek, readStudioWeek } from '../../src/domain/studio/week.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { lockSlots } from '../../src/repositories/slot-taking.js';
import { addDays, weekdayOf } from '../../src/schedule/dates.js';
import { timeSlots, todayInZone } from '../../src/schedule/slots.js';
import { moveCheckout } from '../support/checkouts.js';
import { untilLockWaits } from '../support/database.js';
import { hold } from '../support/holds.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@front-desk';
const { context } = await startService(t);
/** Mondays are closed. */
const sunday = {
  weekdays: [7],
  hours: { opens: '12:00', closes: '17:00' },
  sessions: ['1:00 PM' as const],
};
await changeWeek(context, actor, sunday);
t.beforeEach(() => startOver(context));

async function typesOfEvents(): Promise<string[]> {
  const events = context.database.selectFrom('events').select('type').orderBy('position');
  return (await events.execute()).map(({ type }) => type);
}

/** The next date of a weekday that is a week or more ahead. */
async function comingDate(weekday: number): Promise<string> {
  const { calendar } = await context.board.read();
  const first = addDays(todayInZone(calendar.timezone, context.clock.now()), 7);
  return addDays(first, (weekday - weekdayOf(first) + 7) % 7);
}

t.test('a hold or a move that is blocked by the closing of its slot is rejected', async (t) => {
  const monday = await comingDate(1);
  const [slot, , , other] = await someOpenSlots(context, 4);
  const { token } = await hold(context, other!.date, other!.timeSlot);
  await addOpening(context, actor, { date: monday, sessions: timeSlots });
  await context.board.refresh();
  const dates = { fromDate: slot!.date, toDate: slot!.date, timeSlot: null, reason: '' };
  const opening = { date: monday, sessions: timeSlots };
  for (const { to, close, closed, state, said } of [
    {
      to: slot!,
      close: () => addClosure(context, actor, dates, { others: 'cancel' }),
      closed: { outcome: 'added', met: [], decided: [] },
      state: 'closed',
      said: /is closed on/,
    },
    {
      to: { date: monday, timeSlot: '1:00 PM' as const },
      close: () => removeOpening(context, actor, opening),
      closed: { ...opening, bookingsOutside: [] },
      state: 'no_session',
      said: /has no session on/,
    },
  ]) {
    const attempts = await context.database.transaction().execute(async (transaction) => {
      await lockSlots(transaction);
      const closing = close();
      await untilLockWaits(context.database, 1, closing);
      const holding = placeHold(context, callerNumber(1), holdRequest(to), null).catch(
        (error: unknown) => error,
      );
      await untilLockWaits(context.database, 2, holding);
      const moving = moveCheckout(context, token, to, 0);
      await untilLockWaits(context.database, 3, moving);
      return { closing, holding, moving };
    });
    t.match(await attempts.closing, closed);
    t.match(await attempts.holding, { code: 'slot_unavailable', message: said });
    t.match(await attempts.moving, { outcome: 'slot_unavailable', slotState: state });
  }
});

t.test('an opening opens one date, for four hours a session, until it is removed', async (t) => {
  const [monday, weekend] = [await comingDate(1), await comingDate(7)];
  const open = async (date: string, ...sessions: (typeof timeSlots)[number][]) => {
    const added = await addOpening(context, actor, { date, sessions });
    await context.board.refresh();
    return added;
  };
  const openOn = async (date: string) => {
    const { days } = availabilityOf(await context.board.read(), { from: date, to: date });
    return days.flatMap(({ slots }) => slots.map(({ time_slot }) => time_slot));
  };
  const opened = (...sessions: string[]) =>
    sessions.map((timeSlot) => ({ timeSlot, schedule: 'open' }));
  for (const [wanted, refusal] of [
    [
      { date: '2020-01-06', sessions: [] },
      {
        mistakes: { date: '2020-01-06 is in the past.', sessions: 'Choose at least one session.' },
      },
    ],
    [
      { date: weekend, sessions: ['1:00 PM' as const] },
      { outcome: 'exists', sentence: 'The week has 1:00 PM on Sunday anyway.' },
    ],
  ] as const) {
    t.match(await addOpening(context, actor, wanted), refusal);
  }
  t.strictSame(await typesOfEvents(), [], 'nothing is recorded');

  t.match(await open(monday, ...timeSlots), {
    day: { date: monday, sessions: opened(...timeSlots) },
    inWeek: [],
  });
  t.match(await open(weekend, '1:00 PM', '5:00 PM'), {
    day: { sessions: opened('5:00 PM') },
    inWeek: ['1:00 PM'],
  });
  const twice = { outcome: 'exists', sentence: `${monday} is open at 9:00 AM already.` };
  t.match(await open(monday, '9:00 AM'), twice);
  t.strictSame(await openOn(monday), timeSlots);
  t.strictSame(await openOn(addDays(monday, 7)), [], 'only that Monday');
  t.strictSame(await openOn(weekend), ['1:00 PM', '5:00 PM']);
  t.match(await listAuditRows(context.database, 1), [
    { actor, action: 'openings add', details: { date: weekend, sessions: ['5:00 PM'] } },
  ]);
  t.strictSame(await typesOfEvents(), ['calendar.changed', 'calendar.changed']);

  const { booking: early } = await hold(context, monday, '9:00 AM');
  const { booking: late } = await hold(context, weekend, '5:00 PM');
  t.match([early.ends_at_text, late.ends_at_text], [/T13:00:00/, /T21:00:00/]);
  t.match(await readStudioWeek(context), { bookingsOutside: [] });
  const afternoon = { fromDate: monday, toDate: monday, timeSlot: '1:00 PM' as const, reason: '' };
  await addClosure(context, actor, afternoon);
  await context.board.refresh();
  t.strictSame(await openOn(monday), ['5:00 PM'], 'a closure beats it');
  const listed = (await readOpenings(context, { past: false })).find(({ date }) => date === monday);
  t.strictSame(
    listed?.sessions.map(({ schedule }) => schedule),
    ['open', 'closed', 'open'],
  );

  const removed = await removeOpening(context, actor, { date: monday, sessions: timeSlots });
  t.match(removed, { sessions: timeSlots, bookingsOutside: [{ id: early.id }] });
  t.equal(await removeOpening(context, actor, { date: monday, sessions: timeSlots }), null);
  t.equal((await readBooking(context, early.id)).status, 'pending');
  t.match(await readStudioWeek(context), { bookingsOutside: [{ id: early.id }] });
  await context.board.refresh();
  t.strictSame(await openOn(monday), []);
  t.match(await listAuditRows(context.database, 1), [
    { actor, action: 'openings remove', details: { date: monday, sessions: timeSlots } },
  ]);
});
