import t, { type Test } from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { adoptMode, switchMailOff } from '../../src/domain/mode.js';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { readMode } from '../../src/repositories/mode.js';
import { noProof } from '../../src/repositories/proof.js';
import { browserOn, codeMode, mailOn } from '../support/codes.js';
import { insertMail, mailRow, now, raiseSequence } from '../support/mail-rows.js';
import { holdForPerson } from '../support/pages.js';
import { generous, startService } from '../support/service.js';
import { findingOf, studioOn, type StudioRun } from '../support/studio.js';

const { context } = await startService(t, { ...generous, ...mailOn });
const studio = studioOn(context);

async function confirmedBooking(): Promise<string> {
  const { id, token } = await holdForPerson({ context });
  await confirmCheckout(context, token);
  return id;
}

t.test('the list filters by status and booking, newest first, and shows no address', async (t) => {
  const id = await confirmedBooking();
  t.match(await studio('mail', 'list'), { code: 0, stdout: 'No mails.\n' });
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
    const { code, json } = await studio('mail', 'list', ...options, '--json');
    t.equal(code, 0);
    const { mails, more } = json<{ mails: { id: string }[]; more: boolean }>();
    return { ids: mails.map((mail) => mail.id), more };
  };
  t.strictSame(await idsOf(), { ids: [dropped.id, failed.id, sent.id], more: false });
  t.strictSame(await idsOf('--limit', '1'), { ids: [dropped.id], more: true });
  t.strictSame((await idsOf('--status', 'sent,failed')).ids, [failed.id, sent.id]);
  t.strictSame((await idsOf('--booking', other.id.slice(0, 8))).ids, [dropped.id]);
  const { stdout } = await studio('mail', 'list');
  t.match(stdout, /confirmation +studio +\S+ +failed +1 +550 recipient/);
  t.match(stdout, /dropped \(over\)/);
  t.notMatch(stdout + (await studio('mail', 'list', '--json')).stdout, /@|Ada/);
});

t.test('one mail is shown with its address, and a sentence for each status', async (t) => {
  const id = await confirmedBooking();
  const mail = await insertMail(context, id, { status: 'pending' });
  const show = async (changes: Parameters<typeof insertMail>[2]) => {
    const ended = { next_attempt_at: null, ended_at: await now(context), reason: null };
    await context.database
      .updateTable('mails')
      .set({ ...(changes?.status === 'pending' ? {} : ended), ...changes })
      .where('id', '=', mail.id)
      .execute();
    const { stdout } = await studio('mail', 'show', mail.id.slice(0, 8));
    const data = (await studio('mail', 'show', mail.id, '--json')).json<{ explanation: string }>();
    t.ok(stdout.includes(data.explanation));
    return { stdout, data };
  };
  const soon = await now(context, 3_600);
  const due = await show({ status: 'pending' });
  t.match(due.data, { address: 'ada@example.com', explanation: /It is due/ });
  t.match(due.stdout, /To +person, ada@example\.com/);
  t.match((await show({ status: 'pending', next_attempt_at: soon })).data, {
    explanation: /It is sent at \d/,
  });
  const again = { status: 'pending', next_attempt_at: soon, attempts: 2 } as const;
  t.match((await show({ ...again, last_error: 'timeout' })).data, {
    explanation: /failed \(timeout\); the next one is at \d/,
  });
  t.match((await show({ status: 'sent', last_reply_code: 250, last_error: null })).data, {
    explanation: /accepted it \(250\)/,
  });
  t.match((await show({ status: 'failed', last_reply_code: 550 })).data, {
    explanation: /could not be sent \(550\).*studio mail resend/,
  });
  for (const [reason, said] of [
    ['superseded', /later change/],
    ['over', /had begun/],
    ['forgotten', /erased/],
    ['stopped', /no reminders/],
    ['daily_limit', /20 mails a day/],
    ['mail_off', /switched off/],
    ['restored', /backup/],
  ] as const) {
    t.match((await show({ status: 'dropped', reason })).data, { reason, explanation: said });
  }
  const toStudio = await insertMail(context, id, { recipient: 'studio' });
  const shown = await studio('mail', 'show', toStudio.id, '--json');
  t.match(shown.json(), { address: 'hello@nightheron.example' });
  t.match(await studio('mail', 'show', '00000000'), { code: 3, stderr: /No mail has the id/ });
});

