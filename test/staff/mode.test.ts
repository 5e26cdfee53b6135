import t, { type Test } from 'tap';
import { adoptMode } from '../../src/domain/mode.js';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { readMode } from '../../src/repositories/mode.js';
import { noProof } from '../../src/repositories/proof.js';
import { browserOn, codeMode, mailOn } from '../support/codes.js';
import { insertMail, mailRow, now } from '../support/mail-rows.js';
import { holdForPerson } from '../support/pages.js';
import { startTestService } from '../support/service.js';
import { studioOn, type StudioRun } from '../support/studio.js';

async function start(t: Test, environment: Record<string, string>) {
  const service = await startTestService(t, environment);
  const { context } = service;
  const studio = studioOn(context);
  const mailFinding = async () => {
    const { json } = await studio('doctor', '--json');
    const { checks } = json<{ checks: { check: string; status: string; message: string }[] }>();
    return checks.find(({ check }) => check === 'mail');
  };
  return { service, context, studio, mailFinding };
}

t.test('"mail off" says what it drops and keeps, asks, and is audited', async (t) => {
  const { context, studio, mailFinding } = await start(t, mailOn);
  const { id } = await holdForPerson({ service: { context } });
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
  t.match(await mailFinding(), { status: 'ok', message: /^Off/ });

  await adoptMode(context);
  const again = await studio('mail', 'off', '--yes');
  t.match(again, { code: 0, stdout: /Mail is off\. Remove SMTP_URL and MAIL_FROM/ });
});

t.test('"confirmation link" says what it changes, asks, and is audited', async (t) => {
  const { service, context, studio, mailFinding } = await start(t, codeMode);
  const { token } = await holdForPerson({ service });
  await browserOn(service).press(`/checkout/${token}`, 'send_code');
  const refused = (run: StudioRun, stderr: RegExp) => t.match(run, { code: 4, stderr });
  refused(await studio('mail', 'off', '--yes'), /needs mail: run "studio confirmation link" first/);
  refused(
    await studio('confirmation', 'link'),
    /confirm: 1\. Codes .*: 1\. Switch DATABASE_URL .*--yes/,
  );
  t.match(await readMode(context.database), { confirmation: 'code' });
  t.match(await mailFinding(), {
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
