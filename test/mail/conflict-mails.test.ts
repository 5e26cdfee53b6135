import t from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import { recordConflicts } from '../../src/domain/conflicts.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { forgetPerson } from '../../src/domain/personal-data.js';
import { addBooking, moveByStudio } from '../../src/domain/studio-bookings.js';
import { countMailProblems } from '../../src/repositories/mail-admin.js';
import { setBusy } from '../support/busy-calendars.js';
import { someOpenSlots } from '../support/requests.js';
import { startNeighbour } from '../support/service.js';
import {
  defer,
  hourMs,
  retryLater,
  startWatching,
  studioAddress,
} from '../support/calendar-mails.js';

void t.test(
  'the studio is mailed of a conflict once, also if it is found at once over two connections, vanishes and comes back; after a move to another, again',
  async (t) => {
    const service = await startWatching(t);
    const { context, one, two } = service;
    const { id } = await service.book(one, { name: 'Quirina Blau' });
    await service.settle();
    const neighbour = await startNeighbour(t, context);
    await service.busyAt();
    await setBusy(context, service.calendarId, [service.startOf(one), service.startOf(one) + 1]);
    await Promise.all(
      [context, neighbour].map(({ database }) => database.transaction().execute(recordConflicts)),
    );
    await service.settle();
    await service.busyAt();
    await service.settle();
    await service.busyAt(one);
    await service.settle();
    t.equal((await service.arrived()).length, 1);

    await moveByStudio(context, 'test', id, two);
    await service.busyAt(two);
    await service.settle();
    const mails = await service.arrived();
    t.equal(mails.length, 2);
    for (const [index, slot] of [one, two].entries()) {
      const { to, subject, replyTo, text, attachments } = mails[index]!;
      t.strictSame(to, [studioAddress], 'and nobody else');
      t.match(subject, /^Conflict: Quirina Blau, /);
      t.ok(subject?.endsWith(` at ${slot.timeSlot}`));
      t.match(replyTo, [{ address: 'ada@example.com' }]);
      t.match(text, /Nothing was changed\./);
      t.match(text, `<http://studio.test/console/bookings/${id}>`);
      t.notMatch(text, '/checkout/');
      t.strictSame(attachments, []);
    }
    t.match(await service.ofKind('conflict'), [
      { booking_id: id, calendar_id: null, recipient: 'studio', status: 'sent' },
      { booking_id: id, calendar_id: null, recipient: 'studio', status: 'sent' },
    ]);
    t.notMatch(service.logLines.join(''), /Quirina|Ada’s phone/);
  },
);

void t.test('the mail of a conflict waits for an earlier one about the booking', async (t) => {
  const service = await startWatching(t, { MAIL_RETRY_SCHEDULE_SECONDS: '3600,3600' });
  const { context, smtp } = service;
  defer(service);
  await service.book(service.one);
  await service.settle();
  smtp.misbehave(null);
  await service.busyAt(service.one);
  await service.settle();
  t.strictSame(await service.arrived(), []);
  t.match(await countMailProblems(context.database), { overdue: 0 });
  await service.shiftClock(hourMs + 1_000);
  await service.settle();
  const toStudio = smtp.received().filter(({ to }) => to.includes(studioAddress));
  const subjects = await Promise.all(
    toStudio.map(async (mail) => (await mail.parsed()).subject?.split(':')[0]),
  );
  t.strictSame(subjects, ['Booked', 'Conflict']);
});

void t.test(
  'the mail of a conflict is dropped if the booking has changed, has begun or is forgotten before it is sent',
  async (t) => {
    const service = await startWatching(t, retryLater);
    const { context, smtp, one, two } = service;
    const add = async (slot: Slot) => {
      const added = await addBooking(context, 'test', slot, { name: 'Walk In', email: null });
      if (added.outcome !== 'added') throw new Error(added.outcome);
      await service.settle();
      return added.booking.id;
    };
    const [three] = (await someOpenSlots(context, 3)).slice(2);
    const changed = await add(one);
    const begun = await add(two);
    const forgotten = await add(three!);
    defer(service);
    await service.busyAt(one, two, three!);
    await service.settle();
    t.equal((await service.ofKind('conflict')).length, 3);
    await cancelByStudio(context, 'test', changed, {});
    // As after the session, with nothing to cancel.
    await context.database
      .updateTable('bookings')
      .set({ name: null })
      .where('id', '=', forgotten)
      .execute();
    smtp.misbehave(null);
    await service.shiftClock(service.startOf(two) - Date.now());
    await service.settle();
    const reasons = (await service.ofKind('conflict')).map(({ booking_id, reason }) => [
      booking_id,
      reason,
    ]);
    t.strictSame(Object.fromEntries(reasons), {
      [changed]: 'superseded',
      [begun]: 'over',
      [forgotten]: 'forgotten',
    });
    t.strictSame(await service.arrived(), []);
  },
);

void t.test('a forgotten person is in no mail of a conflict', async (t) => {
  const service = await startWatching(t, retryLater);
  const { context, smtp } = service;
  const { id } = await service.book(service.one, { name: 'Quirina Blau' });
  await service.settle();
  defer(service);
  await service.busyAt(service.one);
  await service.settle();
  await forgetPerson(context, 'test', { id }, { cancelBookings: true });
  smtp.misbehave(null);
  await service.shiftClock(2 * hourMs);
  await service.settle();
  t.match(await service.ofKind('conflict'), [{ status: 'dropped' }]);
  t.strictSame(await service.arrived(), []);
});
