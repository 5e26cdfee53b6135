import t, { type Test } from 'tap';
import { correctByStudio } from '../../src/domain/studio/correction.js';
import { adoptMode, switchMailOff } from '../../src/domain/studio/mode.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { readMode } from '../../src/repositories/installation.js';
import { countMailProblems } from '../../src/repositories/mail-admin.js';
import { noProof } from '../../src/repositories/proof.js';
import { failCalendar, insertCalendar, readAgain } from '../support/busy-calendars.js';
import { confirmCheckout } from '../support/checkouts.js';
import { browserOn, codeMode, mailOn } from '../support/codes.js';
import { holdForPerson } from '../support/holds.js';
import { insertMail, mailRow, now } from '../support/mail-rows.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { findingOf, studioOn, type StudioRun } from '../support/studio.js';

const { context } = await startService(t, { ...generous, ...mailOn });
const studio = studioOn(context);
t.beforeEach(() => startOver(context));

async function confirmedBooking(): Promise<string> {
  const { id, token } = await holdForPerson({ context });
  await confirmCheckout(context, token);
  return id;
}

t.test('the list filters by status and booking, newest first, and shows no address', async (t) => {
  const id = await confirmedBooking();
  t.match(await studio('mail list'), { code: 0, stdout: 'No mails.\n' });
  const sent = await insertMail(context, id);
  const failed = await insertMail(context, id, {
    recipient: 'studio',
    status: 'failed',
    last_reply_code: 550,
    last_error: 'recipient',
  });
  const other = await holdForPerson({ context });
  const dropped = await insertMail(context, other.id, { status: 'dropped', reason: 'over' });

  const idsOf = async (...options: string[]) => {
    const { code, json } = await studio('mail list --json', ...options);
    t.equal(code, 0);
    const { mails, more } = json<{ mails: { id: string }[]; more: boolean }>();
    return { ids: mails.map((mail) => mail.id), more };
  };
  t.strictSame(await idsOf(), { ids: [dropped.id, failed.id, sent.id], more: false });
  t.strictSame(await idsOf('--limit', '1'), { ids: [dropped.id], more: true });
  t.strictSame((await idsOf('--status', 'sent,failed')).ids, [failed.id, sent.id]);
  t.strictSame((await idsOf('--booking', other.id.slice(0, 8))).ids, [dropped.id]);
  const { stdout } = await studio('mail list');
  t.match(stdout, /confirmation +studio +\S+ +failed +1 +550 recipient/);
  t.match(stdout, /dropped \(over\)/);
  t.notMatch(stdout + (await studio('mail list --json')).stdout, /@|Ada/);
});

t.test('a failed mail is dismissed: listed as failed, and counted by nobody', async (t) => {
  const id = await confirmedBooking();
  const refused = { status: 'failed', last_reply_code: 550, last_error: 'recipient' } as const;
  const one = await insertMail(context, id, refused);
  await insertMail(context, id, { ...refused, recipient: 'studio' });
  const sent = await insertMail(context, (await holdForPerson({ context })).id);
  const counted = async () => (await countMailProblems(context.database)).failed;
  t.equal(await counted(), 2);
  t.match(await studio('mail dismiss'), { code: 2, stderr: /Give an id, or --all/ });
  t.match(await studio('mail dismiss', one.id, '--all'), { code: 2 });
  t.match(await studio('mail dismiss', sent.id), { code: 4, stderr: /not failed: it is sent/ });
  t.match(await studio('mail dismiss', one.id), { code: 0, stdout: 'Dismissed: 1 mail.\n' });
  t.equal(await counted(), 1);
  t.match((await studio('mail list')).stdout, /failed \(dismissed\) +1 +550 recipient/);
  const all = await studio('mail dismiss --all --json');
  t.strictSame(all.json<object>(), { dismissed: 1 });
  t.equal(await counted(), 0);
  t.match((await studio('mail dismiss --all')).stdout, 'Dismissed: 0 mails.');
  const actions = await listAuditRows(context.database, 5);
  t.strictSame(
    actions.map(({ action, details }) => [action, details]),
    [
      ['mail dismiss', { mails: 1 }],
      ['mail dismiss', { mail_id: one.id, booking_id: id }],
    ],
  );
});

