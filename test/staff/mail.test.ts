import t, { type Test } from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { switchMailOff } from '../../src/domain/mode.js';
import { mailOn } from '../support/codes.js';
import { insertMail, mailRow, now, raiseSequence } from '../support/mail-rows.js';
import { holdForPerson } from '../support/pages.js';
import { generous, startTestService } from '../support/service.js';
import { studioOn } from '../support/studio.js';

/** A confirmed booking, and the studio's commands. */
async function start(t: Test) {
  const { context } = await startTestService(t, { ...generous, ...mailOn });
  const { id, token } = await holdForPerson({ service: { context } });
  await confirmCheckout(context, token);
  return { context, id, studio: studioOn(context) };
}

t.test('the list filters by status and booking, newest first, and shows no address', async (t) => {
  const { context, id, studio } = await start(t);
  t.match(await studio('mail', 'list'), { code: 0, stdout: 'No mails.\n' });
  const sent = await insertMail(context, id);
  const failed = await insertMail(context, id, {
    recipient: 'studio',
    status: 'failed',
    last_reply_code: 550,
    last_error: 'recipient',
  });
  const other = await holdForPerson({ service: { context } });
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
  const { context, id, studio } = await start(t);
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
    const { context, id, studio } = await start(t);
    const mail = await insertMail(context, id);
    const resend = (...options: string[]) => studio('mail', 'resend', mail.id, ...options);
    t.match(await resend(), { code: 4, stderr: /Send the confirmation .* Ada Park.*--yes/ });
    t.match(await mailRow(context, mail.id), { status: 'sent', resends: 0 });
    t.match((await resend('--yes', '--json')).json(), { resent: mail.id, resends: 1 });
    t.match(await mailRow(context, mail.id), { status: 'pending', resends: 1 });
    t.match(await resend('--yes'), { code: 4, stderr: /still to be sent/ });
    t.match((await studio('audit', 'list', '--json')).json(), [
      { action: 'mail resend', details: { mail_id: mail.id } },
    ]);
    const reminder = await insertMail(context, id, { kind: 'reminder' });
    await raiseSequence(context, id);
    const late = await studio('mail', 'resend', reminder.id, '--yes');
    t.match(late, { code: 4, stderr: /later change of the booking/ });
    await switchMailOff(context, 'test');
    t.match(await resend('--yes'), { code: 4, stderr: /SMTP_URL.*MAIL_FROM/ });
  },
);
