import t, { type Test } from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.js';
import {
  auditMails,
  auditPrivacy,
  confirmSessions,
  dueMails,
  mailIdOf,
  unrecordedMails,
} from '../support/mail-audit.js';
import { mailTimeouts } from '../support/mail.js';
import { startMailer, type Mailing } from '../support/mailer.js';
import { generous, startService, mailFrom } from '../support/service.js';
import { startSmtp, type SmtpFault, type SmtpStage } from '../support/smtp.js';

const retryMs = 60_000;
const smtp = await startSmtp(t, { tls: 'none' });
const metrics = createPrometheusMetrics(createLogger('silent'));
const environment = {
  ...generous,
  SMTP_URL: smtp.url,
  MAIL_FROM: mailFrom,
  MAIL_RETRY_SCHEDULE_SECONDS: Array.from({ length: 20 }, () => retryMs / 1000).join(),
};
const { context, ...service } = await startService(t, environment, { overrides: { metrics } });
const { database } = context;
const repeatable: string[] = [];
let rounds = 0;

/** With new connections, that give up after a second of silence. */
const startMailing = (t: Test) =>
  startMailer(t, context, { ...mailTimeouts, greetingSeconds: 1, silenceSeconds: 1 });

/** Attempts all mails that are due, and then lets all retries be due. */
async function attemptAll({ mailDispatcher, mailer }: Mailing): Promise<void> {
  const before = smtp.received().length;
  await mailDispatcher.dispatchAll();
  await mailer.sendDue();
  repeatable.push(...(await unrecordedMails(database, smtp.received().slice(before))));
  // All is recorded, so that no claim ends while a mail is sent.
  await service.shiftClock((rounds += 1) * (retryMs + 1_000));
}

async function pendingMails() {
  return (await dueMails(database)).filter(({ status }) => status === 'pending');
}

const trials: [SmtpStage | 'port', SmtpFault, error: string, replyCode: number | null][] = [
  ['port', 'cut', 'connection', null],
  ['greeting', { code: 421 }, 'connection', 421],
  ['RCPT', { code: 451 }, 'recipient', 451],
  ['DATA', 'silence', 'timeout', null],
  ['content', 'cut', 'connection', null],
  ['end', { code: 451 }, 'message', 451],
  ['end', 'cut', 'connection', null],
  ['end', 'silence', 'timeout', null],
];

for (const [stage, fault, error, replyCode] of trials) {
  const isReceived = stage === 'end' && typeof fault === 'string';
  void t.test(
    `${JSON.stringify(fault)} at ${stage}: every mail arrives later, ${isReceived ? 'again, as the same mail' : 'once'}`,
    async (t) => {
      const mailing = await startMailing(t);
      const before = smtp.received().length;
      if (stage === 'port') smtp.refuse();
      else smtp.misbehave((moment) => (moment.stage === stage ? fault : null));
      await confirmSessions(context, 2);
      for (const attempts of [1, 2]) {
        await attemptAll(mailing);
        const pending = await pendingMails();
        t.equal(pending.length, 4);
        const expected = { attempts, last_error: error, last_reply_code: replyCode };
        for (const mail of pending) t.match(mail, expected);
      }
      t.equal(smtp.received().length - before, isReceived ? 8 : 0);
      smtp.accept();
      smtp.misbehave(null);
      await attemptAll(mailing);
      t.strictSame(await pendingMails(), []);
      const texts = [...service.logLines, await metrics.text()];
      const evidence = { database, received: smtp.received(), repeatable, texts };
      t.equal(await auditMails(t, evidence), repeatable.length, 'nothing else is repeated');
    },
  );
}

void t.test(
  'what is refused for good fails at once and is reported without an address, and all others arrive',
  async (t) => {
    service.expectLog(/"msg":"a mail failed"/);
    for (const stage of ['RCPT', 'end'] as const) {
      const mailing = await startMailing(t);
      const before = smtp.received().length;
      const known = new Set((await dueMails(database)).map(({ id }) => id));
      smtp.misbehave((moment) => {
        // The command RCPT comes before its recipient is known: all are refused.
        const recipient = moment.recipient ?? 'quirina8@personal.example';
        if (moment.stage !== stage || !/[02468]@/.test(recipient)) return null;
        return { code: 550, text: `No such user ${recipient}` };
      });
      await confirmSessions(context, 4);
      await attemptAll(mailing);
      smtp.misbehave(null);
      await attemptAll(mailing);
      const rows = (await dueMails(database)).filter(({ id }) => !known.has(id));
      const failed = rows.filter(({ status }) => status === 'failed');
      t.equal(failed.length, stage === 'RCPT' ? 8 : 2);
      const ended = { attempts: 1, last_reply_code: 550, next_attempt_at: null };
      for (const mail of failed) {
        t.match(mail, ended);
        const warnings = service.logLines.filter((line) => line.includes('a mail failed'));
        t.equal(warnings.filter((line) => line.includes(mail.id)).length, 1);
      }
      const sent = rows.filter((row) => !failed.includes(row));
      for (const { status } of sent) t.equal(status, 'sent');
      t.strictSame(
        smtp.received().slice(before).map(mailIdOf).sort(),
        sent.map(({ id }) => id).sort(),
      );
    }
    auditPrivacy(t, await dueMails(database), [...service.logLines, await metrics.text()]);
  },
);