t.test('one mail is shown with its address, and a sentence for each status', async (t) => {
  const id = await confirmedBooking();
  const mail = await insertMail(context, id, { status: 'pending' });
  const soon = { status: 'pending', next_attempt_at: await now(context, 3_600) } as const;
  const ended = { next_attempt_at: null, ended_at: await now(context), reason: null };
  const code = { kind: 'code', event_id: null, lapses_at: await now(context, 600) } as const;
  const rows: [changes: Parameters<typeof insertMail>[2], explanation: RegExp][] = [
    [{ status: 'pending' }, /It is due/],
    [soon, /It will be sent on \d/],
    [{ ...soon, attempts: 2, last_error: 'timeout' }, /failed \(timeout\); the next one is on \d/],
    [{ ...ended, status: 'sent', last_reply_code: 250, last_error: null }, /accepted it \(250\)/],
    [
      { ...ended, status: 'failed', last_reply_code: 550 },
      /could not be sent \(550\).*studio mail resend/,
    ],
    [{ status: 'dropped', reason: 'superseded' }, /later change/],
    [{ reason: 'over' }, /had begun/],
    [{ reason: 'forgotten' }, /erased/],
    [{ reason: 'stopped' }, /no reminders/],
    [{ reason: 'daily_limit' }, /20 mails a day/],
    [{ reason: 'mail_off' }, /switched off/],
    [{ reason: 'restored' }, /backup/],
    [{ ...code, reason: 'superseded' }, /the booking was over before/],
    [{ status: 'failed', reason: null }, /the person can ask for another code/],
  ];
  for (const [changes = {}, explanation] of rows) {
    await context.database.updateTable('mails').set(changes).where('id', '=', mail.id).execute();
    const data = (await studio(`mail show ${mail.id} --json`)).json<{ explanation: string }>();
    t.match(data, { address: 'ada@example.com', reason: changes.reason ?? null, explanation });
    const { stdout } = await studio(`mail show ${mail.id.slice(0, 8)}`);
    t.match(stdout, /To +person, ada@example\.com/);
    t.ok(stdout.includes(data.explanation));
  }
  const toStudio = await insertMail(context, id, { recipient: 'studio' });
  const shown = await studio(`mail show ${toStudio.id} --json`);
  t.match(shown.json(), { address: 'hello@nightheron.example' });
  await correctByStudio(context, 'test', id, { email: 'corrected@example.com' });
  t.match(await studio('mail show', mail.id), { stdout: /To +person, a former address\n/ });
  t.match((await studio(`mail show ${mail.id} --json`)).json(), { address: null });
  const later = await insertMail(context, id);
  await correctByStudio(context, 'test', id, { name: 'Ada Parks' });
  t.match(await studio('mail show', later.id), { stdout: /To +person, corrected@example\.com/ });
  t.match(await studio('mail show 00000000'), { code: 3, stderr: /No mail has the id/ });
});

t.test('a mail is sent again only after the question, and not where mail is off', async (t) => {
  const { id } = await insertMail(context, await confirmedBooking());
  const resend = (...options: string[]) => studio(`mail resend ${id}`, ...options);
  t.match(await resend(), { code: 4, stderr: /Send the confirmation .* Ada Park.*--yes/ });
  t.match(await mailRow(context, id), { status: 'sent', resends: 0 });
  t.match((await resend('--yes', '--json')).json(), { resent: id, resends: 1 });
  t.match(await mailRow(context, id), { status: 'pending', resends: 1 });
  t.match(await resend('--yes'), { code: 4, stderr: /still to be sent/ });
  await switchMailOff(context, 'test');
  t.teardown(() => adoptMode(context));
  t.match(await resend('--yes'), { code: 4, stderr: /SMTP_URL.*MAIL_FROM/ });
});

t.test(
  'mails about calendars are listed, shown and sent again as those about bookings',
  async (t) => {
    const calendar_id = await insertCalendar(context, { label: 'Ada’s phone' });
    await failCalendar(context, calendar_id);
    const { id: event_id } = await context.database
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'calendar.failing')
      .executeTakeFirstOrThrow();
    const kind = 'calendar_failure';
    const about = { event_id, calendar_id, booking_id: null, sequence: 0 };
    const to = { kind, recipient: 'studio' } as const;
    const { id } = await insertMail(context, await confirmedBooking(), { ...about, ...to });
    const listed = (await studio('mail list')).stdout;
    const shortId = calendar_id.slice(0, 8);
    t.match(listed, new RegExp(`calendar_failure +studio +${shortId} +sent`));
    t.notMatch(listed, /Ada’s phone/);
    const { stdout } = await studio(`mail show ${id}`);
    t.match(stdout, `Ada’s phone (${shortId})`);
    t.match(stdout, /^To +studio, hello@nightheron\.example$/m);
    t.match((await studio(`mail show ${id} --json`)).json(), {
      ...{ kind, booking_id: null, booking: null, calendar_id, calendar: 'Ada’s phone' },
      address: 'hello@nightheron.example',
    });
    const asked = /Send the mail about the calendar Ada’s phone .*--yes/;
    t.match(await studio(`mail resend ${id}`), { code: 4, stderr: asked });
    await readAgain(context, calendar_id);
    const refused = { code: 4, stderr: /The calendar has been read since\./ };
    t.match(await studio(`mail resend ${id} --yes`), refused);
    await context.database
      .updateTable('mails')
      .set({ status: 'dropped', reason: 'superseded' })
      .where('id', '=', id)
      .execute();
    const dropped = await studio(`mail show ${id}`);
    t.match(dropped.stdout, 'It was not sent: the calendar was read before.');
  },
);

