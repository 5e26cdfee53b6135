import t, { type Test } from 'tap';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.js';
import { createLogger } from '../../src/platform/log.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { startMailer } from '../support/mailer.js';
import { mailFrom } from '../support/mail-service.js';
import {
  auditMails,
  auditPrivacy,
  dueMails,
  mailedPerson,
  mailIdOf,
  unrecordedMails,
} from '../support/mail-audit.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';
import { startSmtp, type SmtpFault, type SmtpMoment, type SmtpStage } from '../support/smtp.js';

/** Their mails take more than one claim. */
const bookings = 12;
const retryMs = 60_000;
/** Short: servers that fall silent cost a test this much for each mail of a connection. */
const silenceSeconds = 0.15;

/** A service with mail on and no timers, of which many persons confirm sessions at once. */
async function startLoad(t: Test) {
  const smtp = await startSmtp(t, { tls: 'none' });
  const metrics = createPrometheusMetrics(createLogger('silent'));
  const service = await startTestService(
    t,
    {
      ...generous,
      SMTP_URL: smtp.url,
      MAIL_FROM: mailFrom,
      MAIL_RETRY_SCHEDULE_SECONDS: Array.from({ length: 20 }, () => retryMs / 1000).join(),
    },
    { metrics },
  );
  const { context } = service;
  const hasty = await startMailer(t, context, {
    connectionSeconds: 5,
    greetingSeconds: silenceSeconds,
    dnsSeconds: 5,
    silenceSeconds,
    totalSeconds: 5,
  });
  const patient = await startMailer(t, context);
  const slots = await someOpenSlots(context, 80);
  let booked = 0;
  let rounds = 0;
  let receivedBefore = 0;
  const repeatable: string[] = [];

  const send = async ({ mailer, mailDispatcher }: typeof hasty): Promise<void> => {
    await mailDispatcher.dispatchAll();
    await mailer.sendDue();
    const received = smtp.received();
    repeatable.push(...(await unrecordedMails(context.database, received.slice(receivedBefore))));
    receivedBefore = received.length;
    // All is recorded, so that no claim ends while a mail is sent.
    await service.shiftClock((rounds += 1) * (retryMs + 1_000));
  };
  return {
    ...service,
    smtp,
    async confirm(count = bookings): Promise<void> {
      const from = booked;
      booked += count;
      await Promise.all(
        slots.slice(from, booked).map(async (slot, index) => {
          const request = holdRequest(slot, mailedPerson(from + index));
          const { checkoutToken } = await placeHold(context, callerNumber(1), request, null);
          await confirmCheckout(context, checkoutToken);
        }),
      );
    },
    /** Attempts all mails that are due, and then lets all retries be due. */
    attemptAll: () => send(patient),
    /** The same with short timeouts, which a busy machine may exceed too. */
    attemptAllHastily: () => send(hasty),
    async audit(): Promise<number> {
      smtp.misbehave(null);
      await send(patient);
      return auditMails(t, {
        database: context.database,
        received: smtp.received(),
        repeatable,
        texts: [...service.logLines, await metrics.text()],
      });
    },
    async texts(): Promise<string[]> {
      return [...service.logLines, await metrics.text()];
    },
  };
}

const at =
  (stage: SmtpStage, fault: SmtpFault) =>
  (moment: SmtpMoment): SmtpFault | null =>
    moment.stage === stage ? fault : null;

interface Trial {
  name: string;
  plan: (moment: SmtpMoment) => SmtpFault | null;
  error: string;
  replyCode: number | null;
}

const trials: Trial[] = [
  {
    name: '421 for a greeting',
    plan: at('greeting', { code: 421 }),
    error: 'connection',
    replyCode: 421,
  },
  { name: '421 for a mail', plan: at('MAIL', { code: 421 }), error: 'connection', replyCode: 421 },
  {
    name: '451 for a recipient',
    plan: at('RCPT', { code: 451 }),
    error: 'recipient',
    replyCode: 451,
  },
  { name: '451 after DATA', plan: at('end', { code: 451 }), error: 'message', replyCode: 451 },
  {
    name: 'a connection cut before DATA',
    plan: at('DATA', 'cut'),
    error: 'connection',
    replyCode: null,
  },
  {
    name: 'a connection cut in DATA',
    plan: at('content', 'cut'),
    error: 'connection',
    replyCode: null,
  },
  {
    name: 'silence instead of a greeting',
    plan: at('greeting', 'silence'),
    error: 'timeout',
    replyCode: null,
  },
  { name: 'silence before DATA', plan: at('DATA', 'silence'), error: 'timeout', replyCode: null },
  { name: 'silence in DATA', plan: at('content', 'silence'), error: 'timeout', replyCode: null },
];

