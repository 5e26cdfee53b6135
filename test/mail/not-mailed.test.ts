import { sql } from 'kysely';
import t from 'tap';
import { expireHolds } from '../../src/domain/booking/new-hold.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { recordConflicts } from '../../src/domain/studio/conflicts.js';
import { switchMailOff } from '../../src/domain/studio/mode.js';
import { forgetPerson } from '../../src/domain/studio/personal-data.js';
import { claimDueMails, recordMailOutcomes } from '../../src/repositories/mail-queue.js';
import { slotStartsAt } from '../../src/schedule/slots.js';
import { failCalendar, insertCalendar, setBusy } from '../support/busy-calendars.js';
import { moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { startMailer } from '../support/mailer.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, mailFrom, startService } from '../support/service.js';

const hourMs = 3_600_000;
const studioAddress = 'hello@nightheron.example';

const service = await startService(
  t,
  { ...generous, MAIL_RETRY_SCHEDULE_SECONDS: '3600' },
  { mail: true },
);
const { context, smtp, background } = service;
const { database } = context;

function receivedBy(address: string) {
  return smtp.received().filter(({ to }) => to.includes(address));
}

/** Books a session that is not reminded of soon, and sends what is due. */
async function book(email: string, person: number): Promise<{ id: string; token: string }> {
  const slot = (await someOpenSlots(context, 60)).at(-1);
  const booking = await service.book(slot!, { email, phone: personNumber(person).phone });
  await service.settle();
  return booking;
}

/** Mails about a booking that were counted towards the limit of their mailbox. */
async function insertCounted(
  bookingId: string,
  count: number,
  { status = 'sent', recipient = 'person', kind = 'move', hoursAgo = 0 } = {},
): Promise<void> {
  const isCode = kind === 'code';
  await sql`
    with made as (
      -- Of a type that has no mails.
      insert into events (type, booking_id, occurred_at, data)
      select 'hold.created', ${bookingId}, booking_now(), '{}' from generate_series(1, ${count})
      returning id
    )
    insert into mails (event_id, booking_id, kind, recipient, sequence, created_at, status, reason,
      ended_at, counted_at, lapses_at)
    select case when ${isCode} then null else id end, ${bookingId}, ${kind}, ${recipient}, 0, at,
      ${status}, case when ${status} = 'dropped' then 'over' end, at, at,
      case when ${isCode} then at end
    from made, (select booking_now() - make_interval(hours => ${hoursAgo}) as at) as moment`.execute(
    database,
  );
}

void t.test('twenty mails a day go to one mailbox, and to the studio all', async (t) => {
  const { id } = await book('mara@gmail.com', 1);
  await insertCounted(id, 9);
  const second = await book('M.ara@Gmail.com', 2);
  await insertCounted(second.id, 8);
  const uncounted: Parameters<typeof insertCounted>[2][] = [
    { recipient: 'studio' },
    { status: 'dropped' },
    { kind: 'code' },
    { hoursAgo: 24 },
  ];
  for (const mails of uncounted) await insertCounted(id, 30, mails);
  const unconfirmed = await holdForPerson(service, { email: 'mara@gmail.com' });
  await insertCounted(unconfirmed.id, 30);
  const toStudio = receivedBy(studioAddress).length;
  const twentieth = await book('mara+tattoo@googlemail.com', 3);
  t.equal(receivedBy('mara+tattoo@googlemail.com').length, 1);
  await book('mara@gmail.com', 4);
  t.equal(receivedBy('mara@gmail.com').length, 1, 'the 21st is not sent');
  t.equal((await service.mails()).filter(({ reason }) => reason === 'daily_limit').length, 1);
  t.equal(receivedBy(studioAddress).length, toStudio + 2);
  await book('other@gmail.com', 5);
  t.equal(receivedBy('other@gmail.com').length, 1, 'another mailbox has a count of its own');
  await pressOn(service, `/checkout/${twentieth.token}`, 'send_code');
  await service.settle();
  t.equal(receivedBy('mara+tattoo@googlemail.com').length, 2, 'a code is sent nonetheless');

  await service.shiftClock(25 * hourMs);
  await book('mara@gmail.com', 6);
  t.equal(receivedBy('mara@gmail.com').length, 2, 'the next day is new');
});

void t.test('a mail that is attempted again counts as before', async (t) => {
  smtp.refuse();
  const { id } = await book('retried@example.com', 11);
  await insertCounted(id, 17);
  for (const person of [12, 13, 14]) await book('retried@example.com', person);
  smtp.accept();
  await service.shiftClock(27 * hourMs);
  await service.settle();
  t.equal(receivedBy('retried@example.com').length, 3, 'the twentieth is sent, no more');
});

void t.test('a booking without an e-mail address is mailed to the studio only', async (t) => {
  const before = smtp.received().length;
  const [slot] = await someOpenSlots(context, 1);
  await addBooking(context, 'test', slot!, { name: 'Walk In', email: null });
  await service.settle();
  const [mail, ...others] = smtp.received().slice(before);
  t.match(mail, { to: [studioAddress], from: 'booking@nightheron.example' });
  t.match(mail!.raw.toString(), `From: ${mailFrom}`, 'from MAIL_FROM, as all mail is');
  t.strictSame(others, []);
});

void t.test(
  'a hold that nobody confirmed is mailed to nobody, whatever becomes of it',
  async (t) => {
    const before = (await service.mails()).length;
    const [free] = (await someOpenSlots(context, 4)).slice(3);
    const moved = await holdForPerson(service, personNumber(21));
    const released = await holdForPerson(service, personNumber(22));
    const forgotten = await holdForPerson(service, personNumber(23));
    await moveCheckout(context, moved.token, free!, 0);
    await releaseCheckout(context, released.token, 'pending');
    await forgetPerson(context, 'test', { id: forgotten.id }, { cancelBookings: true });
    await service.shiftClock(29 * hourMs);
    await expireHolds(context);
    await service.settle();
    t.equal((await service.mails()).length, before);
  },
);

void t.test('a forgotten person gets nothing, and no mail keeps anything of them', async (t) => {
  smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
  const [slot] = await someOpenSlots(context, 1);
  const person = { name: 'Quirina Blau', email: 'quirina@personal.example' };
  const { id } = await service.book(slot!, person);
  await service.settle();
  const { studio } = await context.board.read();
  const from = slotStartsAt(studio.timezone, slot!.date, slot!.timeSlot).epochMs;
  await setBusy(context, await insertCalendar(context), [from, from + hourMs]);
  t.equal(await database.transaction().execute(recordConflicts), 1);
  await service.settle();
  const rows = async () => (await service.mails()).filter(({ booking_id }) => booking_id === id);
  t.match((await rows())[0], { status: 'pending', attempts: 1 });
  t.ok((await rows()).some(({ kind, status }) => kind === 'conflict' && status === 'pending'));
  await forgetPerson(context, 'test', { email: person.email }, { cancelBookings: true });
  smtp.misbehave(null);
  await service.shiftClock(60 * hourMs);
  await service.settle();
  t.strictSame(receivedBy(person.email), []);
  t.ok((await rows()).every(({ status }) => status === 'dropped'));
  t.notMatch(JSON.stringify([await rows(), service.logLines]), /quirina/i);
});

void t.test(
  'twenty are sent, too, if a process that has claimed more gives them back',
  async (t) => {
    const { id } = await book('shared@example.com', 31);
    await insertCounted(id, 17);
    await background.stop();
    const { mailer, mailDispatcher } = await startMailer(t, context);
    for (const [index, slot] of (await someOpenSlots(context, 4)).entries()) {
      const phone = personNumber(40 + index).phone;
      await service.book(slot, { email: 'shared@example.com', phone });
    }
    await mailDispatcher.dispatchAll();
    const claim = { limit: 60, claimSeconds: 60 };
    const claimed = await claimDueMails(database, context.connect, claim);
    const counts = claimed.flatMap(({ countedBefore }) => countedBefore ?? []);
    t.strictSame(counts.sort(), [18, 19, 20, 21]);
    await recordMailOutcomes(
      database,
      claimed.map((mail) => ({ ...mail, status: 'released' })),
    );
    await mailer.sendDue();
    t.equal(receivedBy('shared@example.com').length, 3);
  },
);

void t.test('what happened while mail was off is never mailed, and soon swept', async (t) => {
  const off = await startService(t);
  const { context } = off;
  const slots = await someOpenSlots(context, 4);
  const bookAt = async (index: number) =>
    (await sessionForPerson(off, personNumber(index), slots[index])).id;
  await bookAt(0);
  const calendarId = await insertCalendar(context);
  const { studio } = await context.board.read();
  const from = slotStartsAt(studio.timezone, slots[0]!.date, slots[0]!.timeSlot).epochMs;
  await setBusy(context, calendarId, [from, from + hourMs]);
  t.equal(await context.database.transaction().execute(recordConflicts), 1);
  await failCalendar(context, calendarId);

  const connection = { DATABASE_URL: context.config.databaseUrl ?? '' };
  const on = await startService(t, { ...generous, ...connection }, { mail: true });
  t.equal(await context.database.transaction().execute(recordConflicts), 0);
  await on.settle();
  t.strictSame(await on.mails(), []);
  on.smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
  const unsentId = await bookAt(1);
  await on.settle();
  await switchMailOff(context, 'test');
  const offBackground = await off.startBackground();
  await bookAt(2);
  await offBackground.sweeper.sweep();
  await on.settle();
  await on.background.sweeper.sweep();
  await on.background.stop();

  const again = await startService(t, { ...generous, ...connection }, { mail: true });
  const id = await bookAt(3);
  // Recorded: a claim would end with the shift.
  await again.settle();
  await again.shiftClock(12 * hourMs);
  await again.settle();
  const mails = await again.mails();
  const sent = mails.filter(({ status }) => status === 'sent');
  t.strictSame([...new Set(sent.map(({ booking_id }) => booking_id))], [id]);
  const dropped = mails.filter((mail) => mail.booking_id === unsentId && mail.kind !== 'reminder');
  t.equal(dropped.length, 2);
  for (const mail of dropped) t.match(mail, { reason: 'mail_off' });
  t.strictSame(on.smtp.received(), []);
  t.equal(again.smtp.received().length, 2);

  await again.background.stop();
  await switchMailOff(context, 'test');
  await cancelByStudio(context, 'test', id, {});
  const leftToMail = () => context.database.selectFrom('events_to_mail').selectAll().execute();
  await offBackground.sweeper.sweep();
  t.equal((await leftToMail()).length, 1, 'mail may be switched on meanwhile');
  await again.shiftClock(12 * hourMs + 121_000);
  await offBackground.sweeper.sweep();
  t.strictSame(await leftToMail(), [], 'no trace is left after two minutes');
});
