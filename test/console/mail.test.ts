import { sql } from 'kysely';
import t from 'tap';
import { recordConflicts } from '../../src/domain/studio/conflicts.js';
import { bookingRow } from '../support/bookings.js';
import { failCalendar, insertCalendar, setBusy } from '../support/busy-calendars.js';
import { mailOn } from '../support/codes.js';
import { newestActions, signedIn } from '../support/console.js';
import { sessionForPerson } from '../support/holds.js';
import { insertCode, insertMail, mailRow, now, raiseSequence } from '../support/mail-rows.js';
import { generous, startService } from '../support/service.js';

const service = await startService(t, { ...generous, ...mailOn, MAX_CODES_PER_HOUR: '2' });
const { context } = service;
const path = '/console/mail';
const failed = { status: 'failed', last_error: 'timeout', last_reply_code: null } as const;

/** The page that asks before a mail is sent again. */
const again = (id: string) => `${path}/${id}/resend`;
const sendAgain = 'Send it again';

t.test('a failed mail is sent again in three presses, and once', async (t) => {
  const refused = { ...failed, last_reply_code: 550 };
  const { id } = await sessionForPerson(service);
  const mail = await insertMail(context, id, refused);
  const other = await insertMail(context, (await sessionForPerson(service)).id, refused);
  const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];
  await grace.open(`${again(mail.id)}?status=failed`);
  const before = ada.presses;
  await ada.follow('Mail');
  t.match(ada.text('[aria-labelledby=care]'), /Confirmation to Ada Park.*could not be sent \(550/);
  // The newest of them comes first.
  await ada.follow('Send again the confirmation to Ada Park');
  t.equal(ada.path, again(other.id));
  t.match(ada.text('main'), /Confirmation to Ada Park, to ada@example\.com: .*once more, at once/);
  t.match(await mailRow(context, other.id), { status: 'failed' }, 'it asks');
  await ada.open(again(mail.id));
  await ada.press(sendAgain);
  t.equal(ada.presses - before, 3);
  t.match(ada.text('[role=status]'), 'The mail is sent again at once.');
  t.equal(ada.path, `${path}?done=resent`, 'nobody is named in the address');
  t.match(await mailRow(context, mail.id), { status: 'pending', resends: 1 });
  t.match(await newestActions(service, 1), [
    {
      actor: /^Ada \(console [0-9a-f]{8}\)$/,
      action: 'mail resend',
      details: { mail_id: mail.id, booking_id: id },
    },
  ]);
  t.notMatch(service.logLines.join(''), /ada@example\.com|Ada Park/);

  await grace.press(sendAgain);
  t.equal(grace.text('[role=alert]'), 'It was not sent again. It is still to be sent.');
  t.match(await mailRow(context, mail.id), { resends: 1 });
  t.equal(await grace.open(again(mail.id)), 409, 'nothing is asked in vain');
  await grace.open(`${again(other.id)}?status=failed`);
  await grace.press(sendAgain);
  t.equal(grace.path, `${path}?status=failed&done=resent`);
});

t.test('failed mails are dismissed, one or all, and then need nobody', async (t) => {
  const mails = [];
  for (let each = 0; each < 3; each += 1) {
    mails.push(await insertMail(context, (await sessionForPerson(service)).id, failed));
  }
  const ada = await signedIn(service);
  await ada.open(`${path}?status=failed`);
  await ada.press('Dismiss the confirmation to Ada Park');
  t.equal(ada.path, `${path}?status=failed&done=dismissed`);
  t.match(ada.text('.mails > li'), /Failed, dismissed.*It is dismissed\./);
  t.match(await mailRow(context, mails[2]!.id), { status: 'failed', dismissed_at: Date });
  t.match(await newestActions(service, 1), [
    { action: 'mail dismiss', details: { mail_id: mails[2]!.id, booking_id: String } },
  ]);
  await ada.open(path);
  t.match(ada.text('[aria-labelledby=care]'), /failed within 7 days/);
  const later = { ...failed, ended_at: await now(context, 60) };
  const unseen = await insertMail(context, (await sessionForPerson(service)).id, later);
  await ada.press('Dismiss all that failed');
  t.equal(ada.$('[aria-labelledby=care] .mails > li').length, 1, 'but not what nobody has seen');
  t.match(await mailRow(context, unseen.id), { dismissed_at: null });
  t.match(await mailRow(context, mails[0]!.id), { status: 'failed', dismissed_at: Date });
  t.match(await newestActions(service, 1), [
    { action: 'mail dismiss', details: { mails: Number } },
  ]);

  await ada.open(again(mails[2]!.id));
  await ada.press(sendAgain);
  t.match(await mailRow(context, mails[2]!.id), { status: 'pending', dismissed_at: null });
});