t.test(
  'a mail is sent again only after the question, and only where that makes sense',
  async (t) => {
    const id = await confirmedBooking();
    const mail = await insertMail(context, id);
    const resend = (...options: string[]) => studio('mail', 'resend', mail.id, ...options);
    t.match(await resend(), { code: 4, stderr: /Send the confirmation .* Ada Park.*--yes/ });
    t.match(await mailRow(context, mail.id), { status: 'sent', resends: 0 });
    t.match((await resend('--yes', '--json')).json(), { resent: mail.id, resends: 1 });
    t.match(await mailRow(context, mail.id), { status: 'pending', resends: 1 });
    t.match(await resend('--yes'), { code: 4, stderr: /still to be sent/ });
    const [audited] = (await studio('audit', 'list', '--json')).json<object[]>();
    t.match(audited, { action: 'mail resend', details: { mail_id: mail.id } });
    const reminder = await insertMail(context, id, { kind: 'reminder' });
    await raiseSequence(context, id);
    const late = await studio('mail', 'resend', reminder.id, '--yes');
    t.match(late, { code: 4, stderr: /later change of the booking/ });
    await switchMailOff(context, 'test');
    t.match(await resend('--yes'), { code: 4, stderr: /SMTP_URL.*MAIL_FROM/ });
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
  t.match(await studio('mail', 'off'), { code: 4, stderr: question });
  t.match(await readMode(context.database), { mail: true });
  const done = await studio('mail', 'off', '--yes', '--json');
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
  t.match((await studio('audit', 'list', '--json')).json(), [
    { action: 'mail off', details: { dropped: 1 } },
  ]);
  t.match(await studio('mail', 'off', '--yes'), { code: 4, stderr: /off already/ });
  t.match(await findingOf(studio, 'mail'), { status: 'ok', message: /^Off/ });

  await adoptMode(context);
  const again = await studio('mail', 'off', '--yes');
  t.match(again, { code: 0, stdout: /Mail is off\. Remove SMTP_URL and MAIL_FROM/ });
});

t.test('"confirmation link" says what it changes, asks, and is audited', async (t) => {
  const { service, context, studio } = await start(t, codeMode);
  const { token } = await holdForPerson(service);
  await browserOn(service).press(`/checkout/${token}`, 'send_code');
  const refused = (run: StudioRun, stderr: RegExp) => t.match(run, { code: 4, stderr });
  refused(await studio('mail', 'off', '--yes'), /needs mail: run "studio confirmation link" first/);
  refused(
    await studio('confirmation', 'link'),
    /confirm: 1\. Codes .*: 1\. Switch DATABASE_URL .*--yes/,
  );
  t.match(await readMode(context.database), { confirmation: 'code' });
  t.match(await findingOf(studio, 'mail'), {
    status: 'failure',
    message: /"studio confirmation link".*"studio mail off"/,
  });
  const done = await studio('confirmation', 'link', '--yes', '--json');
  t.strictSame(done.json(), { confirmation: 'link', holds_by_link: 1, codes_dropped: 1 });
  t.match(await readMode(context.database), { mail: true, confirmation: 'link' });
  t.match((await studio('audit', 'list', '--json')).json(), [{ action: 'confirmation link' }]);
  refused(await studio('confirmation', 'link', '--yes'), /The link alone confirms already/);

  await adoptMode(context);
  const again = await studio('confirmation', 'link', '--yes');
  t.match(again, { code: 0, stdout: /The link alone confirms\. Remove CONFIRMATION=code/ });
});
