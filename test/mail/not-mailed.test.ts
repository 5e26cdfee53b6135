import t from 'tap';
import { addBooking } from '../../src/domain/studio-bookings.js';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { expireHolds } from '../../src/domain/expiry.js';
import { placeHold } from '../../src/domain/holds.js';
import { switchMailOff } from '../../src/domain/mode.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { forgetPerson } from '../../src/domain/personal-data.js';
import { claimDueMails, recordMailOutcomes } from '../../src/repositories/mail-queue.js';
import { mailFrom, startMailService } from '../support/mail-service.js';
import { holdForPerson } from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

const hourMs = 3_600_000;

void t.test(
  'a hold that nobody confirmed is mailed to nobody, whatever becomes of it',
  async (t) => {
    const service = await startMailService(t);
    const { context, smtp } = service;
    const [a, b, c, free] = await someOpenSlots(context, 4);
    if (!a || !b || !c || !free) throw new Error('too few open slots');
    const hold = (slot: typeof a, person: number) =>
      placeHold(context, callerNumber(1), holdRequest(slot, personNumber(person)), null);
    const moved = await hold(a, 1);
    const released = await hold(b, 2);
    const forgotten = await hold(c, 3);
    await moveCheckout(context, moved.checkoutToken, free, 0);
    await releaseCheckout(context, released.checkoutToken, 'pending');
    await forgetPerson(context, 'test', { id: forgotten.booking.id }, { cancelBookings: true });
    await service.shiftClock(hourMs);
    await expireHolds(context);
    await service.settle();
    t.strictSame(await service.mails(), []);
    t.strictSame(smtp.received(), []);
  },
);

void t.test('what happened while mail was off is never mailed', async (t) => {
  const off = await startTestService(t);
  const { context } = off;
  const [before, between, unsent, after] = await someOpenSlots(context, 4);
  if (!before || !between || !unsent || !after) throw new Error('too few open slots');
  const bookAt = async (slot: typeof before, person: number): Promise<string> => {
    const request = holdRequest(slot, personNumber(person));
    const { booking, checkoutToken } = await placeHold(context, callerNumber(1), request, null);
    await confirmCheckout(context, checkoutToken);
    return booking.id;
  };
  await bookAt(before, 1);

  const connection = { DATABASE_URL: context.config.databaseUrl ?? '' };
  const on = await startMailService(t, connection);
  await on.settle();
  on.smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
  const unsentId = await bookAt(unsent, 2);
  await on.settle();
  await switchMailOff(context, 'test');
  const background = await off.startBackground();
  await bookAt(between, 3);
  await background.sweeper.sweep();
  await on.settle();
  await on.background.sweeper.sweep();
  await on.background.stop();
  await background.stop();

  const again = await startMailService(t, connection);
  const id = await bookAt(after, 4);
  // Recorded: a claim would end with the shift.
  await again.settle();
  await again.shiftClock(12 * hourMs);
  await again.settle();
  const sent = (await again.mails()).filter(({ status }) => status === 'sent');
  t.strictSame([...new Set(sent.map(({ booking_id }) => booking_id))], [id]);
  const dropped = (await again.mails()).filter(
    ({ booking_id, kind }) => booking_id === unsentId && kind !== 'reminder',
  );
  t.ok(dropped.length > 0 && dropped.every(({ reason }) => reason === 'mail_off'));
  t.strictSame(on.smtp.received(), []);
  t.equal(again.smtp.received().length, 2);
});

void t.test('while mail is off, no trace of its events is left after two minutes', async (t) => {
  const service = await startTestService(t);
  const { context } = service;
  const { sweeper } = await service.startBackground();
  const { token } = await holdForPerson({ service });
  await confirmCheckout(context, token);
  await service.shiftClock(121_000);
  await sweeper.sweep();
  const left = await context.database.selectFrom('events_to_mail').selectAll().execute();
  t.strictSame(left, []);
});

void t.test('a forgotten person gets nothing, and the mails keep nothing of them', async (t) => {
  const service = await startMailService(t, { MAIL_RETRY_SCHEDULE_SECONDS: '3600' });
  const { context, smtp } = service;
  const [slot] = await someOpenSlots(context, 1);
  if (slot === undefined) throw new Error('no open slot');
  smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
  await service.book(slot, { name: 'Quirina Blau', email: 'quirina@personal.example' });
  await service.settle();
  t.match((await service.mails())[0], { status: 'pending', attempts: 1 });
  await forgetPerson(
    context,
    'test',
    { email: 'quirina@personal.example' },
    { cancelBookings: true },
  );
  smtp.misbehave(null);
  await service.shiftClock(48 * hourMs);
  await service.settle();
  t.strictSame(smtp.received(), []);
  const rows = await service.mails();
  t.ok(rows.every(({ status }) => status === 'dropped'));
  t.notMatch(JSON.stringify([rows, service.logLines]), /quirina/i);
});