t.test('what a change of the booking made pointless is refused', async (t) => {
  const { id } = await sessionForPerson(service);
  const late = await insertMail(context, id, { ...failed, kind: 'reminder' });
  const ada = await signedIn(service);
  await ada.open(`${again(late.id)}?status=failed`);
  await raiseSequence(context, id);
  await ada.press(sendAgain);
  t.match(ada.text('[role=alert]'), /later change .* pointless/);
  await ada.open(path);
  t.match(ada.text('main'), /not tried again\. A later change/);
  t.equal(ada.$(`a[href^="${again(late.id)}"]`).length, 0, 'and is not offered');
});

t.test('every mail stands on one page, newest first, and a filter shows one status', async (t) => {
  const { id } = await sessionForPerson(service);
  // A mail is one of its event.
  await sql`
    with made as (
      insert into events (type, booking_id, occurred_at, data, dispatched_at)
      select 'calendar.changed', booking_id, occurred_at, data, booking_now()
      from (select * from events where booking_id = ${id} limit 1) as first, generate_series(1, 105)
      returning id)
    insert into mails (event_id, booking_id, kind, recipient, sequence, created_at, status, ended_at)
    select id, ${id}, 'confirmation', 'person', 0, booking_now(), 'sent', booking_now()
    from made`.execute(context.database);
  await insertMail(context, id, { kind: 'reminder', status: 'dropped', reason: 'stopped' });
  const ada = await signedIn(service);
  const counts: number[] = [];
  const positions: number[] = [];
  for (await ada.open(path); ; await ada.follow('Older')) {
    counts.push(ada.$('[aria-labelledby=all] .rows > li:not(.run)').length);
    positions.push(Number(/before=(\d+)/.exec(ada.path)?.[1] ?? Infinity));
    if (ada.$('a[rel=next]').length === 0) break;
  }
  const mails = await context.database.selectFrom('mails').select('id').execute();
  t.strictSame(counts, [50, 50, mails.length - 100]);
  t.ok(positions[1]! > positions[2]!, 'newest first');
  await ada.open(path);
  t.equal(ada.$('[aria-labelledby=all] > .mails > li').length, 2);
  t.match(ada.text('.run summary'), /^49 mails were sent, \w/, 'what went well is one line');
  await ada.follow('Not sent');
  t.equal(ada.path, `${path}?status=dropped`);
  t.match(ada.text('main'), /asked for no reminders/);
  t.equal(ada.$('.mails > li').length, 1);
  await ada.follow('Sent');
  t.equal(ada.$('.run').length, 0, 'nothing is folded where it is asked for');
});

t.test('mails and the history of a booking name its conflict, or the calendar', async (t) => {
  const { id } = await sessionForPerson(service);
  const { starts_at: startsAt } = await bookingRow(context, id);
  const calendarId = await insertCalendar(context, { label: '<b>Ada’s phone</b>' });
  await setBusy(context, calendarId, [startsAt.getTime(), startsAt.getTime() + 60_000]);
  await context.database.transaction().execute(recordConflicts);
  await insertMail(context, id, { ...failed, recipient: 'studio', kind: 'conflict' });
  await failCalendar(context, calendarId);
  const { id: eventId } = await context.database
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'calendar.failing')
    .executeTakeFirstOrThrow();
  const about = { booking_id: null, calendar_id: calendarId, event_id: eventId };
  const mail = await insertMail(context, id, {
    ...{ ...failed, ...about, recipient: 'studio', kind: 'calendar_failure' },
  });

  const ada = await signedIn(service);
  await ada.open(path);
  const all = ada.text('[aria-labelledby=all]');
  t.match(all, /Calendar failure to the studio\s*<b>Ada’s phone<\/b>/);
  t.match(all, /Conflict to the studio/);
  await ada.follow('Send again the calendar failure to the studio');
  await ada.press(sendAgain);
  t.match(await mailRow(context, mail.id), { status: 'pending', resends: 1 });
  await ada.open(`/console/bookings/${id}`);
  const history = ada.text('[aria-labelledby=history]');
  t.match(history, /Conflict found: a watched calendar is busy on .*, \d.*\d:\d\d.[AP]M/);
  t.match(ada.text('[aria-labelledby=mails]'), /Conflict to the studio/);
});

t.test('it is said for a day that the codes of an hour were used up', async (t) => {
  const { id } = await sessionForPerson(service);
  const ada = await signedIn(service);
  for (const isSaid of [false, true]) {
    await insertCode(context, id);
    await ada.open(path);
    const words = 'the codes of an hour that are for everybody were used up';
    t.equal(ada.text('main').includes(words), isSaid);
  }
});

t.test('without mail, the page says how to switch it on, and nothing is sent', async (t) => {
  const silent = await startService(t);
  const { id } = await sessionForPerson(silent);
  const mail = await insertMail(silent.context, id, failed);
  const ada = await signedIn(silent);
  await ada.open(path);
  t.match(ada.text('main'), /Mail is off: set SMTP_URL.* and MAIL_FROM/);
  t.notMatch(ada.texts('main a').join(), /Send again/);
  t.match(await mailRow(silent.context, mail.id), { status: 'failed' });
});
