import t from 'tap';
import { moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { recordConflicts } from '../../src/domain/studio/conflicts.js';
import { resendMail } from '../../src/domain/studio/mail-admin.js';
import { listWatchedCalendars } from '../../src/domain/studio/watched-calendars.js';
import { calendarErrorWords } from '../../src/icalendar/calendar-reader.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { countMailProblems } from '../../src/repositories/mail-admin.js';
import { slotStartsAt, type Slot } from '../../src/schedule/slots.js';
import { sessionWords } from '../../src/schedule/words.js';
import { failCalendar, insertCalendar, readAgain, setBusy } from '../support/busy-calendars.js';
import { lockWaits } from '../support/database.js';
import { until } from '../support/embedded.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const hourMs = 3_600_000;
const studioAddress = 'hello@nightheron.example';

const service = await startService(
  t,
  { ...generous, MAIL_RETRY_SCHEDULE_SECONDS: '3600,3600' },
  { mail: true },
);
const { context, smtp } = service;
const { database } = context;
const { studio } = await context.board.read();
let shiftMs = 0;

function startOf({ date, timeSlot }: Slot): number {
  return slotStartsAt(studio.timezone, date, timeSlot).epochMs;
}

/** From now on, the calendar is busy for an hour of each slot. Resolves with the new conflicts. */
async function busyAt(calendarId: string, ...slots: Slot[]): Promise<number> {
  const hours = slots.map((slot): [number, number] => [startOf(slot), startOf(slot) + hourMs]);
  await setBusy(context, calendarId, ...hours);
  return database.transaction().execute(recordConflicts);
}

/** From now on, the mail server refuses every mail for now. */
function defer(): void {
  smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
}

/** The mail server accepts mail, and what waited for it is sent. */
async function sendDeferred(laterMs = 2 * hourMs): Promise<void> {
  smtp.misbehave(null);
  shiftMs += laterMs;
  await service.shiftClock(shiftMs);
  await service.settle();
}

/** What has arrived with these words in its subject. */
async function arrived(words: RegExp) {
  const mails = smtp.received().map(async (mail) => ({ ...(await mail.parsed()), ...mail }));
  return (await Promise.all(mails)).filter(({ subject = '' }) => words.test(subject));
}

/** How the mails about a calendar or booking ended. */
async function outcomes(id: string, kind: 'calendar_failure' | 'conflict'): Promise<string[]> {
  return (await service.mails())
    .filter((mail) => mail.kind === kind && [mail.calendar_id, mail.booking_id].includes(id))
    .map(({ status, reason }) => reason ?? status);
}

void t.test(
  'the studio is mailed of a calendar that cannot be read: which, since when, why, and what holds; with nobody to reply to, and again if it asks',
  async (t) => {
    const calendarId = await insertCalendar(context, { label: 'The new label\r\nBcc: evil@x.org' });
    await failCalendar(context, calendarId);
    await service.settle();
    const [mail] = await arrived(/new label/);
    const { to, subject, replyTo, text = '', html, raw } = mail!;
    t.strictSame(to, [studioAddress]);
    t.equal(subject, 'Calendar cannot be read: The new label Bcc: evil@x.org');
    t.equal(replyTo, undefined);
    const [calendar] = await listWatchedCalendars(context);
    const options = { timeZone: studio.timezone, timeStyle: 'short' } as const;
    const since = new Intl.DateTimeFormat('en-US', options).format(calendar!.failing_since!);
    const said = text.replace(/\s+/g, ' ');
    t.match(said, `at ${since}, `);
    t.match(said, `Why: ${calendarErrorWords('status', 404)}`);
    t.match(said, 'Its last known busy times stay in force');
    t.match(said, '<http://studio.test/console/calendars>');
    t.notMatch(`${text}${html}${raw.toString()}`, 'calendar.example');
    const [row] = (await service.mails()).filter(({ calendar_id }) => calendar_id === calendarId);
    t.match(row, { kind: 'calendar_failure', booking_id: null, last_reply_code: 250 });
    t.notMatch(service.logLines.join(''), /new label/);

    t.equal(await resendMail(context, 'ada@desk', row!.id), 'resent');
    await service.settle();
    const [first, second, ...others] = await arrived(/new label/);
    t.strictSame(others, []);
    t.not(first!.messageId, second!.messageId);
    const details = { mail_id: row!.id, calendar_id: calendarId };
    t.match(await listAuditRows(database, 1), [{ action: 'mail resend', details }]);
    await readAgain(context, calendarId);
    t.equal(await resendMail(context, 'ada@desk', row!.id), 'read');
  },
);

void t.test(
  'the mail of a calendar is dropped if it was read before it is sent, also if it fails again',
  async (t) => {
    const [read, failing] = [await insertCalendar(context), await insertCalendar(context)];
    await database.updateTable('watched_calendars').set({ label: 'Twice' }).execute();
    defer();
    for (const id of [read, failing]) await failCalendar(context, id);
    await service.settle();
    for (const id of [read, failing]) await readAgain(context, id);
    shiftMs += 3 * hourMs;
    await service.shiftClock(shiftMs);
    await failCalendar(context, failing);
    await sendDeferred();
    t.strictSame(await outcomes(read, 'calendar_failure'), ['superseded']);
    t.strictSame(await outcomes(failing, 'calendar_failure'), ['superseded', 'sent']);
    t.equal((await arrived(/Twice/)).length, 1);
  },
);

void t.test('of a calendar that is removed, nothing is mailed, made or sent', async (t) => {
  const [removed, gone] = [await insertCalendar(context), await insertCalendar(context)];
  const remove = (id: string) =>
    database.deleteFrom('watched_calendars').where('id', '=', id).execute();
  defer();
  await failCalendar(context, removed);
  await service.settle();
  await remove(removed);
  await remove(gone);
  const before = smtp.received().length;
  await failCalendar(context, gone);
  await sendDeferred();
  for (const id of [removed, gone]) t.strictSame(await outcomes(id, 'calendar_failure'), []);
  t.equal(smtp.received().length, before);
  t.strictSame(await database.selectFrom('events_to_mail').selectAll().execute(), []);
});

void t.test('a calendar that is removed while its mail is made stops no other mail', async (t) => {
  const calendarId = await insertCalendar(context);
  const [slot] = await someOpenSlots(context, 1);
  const person = personNumber(1);
  await database.transaction().execute(async (transaction) => {
    await failCalendar(context, calendarId);
    // Before the booking, whose notification has the mails made.
    await transaction.deleteFrom('watched_calendars').where('id', '=', calendarId).execute();
    await service.book(slot!, person);
    void service.background.mailDispatcher.dispatchAll();
    await until(async () => (await lockWaits(database)) > 0);
  });
  await service.settle();
  t.equal(smtp.received().filter(({ to }) => to.includes(person.email)).length, 1);
  t.strictSame(await outcomes(calendarId, 'calendar_failure'), []);
});

void t.test('the studio is mailed of a conflict, and of one after a move again', async (t) => {
  const calendarId = await insertCalendar(context, { label: 'Ada’s phone' });
  const [one, two] = await someOpenSlots(context, 2);
  const { id } = await service.book(one!, { name: 'Quirina Blau' });
  await service.settle();
  await busyAt(calendarId, one!);
  await service.settle();
  await moveByStudio(context, 'test', id, two!);
  await busyAt(calendarId, two!);
  await service.settle();
  const { openingHours } = await context.board.read();
  const mails = await arrived(/^Conflict: Quirina/);
  t.equal(mails.length, 2);
  for (const [index, slot] of [one!, two!].entries()) {
    const { to, subject, replyTo, text, attachments } = mails[index]!;
    t.strictSame(to, [studioAddress], 'and nobody else');
    const words = sessionWords(slot, openingHours, slot.date).replaceAll('\u00a0', ' ');
    t.equal(subject, `Conflict: Quirina Blau, ${words}`);
    t.match(replyTo, [{ address: 'ada@example.com' }]);
    t.match(text, /Nothing was changed\./);
    t.match(text, `<http://studio.test/console/bookings/${id}>`);
    t.notMatch(text, '/checkout/');
    t.strictSame(attachments, []);
  }
  const rows = (await service.mails()).filter(({ kind }) => kind === 'conflict');
  const row = { booking_id: id, calendar_id: null, recipient: 'studio', status: 'sent' };
  t.match(rows, [row, row]);
  t.notMatch(service.logLines.join(''), /Quirina|Ada’s phone/);
});

void t.test('the mail of a conflict waits for an earlier one about the booking', async (t) => {
  const calendarId = await insertCalendar(context);
  // The first could begin before the mails are sent.
  const [, slot] = await someOpenSlots(context, 2);
  defer();
  await service.book(slot!, { ...personNumber(2), name: 'Grace' });
  await service.settle();
  smtp.misbehave(null);
  await busyAt(calendarId, slot!);
  await service.settle();
  t.strictSame(await arrived(/Grace/), []);
  t.match(await countMailProblems(database), { overdue: 0 });
  await sendDeferred();
  const subjects = (await arrived(/Grace/)).map(({ subject = '' }) => subject.split(':')[0]);
  t.strictSame(subjects, ['Booked', 'Conflict']);
});

void t.test(
  'the mail of a conflict is dropped if the booking has changed, has begun or is forgotten before it is sent',
  async (t) => {
    const calendarId = await insertCalendar(context);
    const slots = await someOpenSlots(context, 3);
    const ids: string[] = [];
    for (const slot of slots) ids.push((await service.book(slot, { name: 'Walk In' })).id);
    const [changed, begun, forgotten] = ids as [string, string, string];
    await service.settle();
    defer();
    t.equal(await busyAt(calendarId, ...slots), 3);
    await service.settle();
    await cancelByStudio(context, 'test', changed, {});
    // As after the session, with nothing to cancel.
    await database
      .updateTable('bookings')
      .set({ name: null })
      .where('id', '=', forgotten)
      .execute();
    await sendDeferred(startOf(slots[1]!) - context.clock.now());
    t.strictSame(await outcomes(changed, 'conflict'), ['superseded']);
    t.strictSame(await outcomes(begun, 'conflict'), ['over']);
    t.strictSame(await outcomes(forgotten, 'conflict'), ['forgotten']);
    t.strictSame(await arrived(/^Conflict: (Walk In|a person)/), []);
  },
);
