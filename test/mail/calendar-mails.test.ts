import t from 'tap';
import { calendarErrorWords } from '../../src/calendar/calendar-errors.js';
import { slotStartsAt } from '../../src/calendar/slots.js';
import { recordConflicts } from '../../src/domain/conflicts.js';
import { resendMail } from '../../src/domain/mail-admin.js';
import { addBooking } from '../../src/domain/studio-bookings.js';
import { failCalendar, insertCalendar, readAgain, setBusy } from '../support/busy-calendars.js';
import { until } from '../support/embedded.js';
import { lockWaits } from '../support/lock-waits.js';
import { startMailService } from '../support/mail-service.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';
import {
  defer,
  hourMs,
  retryLater,
  startWatching,
  studioAddress,
} from '../support/calendar-mails.js';

void t.test(
  'the studio is mailed of a calendar that cannot be read: which, since when, why, and what holds; with nobody to reply to',
  async (t) => {
    const service = await startWatching(t);
    const { context, calendarId } = service;
    await failCalendar(context, calendarId);
    await context.database
      .updateTable('watched_calendars')
      .set({ label: 'The new label\r\nBcc: evil@example.com' })
      .execute();
    await service.settle();
    const [mail] = await service.arrived();
    const { to, subject, replyTo, text, html, raw } = mail!;
    t.strictSame(to, [studioAddress]);
    t.equal(subject, 'Calendar cannot be read: The new label Bcc: evil@example.com');
    t.equal(replyTo, undefined);
    const { failing_since } = await context.database
      .selectFrom('watched_calendars')
      .select('failing_since')
      .executeTakeFirstOrThrow();
    const { studio } = await context.board.read();
    const since = new Intl.DateTimeFormat('en-US', {
      timeZone: studio.timezone,
      timeStyle: 'short',
    }).format(failing_since!);
    const said = (text ?? '').replace(/\s+/g, ' ');
    t.match(said, `at ${since}, `);
    t.match(said, `Why: ${calendarErrorWords('status', 404)}`);
    t.match(said, 'Its last known busy times stay in force');
    t.match(said, '<http://studio.test/console/calendars>');
    t.notMatch(`${text}${html}${raw.toString()}`, 'calendar.example');
    t.match(await service.ofKind('calendar_failure'), [
      { calendar_id: calendarId, booking_id: null, status: 'sent', last_reply_code: 250 },
    ]);
    t.notMatch(service.logLines.join(''), /new label/);
  },
);

void t.test(
  'the mail of a calendar is dropped if it was read before it is sent, also if it fails again',
  async (t) => {
    const service = await startWatching(t, retryLater);
    const { context, smtp, calendarId } = service;
    const other = await insertCalendar(context);
    defer(service);
    await failCalendar(context, calendarId);
    await failCalendar(context, other);
    await service.settle();
    t.match(await service.ofKind('calendar_failure'), [{ attempts: 1 }, { attempts: 1 }]);
    await readAgain(context, calendarId);
    await readAgain(context, other);
    smtp.misbehave(null);
    await service.shiftClock(4 * hourMs);
    await failCalendar(context, other);
    await service.settle();
    const outcomes = (await service.ofKind('calendar_failure')).map(
      ({ calendar_id, status, reason }) => [calendar_id, reason ?? status],
    );
    t.strictSame(outcomes, [
      [calendarId, 'superseded'],
      [other, 'superseded'],
      [other, 'sent'],
    ]);
    t.equal((await service.arrived()).length, 1);
  },
);

void t.test('of a calendar that is removed, nothing is mailed, made or sent', async (t) => {
  const service = await startWatching(t, retryLater);
  const { context, smtp, calendarId } = service;
  const remove = (id: string) =>
    context.database.deleteFrom('watched_calendars').where('id', '=', id).execute();
  defer(service);
  await failCalendar(context, calendarId);
  await service.settle();
  await remove(calendarId);
  t.strictSame(await service.ofKind('calendar_failure'), []);
  smtp.misbehave(null);
  const gone = await insertCalendar(context);
  await remove(gone);
  await context.database
    .insertInto('events')
    .values({
      type: 'calendar.failing',
      occurred_at: new Date(context.clock.now()),
      data: JSON.stringify({ calendar_id: gone }),
    })
    .execute();
  await service.shiftClock(2 * hourMs);
  await service.settle();
  t.strictSame(await service.ofKind('calendar_failure'), []);
  t.strictSame(await service.arrived(), []);
  t.strictSame(await context.database.selectFrom('events_to_mail').selectAll().execute(), []);
});

void t.test('a calendar that is removed while its mail is made stops no other mail', async (t) => {
  const service = await startWatching(t);
  const { context, calendarId } = service;
  await context.database.transaction().execute(async (transaction) => {
    await failCalendar(context, calendarId);
    // Before the booking, whose notification has the mails made.
    await transaction.deleteFrom('watched_calendars').where('id', '=', calendarId).execute();
    await service.book(service.one);
    void service.background.mailDispatcher.dispatchAll();
    await until(async () => (await lockWaits(context.database)) > 0);
  });
  await service.settle();
  t.equal(service.smtp.received().length, 2);
  t.strictSame(await service.mails().then((mails) => mails.map(({ kind }) => kind).sort()), [
    'confirmation',
    'confirmation',
    'reminder',
  ]);
});

void t.test('the studio sends a mail about a calendar again while it cannot be read', async (t) => {
  const service = await startWatching(t);
  const { context, calendarId } = service;
  await failCalendar(context, calendarId);
  await service.settle();
  const [mail] = await service.ofKind('calendar_failure');
  t.equal(await resendMail(context, 'ada@desk', mail!.id), 'resent');
  await service.settle();
  const [first, second, ...others] = await service.arrived();
  t.strictSame(others, []);
  t.not(first!.messageId, second!.messageId);
  const { details } = await context.database
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'mail resend')
    .executeTakeFirstOrThrow();
  t.strictSame(details, { mail_id: mail!.id, calendar_id: calendarId });
  await readAgain(context, calendarId);
  t.equal(await resendMail(context, 'ada@desk', mail!.id), 'read');
});

void t.test('what happens to calendars while mail is off is never mailed', async (t) => {
  const off = await startTestService(t);
  const { context } = off;
  const { sweeper } = await off.startBackground();
  const [slot] = await someOpenSlots(context, 1);
  const added = await addBooking(context, 'test', slot!, { name: 'Walk In' });
  t.equal(added.outcome, 'added');
  const calendarId = await insertCalendar(context);
  const { studio } = await context.board.read();
  const at = slotStartsAt(studio.timezone, slot!.date, slot!.timeSlot).epochMs;
  await setBusy(context, calendarId, [at, at + hourMs]);
  t.equal(await context.database.transaction().execute(recordConflicts), 1);
  await failCalendar(context, calendarId);
  await off.shiftClock(121_000);
  await sweeper.sweep();
  t.strictSame(await context.database.selectFrom('events_to_mail').selectAll().execute(), []);

  const on = await startMailService(t, {
    ...generous,
    DATABASE_URL: context.config.databaseUrl ?? '',
  });
  t.equal(await context.database.transaction().execute(recordConflicts), 0);
  await on.settle();
  t.strictSame(await on.mails(), []);
  t.strictSame(on.smtp.received(), []);
});