for (const { name, plan, error, replyCode } of trials) {
  void t.test(`${name}: every mail arrives later, once`, async (t) => {
    const load = await startLoad(t);
    load.smtp.misbehave(plan);
    await load.confirm();
    await (error === 'timeout' ? load.attemptAllHastily() : load.attemptAll());
    const rows = await dueMails(load.context.database);
    t.equal(rows.length, 2 * bookings);
    const attempted = { status: 'pending', attempts: 1, last_error: error };
    t.match(
      rows,
      rows.map(() => ({ ...attempted, last_reply_code: replyCode })),
    );
    t.equal(load.smtp.received().length, 0);
    t.equal(await load.audit(), 0);
  });
}

void t.test('a server that refuses connections: every mail arrives later, once', async (t) => {
  const load = await startLoad(t);
  load.smtp.refuse();
  await load.confirm();
  await load.attemptAll();
  await load.attemptAll();
  const rows = await dueMails(load.context.database);
  t.equal(rows.length, 2 * bookings);
  const attempted = { status: 'pending', attempts: 2, last_error: 'connection' };
  t.match(
    rows,
    rows.map(() => attempted),
  );
  load.smtp.accept();
  t.equal(await load.audit(), 0);
});

for (const fault of ['cut', 'silence'] as const) {
  void t.test(`${fault} after DATA: every mail arrives again, as the same mail`, async (t) => {
    const load = await startLoad(t);
    load.smtp.misbehave(at('end', fault));
    await load.confirm();
    await (fault === 'silence' ? load.attemptAllHastily() : load.attemptAll());
    const arrived = load.smtp.received().length;
    // A busy machine may not have reached the end of DATA in that time.
    if (fault === 'silence') t.ok(arrived > 0);
    else t.equal(arrived, 2 * bookings);
    t.ok((await dueMails(load.context.database)).every(({ status }) => status === 'pending'));
    t.equal(await load.audit(), arrived);
  });
}

for (const stage of ['RCPT', 'end'] as const) {
  void t.test(
    `550 at ${stage}: the mail fails at once, is reported without an address, and all others arrive`,
    async (t) => {
      const load = await startLoad(t);
      load.expectLog(/"msg":"a mail failed"/);
      load.smtp.misbehave(({ stage: now, recipient }) =>
        // The greeting of RCPT comes before its recipient is known.
        now === stage && (stage === 'RCPT' || /[02468]@/.test(recipient ?? ''))
          ? { code: 550, text: `No such user ${recipient ?? 'quirina7@personal.example'}` }
          : null,
      );
      await load.confirm();
      await load.attemptAll();
      load.smtp.misbehave(null);
      await load.attemptAll();
      const rows = await dueMails(load.context.database);
      const failed = rows.filter(({ status }) => status === 'failed');
      t.equal(failed.length, stage === 'RCPT' ? 2 * bookings : bookings / 2);
      const ended = { attempts: 1, last_reply_code: 550, next_attempt_at: null };
      t.match(
        failed,
        failed.map(() => ended),
      );
      const sent = rows.filter(({ status }) => status === 'sent').map(({ id }) => id);
      t.equal(sent.length, rows.length - failed.length);
      t.strictSame(load.smtp.received().map(mailIdOf).sort(), sent.sort());
      const warnings = load.logLines.filter((line) => line.includes('a mail failed'));
      t.equal(warnings.length, failed.length);
      t.ok(failed.every(({ id }) => warnings.some((line) => line.includes(id))));
      auditPrivacy(t, rows, await load.texts());
    },
  );
}

void t.test(
  'any fault at any stage, at random: every mail arrives, and again only after a fault past DATA',
  async (t) => {
    const load = await startLoad(t);
    const faults: SmtpFault[] = [{ code: 421 }, { code: 451 }, 'cut', 'silence'];
    const random = randomFrom(20_261_121);
    load.smtp.misbehave(() => (random() < 0.15 ? faults[Math.floor(random() * 4)]! : null));
    for (let round = 0; round < 4; round += 1) {
      await load.confirm(20);
      await load.attemptAllHastily();
    }
    const attempts = (await dueMails(load.context.database)).map((row) => row.attempts);
    t.ok(Math.max(...attempts) > 1, 'some were attempted again');
    const repeats = await load.audit();
    t.ok(repeats > 0, 'some arrived again');
  },
);

/** Numbers from 0 to 1, the same for one seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