/** A service of its own, whose mode a test changes. */
async function start(t: Test, environment: Record<string, string>) {
  const service = await startService(t, environment);
  const studio = studioOn(service.context);
  return { service, context: service.context, studio };
}

t.test('"mail off" says what it drops and keeps, asks, and is audited', async (t) => {
  const { context, studio } = await start(t, mailOn);
  const { id } = await holdForPerson({ context });
  await confirmBooking(context.database, id, noProof);
  const pending = { status: 'pending' } as const;
  const unsent = await insertMail(context, id, pending);
  const ahead = { ...pending, kind: 'reminder', next_attempt_at: await now(context, 60) } as const;
  const reminder = await insertMail(context, id, ahead);
  const sending = { ...pending, kind: 'move', claimed_until: await now(context, 60) } as const;
  const claimed = await insertMail(context, id, sending);

  const question =
    /are dropped: 1\. Changes .*: 1\. Reminders .* kept: 1\. Confirmed .*: 1\. Switch mail off in DATABASE_URL\? .*--yes/;
  t.match(await studio('mail off'), { code: 4, stderr: question });
  t.match(await readMode(context.database), { mail: true });
  const done = await studio('mail off --yes --json');
  t.strictSame(done.json(), {
    mail: 'off',
    dropped: 1,
    changes_not_mailed: 1,
    reminders_kept: 1,
    sessions_without_code: 1,
  });
  t.match(await mailRow(context, unsent.id), { status: 'dropped', reason: 'mail_off' });
  t.match(await mailRow(context, reminder.id), pending);
  t.match(await mailRow(context, claimed.id), pending, 'it is being sent');
  t.match((await studio('audit list --json')).json(), [
    { action: 'mail off', details: { dropped: 1 } },
  ]);
  t.match(await studio('mail off --yes'), { code: 4, stderr: /off already/ });
  t.match(await findingOf(studio, 'mail'), { status: 'ok', message: /^Off/ });

  await adoptMode(context);
  const again = await studio('mail off --yes');
  t.match(again, { code: 0, stdout: /Mail is off\. Remove SMTP_URL and MAIL_FROM/ });
});

t.test('"confirmation link" says what it changes, asks, and is audited', async (t) => {
  const { service, context, studio } = await start(t, codeMode);
  const { token } = await holdForPerson(service);
  await browserOn(service).press(`/checkout/${token}`, 'send_code');
  const refused = (run: StudioRun, stderr: RegExp) => t.match(run, { code: 4, stderr });
  refused(await studio('mail off --yes'), /needs mail: run "studio confirmation link" first/);
  refused(
    await studio('confirmation link'),
    /confirm: 1\. Codes .*: 1\. Switch DATABASE_URL .*--yes/,
  );
  t.match(await readMode(context.database), { confirmation: 'code' });
  t.match(await findingOf(studio, 'mail'), {
    status: 'failure',
    message: /"studio confirmation link".*"studio mail off"/,
  });
  const done = await studio('confirmation link --yes --json');
  t.strictSame(done.json(), { confirmation: 'link', holds_by_link: 1, codes_dropped: 1 });
  t.match(await readMode(context.database), { mail: true, confirmation: 'link' });
  t.match((await studio('audit list --json')).json(), [{ action: 'confirmation link' }]);
  refused(await studio('confirmation link --yes'), /The link alone confirms already/);

  await adoptMode(context);
  const again = await studio('confirmation link --yes');
  t.match(again, { code: 0, stdout: /The link alone confirms\. Remove CONFIRMATION=code/ });
});
