import t from 'tap';
import { recordConflicts } from '../../src/domain/conflicts.js';
import { addBooking } from '../../src/domain/studio-bookings.js';
import { failCalendar, insertCalendar, readAgain, setBusy } from '../support/busy-calendars.js';
import { mailOn } from '../support/codes.js';
import { insertMail, mailRow } from '../support/mail-rows.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { studioOn } from '../support/studio.js';

const minuteMs = 60_000;

const { context } = await startService(t, mailOn);
const studio = studioOn(context);

/** A confirmed booking, and a watched calendar. */
async function start() {
  const [slot] = await someOpenSlots(context, 1);
  const person = {
    name: 'Wanda Wu',
    email: 'wanda@example.com',
    phone: '5035550142',
    idea: 'A heron',
  };
  const added = await addBooking(context, 'test', slot!, person);
  if (added.outcome !== 'added') throw new Error(added.outcome);
  const calendarId = await insertCalendar(context, { label: 'Ada’s phone' });
  return { booking: added.booking, calendarId };
}

t.test(
  'bookings conflicts lists who and when, and which calendar is busy, one line for each interval',
  async (t) => {
    const { booking, calendarId } = await start();
    t.match(await studio('bookings', 'conflicts'), { code: 0, stdout: 'No conflicts.\n' });
    const at = booking.starts_at.getTime();
    await setBusy(
      context,
      calendarId,
      [at, at + 90 * minuteMs],
      [at + 120 * minuteMs, at + 48 * 60 * minuteMs],
    );
    const { stdout } = await studio('bookings', 'conflicts');
    const [headings, first, second, ...others] = stdout.trimEnd().split('\n');
    t.match(headings, /^ID +DATE +SESSION +NAME +PHONE +E-MAIL +CALENDAR +BUSY$/);
    const who = `Wanda Wu +5035550142 +wanda@example\\.com +Ada’s phone`;
    const line = `^${booking.id.slice(0, 8)} +${booking.date} +${booking.time_slot} +${who} +${booking.date}`;
    t.match(first, new RegExp(`${line} \\d\\d:00 to \\d\\d:30$`));
    t.match(second, new RegExp(`${line} \\d\\d:00 to \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$`));
    t.strictSame(others, []);
    t.match((await studio('bookings', 'conflicts', '--json')).json(), {
      conflicts: [
        {
          booking: { id: booking.id, name: 'Wanda Wu', idea: 'A heron', status: 'confirmed' },
          busy: [
            {
              calendar_id: calendarId,
              calendar: 'Ada’s phone',
              starts_at: new Date(at).toISOString(),
              ends_at: new Date(at + 90 * minuteMs).toISOString(),
            },
            { calendar_id: calendarId },
          ],
        },
      ],
    });
  },
);

t.test('a conflict is in the event log, without the person', async (t) => {
  const { booking, calendarId } = await start();
  const at = booking.starts_at.getTime();
  await setBusy(context, calendarId, [at, at + minuteMs]);
  await context.database.transaction().execute(recordConflicts);
  await failCalendar(context, calendarId);
  const { stdout } = await studio('events', 'tail', '--no-follow');
  t.ok(stdout.includes(`booking.conflict   ${booking.label} (${booking.id.slice(0, 8)})`), stdout);
  t.match(stdout, /calendar\.failing/);
  t.notMatch(stdout, /Wanda|Ada’s phone/);
});

t.test(
  'mails about calendars are listed, shown and sent again as those about bookings',
  async (t) => {
    const { booking, calendarId } = await start();
    await failCalendar(context, calendarId);
    const { id: eventId } = await context.database
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'calendar.failing')
      .orderBy('position', 'desc')
      .executeTakeFirstOrThrow();
    const mail = await insertMail(context, booking.id, {
      event_id: eventId,
      booking_id: null,
      calendar_id: calendarId,
      kind: 'calendar_failure',
      recipient: 'studio',
      sequence: 0,
    });
    const listed = (await studio('mail', 'list')).stdout;
    const about = calendarId.slice(0, 8);
    t.match(listed, new RegExp(`calendar_failure +studio +${about} +sent`));
    t.notMatch(listed, /Ada’s phone/);
    const shown = await studio('mail', 'show', mail.id);
    t.match(shown.stdout, `Ada’s phone (${about})`);
    t.match(shown.stdout, /^To +studio, hello@nightheron\.example$/m);
    t.match((await studio('mail', 'show', mail.id, '--json')).json(), {
      kind: 'calendar_failure',
      booking_id: null,
      booking: null,
      calendar_id: calendarId,
      calendar: 'Ada’s phone',
      address: 'hello@nightheron.example',
    });
    const asked = { code: 4, stderr: /Send the mail about the calendar Ada’s phone .*--yes/ };
    t.match(await studio('mail', 'resend', mail.id), asked);
    await readAgain(context, calendarId);
    const refused = { code: 4, stderr: /The calendar has been read since\./ };
    t.match(await studio('mail', 'resend', mail.id, '--yes'), refused);
    t.match(await mailRow(context, mail.id), { status: 'sent', resends: 0 });
    await context.database
      .updateTable('mails')
      .set({ status: 'dropped', reason: 'superseded' })
      .where('id', '=', mail.id)
      .execute();
    const { stdout } = await studio('mail', 'show', mail.id);
    t.match(stdout, 'It was not sent: the calendar was read before.');
  },
);
