import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { slotStartsAt, type Slot } from '../../src/calendar/slots.js';
import { releaseCheckout } from '../../src/domain/checkout.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { startMailService, type MailService } from '../support/mail-service.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';

const hourMs = 3_600_000;
const timezone = 'America/Los_Angeles';

/** The subjects of the reminders that have arrived. */
async function reminders({ smtp }: MailService): Promise<string[]> {
  const mails = await Promise.all(smtp.received().map((mail) => mail.parsed()));
  return mails.flatMap(({ subject = '' }) => (subject.startsWith('Reminder') ? [subject] : []));
}

function startOf(slot: Slot): number {
  return slotStartsAt(timezone, slot.date, slot.timeSlot).epochMs;
}

/** Sets the clock to an instant, and lets the sweeper and the workers do what is due then. */
async function at(service: MailService, epochMs: number): Promise<void> {
  await service.shiftClock(epochMs - Date.now());
  await service.settle();
}

void t.test('a reminder is sent REMINDER_HOURS before the start, and no earlier', async (t) => {
  const service = await startMailService(t);
  const [slot] = await someOpenSlots(service.context, 4).then((slots) => slots.slice(3));
  if (slot === undefined) throw new Error('no open slot');
  await service.book(slot);
  await at(service, startOf(slot) - 24 * hourMs - 60_000);
  t.strictSame(await reminders(service), []);
  await at(service, startOf(slot) - 24 * hourMs + 1_000);
  t.equal((await reminders(service)).length, 1);
  await at(service, startOf(slot) + hourMs);
  t.equal((await reminders(service)).length, 1);
});

void t.test('the sweeper sends a reminder that has no job', async (t) => {
  const service = await startMailService(t);
  const [slot] = await someOpenSlots(service.context, 1);
  if (slot === undefined) throw new Error('no open slot');
  await service.book(slot);
  await service.settle();
  await service.shiftClock(startOf(slot) - 23 * hourMs - Date.now());
  await service.background.sweeper.sweep();
  await service.smtp.waitFor(3);
  t.equal((await reminders(service)).length, 1);
});

void t.test('a move makes the reminder anew, and a cancellation drops it', async (t) => {
  const service = await startMailService(t);
  const { context } = service;
  const slots = await everyOpenSlot(context, 10);
  const [early, late] = [slots[0], slots[12]];
  if (early === undefined || late === undefined) throw new Error('too few open slots');
  const { id, token } = await service.book(early);
  await service.settle();
  await moveCheckout(context, token, late, 1, await service.browser(id));
  await service.settle();
  await at(service, startOf(early) - 23 * hourMs);
  t.strictSame(await reminders(service), [], 'none for the old time');
  await at(service, startOf(late) - 24 * hourMs + 1_000);
  t.equal((await reminders(service)).length, 1);
  t.match((await reminders(service))[0], late.timeSlot);

  const other = slots[20];
  if (other === undefined) throw new Error('too few open slots');
  const cancelled = await service.book(other, { email: 'grace@example.com', phone: '5555550177' });
  await service.settle();
  const browser = await service.browser(cancelled.id);
  await releaseCheckout(context, cancelled.token, 'confirmed', null, browser);
  await service.settle();
  await at(service, startOf(other) - 23 * hourMs);
  t.equal((await reminders(service)).length, 1);
  const rows = (await service.mails()).filter(({ kind }) => kind === 'reminder');
  t.strictSame(
    rows.map(({ status, reason }) => reason ?? status),
    ['superseded', 'sent', 'superseded'],
  );
});

void t.test(
  'who confirms within REMINDER_HOURS of the start is not reminded; nor is anyone at 0',
  async (t) => {
    const service = await startMailService(t);
    const [slot] = await someOpenSlots(service.context, 1);
    if (slot === undefined) throw new Error('no open slot');
    await at(service, startOf(slot) - 20 * hourMs);
    await service.book(slot);
    await service.settle();
    t.strictSame(
      (await service.mails()).map(({ kind }) => kind),
      ['confirmation', 'confirmation'],
    );
    const none = await startMailService(t, { REMINDER_HOURS: '0' });
    const [other] = await someOpenSlots(none.context, 1);
    if (other === undefined) throw new Error('no open slot');
    await none.book(other);
    await none.settle();
    t.equal((await none.mails()).length, 2);
  },
);

void t.test('over both changes of daylight saving, 24 hours are 24 hours', async (t) => {
  const service = await startMailService(t, { BOOKING_HORIZON_DAYS: '400' });
  const { context } = service;
  let moment = Temporal.Instant.fromEpochMilliseconds(context.clock.now()).toZonedDateTimeISO(
    timezone,
  );
  const open = await everyOpenSlot(context, 3);
  for (const person of [1, 2]) {
    const change = moment.getTimeZoneTransition('next');
    if (change === null) throw new Error('the zone has no daylight saving');
    moment = change;
    const date = change.toPlainDate().toString();
    const slot = open.find((each) => each.date === date);
    if (slot === undefined) throw new Error(`nothing is open on ${date}`);
    await service.book(slot, { email: `dst${person}@example.com`, phone: `555555010${person}` });
    await service.settle();
    const reminder = (await service.mails()).findLast(({ kind }) => kind === 'reminder');
    t.equal(reminder?.next_attempt_at?.getTime(), startOf(slot) - 24 * hourMs);
    const wallClock = Temporal.Instant.fromEpochMilliseconds(startOf(slot) - 24 * hourMs)
      .toZonedDateTimeISO(timezone)
      .toPlainTime()
      .toString({ smallestUnit: 'minute' });
    t.not(wallClock, '13:00', 'the clocks have changed between the two');
  }
  t.equal((await service.mails()).filter(({ kind }) => kind === 'reminder').length, 2);
});
