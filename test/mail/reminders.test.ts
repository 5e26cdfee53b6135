import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { decide } from '../../src/domain/studio/closed-days.js';
import { removeClosure } from '../../src/domain/studio/closures.js';
import { slotStartsAt, type Slot } from '../../src/schedule/slots.js';
import { moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { stopDatabaseClock } from '../support/clock.js';
import { close } from '../support/holds.js';
import { everyOpenSlot, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const hourMs = 3_600_000;
const timezone = 'America/Los_Angeles';

const service = await startService(t, { ...generous, BOOKING_HORIZON_DAYS: '400' }, { mail: true });
const { context, smtp } = service;

function startOf(slot: Slot): number {
  return slotStartsAt(timezone, slot.date, slot.timeSlot).epochMs;
}

async function bookFor(person: number, slot: Slot) {
  const booking = await service.book(slot, personNumber(person));
  await service.settle();
  return booking;
}

/** The subjects of the reminders that the person has received. */
async function reminders(person: number): Promise<string[]> {
  const own = smtp.received().filter(({ to }) => to.includes(personNumber(person).email));
  const mails = await Promise.all(own.map((mail) => mail.parsed()));
  return mails.flatMap(({ subject = '' }) => (subject.startsWith('Reminder') ? [subject] : []));
}

/** Sets the clock, always further ahead than before, and sends what is due then. */
async function at(epochMs: number): Promise<void> {
  await service.shiftClock(epochMs - Date.now());
  await service.settle();
}

async function reminderRows(bookingId: string) {
  return (await service.mails()).filter(
    ({ kind, booking_id }) => kind === 'reminder' && booking_id === bookingId,
  );
}

void t.test('over both changes of daylight saving, 24 hours are 24 hours', async (t) => {
  const wallClock = (epochMs: number) =>
    Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone);
  let moment = wallClock(context.clock.now());
  const open = await everyOpenSlot(context, 3);
  for (const person of [1, 2]) {
    moment = moment.getTimeZoneTransition('next')!;
    const day = moment.toPlainDate().toString();
    const slot = open.find(({ date }) => date === day)!;
    const [reminder] = await reminderRows((await bookFor(person, slot)).id);
    const dueAt = startOf(slot) - 24 * hourMs;
    t.equal(reminder?.next_attempt_at?.getTime(), dueAt);
    const [due, start] = [wallClock(dueAt), wallClock(startOf(slot))];
    t.not(due.hour, start.hour, 'the clocks have changed between the two');
  }
});

void t.test('a reminder is sent REMINDER_HOURS before the start, and no earlier', async (t) => {
  const [slot] = (await someOpenSlots(context, 4)).slice(3);
  await bookFor(3, slot!);
  await at(startOf(slot!) - 24 * hourMs - 60_000);
  t.strictSame(await reminders(3), []);
  await at(startOf(slot!) - 24 * hourMs + 1_000);
  t.equal((await reminders(3)).length, 1);
  await at(startOf(slot!) + hourMs);
  t.equal((await reminders(3)).length, 1);
});

void t.test('the sweeper sends a reminder that has no job', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  await bookFor(4, slot!);
  const before = smtp.received().length;
  await service.shiftClock(startOf(slot!) - 23 * hourMs - Date.now());
  await service.background.sweeper.sweep();
  await smtp.waitFor(before + 1);
  t.equal((await reminders(4)).length, 1);
});

void t.test('a move makes the reminder anew, and a cancellation drops it', async (t) => {
  const slots = await everyOpenSlot(context, 10);
  const [early, late, other] = [slots[0]!, slots[12]!, slots[20]!];
  const { id, token } = await bookFor(5, early);
  await moveCheckout(context, token, late, 1, await service.browser(id));
  await service.settle();
  await at(startOf(early) - 23 * hourMs);
  t.strictSame(await reminders(5), [], 'none for the old time');
  await at(startOf(late) - 24 * hourMs + 1_000);
  t.match(await reminders(5), [late.timeSlot]);
  const outcomes = (await reminderRows(id)).map(({ status, reason }) => reason ?? status);
  t.strictSame(outcomes, ['superseded', 'sent']);

  const cancelled = await bookFor(6, other);
  const browser = await service.browser(cancelled.id);
  await releaseCheckout(context, cancelled.token, 'confirmed', null, browser);
  await service.settle();
  await at(startOf(other) - 23 * hourMs);
  t.strictSame(await reminders(6), []);
  t.match(await reminderRows(cancelled.id), [{ reason: 'superseded' }]);
});