void t.test(
  'the 21st mail of a day to one mailbox is not sent, and counted; the next day is new',
  async (t) => {
    const service = await startMailService(t);
    const { context, smtp } = service;
    const toPerson = () =>
      smtp.received().filter(({ to }) => !to.includes('hello@nightheron.example'));
    const variants = ['mara@gmail.com', 'M.ara@Gmail.com', 'mara+tattoo@googlemail.com'];
    const slots = await someOpenSlots(context, 24);
    for (const [index, slot] of slots.slice(0, 11).entries()) {
      const { id, token } = await service.book(slot, {
        email: variants[index % 3] ?? '',
        phone: personNumber(index).phone,
      });
      await service.settle();
      await releaseCheckout(context, token, 'confirmed', null, await service.browser(id));
      await service.settle();
    }
    t.equal(toPerson().length, 20);
    t.equal((await service.mails()).filter(({ reason }) => reason === 'daily_limit').length, 2);
    t.equal(smtp.received().length - 20, 22, 'the studio is notified of everything');
    const [other] = slots.slice(12);
    if (other === undefined) throw new Error('no open slot');
    await service.book(other, personNumber(50));
    await service.settle();
    t.equal(toPerson().length, 21, 'another mailbox has a count of its own');

    await service.shiftClock(25 * hourMs);
    const [next] = slots.slice(13);
    if (next === undefined) throw new Error('no open slot');
    await service.book(next, { email: 'mara@gmail.com', phone: personNumber(90).phone });
    await service.settle();
    t.equal(toPerson().length, 22);
  },
);

void t.test('twenty-one mails to one mailbox that are due at once: twenty are sent', async (t) => {
  const service = await startMailService(t, { MAIL_RETRY_SCHEDULE_SECONDS: '3600' });
  const { context, smtp } = service;
  smtp.refuse();
  const slots = await someOpenSlots(context, 23);
  for (const [index, slot] of slots.entries()) {
    await service.book(slot, { email: 'mara@example.com', phone: personNumber(index).phone });
  }
  await service.settle();
  smtp.accept();
  await service.shiftClock(2 * hourMs);
  await service.settle();
  const toPerson = smtp.received().filter(({ to }) => to.includes('mara@example.com'));
  t.equal(toPerson.length, 20);
});

void t.test(
  'twenty are sent, too, if a process that has claimed more gives them back',
  async (t) => {
    const service = await startMailService(t);
    const { context, smtp } = service;
    let proceed: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (proceed = resolve));
    smtp.misbehave(({ stage }) => (stage === 'MAIL' ? { until } : null));
    for (const [index, slot] of (await someOpenSlots(context, 30)).entries()) {
      await service.book(slot, { email: 'mara@example.com', phone: personNumber(index).phone });
    }
    await service.background.mailDispatcher.dispatchAll();
    const claimed = await claimDueMails(context.database, context.connect, {
      limit: 60,
      claimSeconds: 60,
    });
    t.ok(claimed.some(({ countedBefore }) => countedBefore !== null && countedBefore >= 20));
    await recordMailOutcomes(
      context.database,
      claimed.map((mail) => ({ ...mail, status: 'released' })),
    );
    proceed();
    await service.settle();
    const toPerson = smtp.received().filter(({ to }) => to.includes('mara@example.com'));
    t.equal(toPerson.length, 20);
  },
);

void t.test('a booking without an e-mail address is mailed to the studio only', async (t) => {
  const service = await startMailService(t);
  const { context, smtp } = service;
  const [slot] = await someOpenSlots(context, 1);
  if (slot === undefined) throw new Error('no open slot');
  await addBooking(context, 'test', slot, {
    name: 'Walk In',
    email: null,
    phone: null,
    pronouns: null,
    idea: null,
  });
  await service.settle();
  t.strictSame(
    smtp.received().map(({ to }) => to),
    [['hello@nightheron.example']],
  );
  t.equal((await service.mails()).length, 1);
});

void t.test('the sender of all mail is MAIL_FROM', async (t) => {
  const service = await startMailService(t);
  const [slot] = await someOpenSlots(service.context, 1);
  if (slot === undefined) throw new Error('no open slot');
  await service.book(slot);
  for (const mail of await service.smtp.waitFor(2)) {
    t.equal(mail.from, 'booking@nightheron.example');
    t.match(mail.raw.toString(), `From: ${mailFrom}`);
  }
});