void t.test(
  'who confirms within REMINDER_HOURS of the start is not reminded; nor is anyone at 0',
  async (t) => {
    const [slot] = (await someOpenSlots(context, 4)).slice(3);
    await at(startOf(slot!) - 24 * hourMs);
    // To the millisecond.
    await stopDatabaseClock(context.database, startOf(slot!) - 24 * hourMs);
    t.strictSame(await reminderRows((await bookFor(7, slot!)).id), []);
    const none = await startService(t, { ...generous, REMINDER_HOURS: '0' }, { mail: true });
    const [other] = await someOpenSlots(none.context, 1);
    await none.book(other!);
    await none.settle();
    t.equal((await none.mails()).length, 2);
  },
);

void t.test(
  'of an undecided session on a closed day only the studio is mailed, until it is decided',
  async (t) => {
    const slots = (await everyOpenSlot(context, 3)).slice(6);
    const days = [...new Set(slots.map(({ date }) => date))];
    const onDay = (index: number) => slots.find(({ date }) => date === days[index])!;
    const booked: Awaited<ReturnType<typeof bookFor>>[] = [];
    for (const index of [0, 1, 2, 3]) booked.push(await bookFor(30 + index, onDay(index)));
    const closures = [];
    for (const { slot } of booked) closures.push(await close(context, slot.date));
    const seen = (index: number) => ({ id: booked[index]!.id, sequence: 1 });
    await decide(context, 'ada', [{ ...seen(1), choice: 'ask' }], { word: 'I am away then.' });
    await decide(context, 'ada', [{ ...seen(2), choice: 'keep' }]);
    const toStudio = async () => {
      const mails = smtp.received().filter(({ to }) => to.includes('hello@nightheron.example'));
      const parsed = await Promise.all(mails.map((mail) => mail.parsed()));
      return parsed.flatMap(({ subject = '' }) => (/^Undecided: /.test(subject) ? [subject] : []));
    };

    await at(startOf(onDay(0)) - 23 * hourMs);
    t.strictSame(await reminders(30), [], 'nobody may be there');
    t.equal((await toStudio()).length, 1);
    t.match(await reminderRows(booked[0]!.id), [
      { status: 'pending', attempts: 0, recipient: 'person' },
      { status: 'sent', recipient: 'studio' },
    ]);
    await at(startOf(onDay(0)) - 22 * hourMs);
    t.strictSame([await reminders(30), (await toStudio()).length], [[], 1], 'the studio once');
    await decide(context, 'ada', [{ ...seen(0), choice: 'keep' }]);
    await at(startOf(onDay(0)) - 21.8 * hourMs);
    t.match(await reminders(30), [/^Reminder: /], 'sent once it is decided');

    await at(startOf(onDay(1)) - 23 * hourMs);
    t.match(await reminders(31), [/^Reminder, please choose another time: /]);
    await at(startOf(onDay(2)) - 23 * hourMs);
    t.match(await reminders(32), [/^Reminder: /], 'of one that is kept as ever');
    await at(startOf(onDay(3)) - 23 * hourMs);
    t.strictSame(await reminders(33), []);
    await removeClosure(context, 'ada', closures[3]!.id);
    await at(startOf(onDay(3)) - 22.8 * hourMs);
    t.match(await reminders(33), [/^Reminder: /], 'also where the day is opened again');
  },
);

void t.test('a reminder that waits to the start of its session is not sent after it', async (t) => {
  const slot = (await everyOpenSlot(context, 3))[4]!;
  const { id } = await bookFor(40, slot);
  await close(context, slot.date);
  for (const hours of [-1, 1]) await at(startOf(slot) + hours * hourMs);
  t.strictSame(await reminders(40), []);
  t.match(await reminderRows(id), [{ reason: 'over' }, { status: 'sent', recipient: 'studio' }]);
});
