import { Redis } from 'ioredis';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { startBackground, type Background } from '../../src/background.js';
import { closeContext, createContext } from '../../src/context.js';
import { mailConnectionLimit } from '../../src/mail/sender.js';
import { claimDueMails } from '../../src/repositories/mail-queue.js';
import { mailOn } from '../support/codes.js';
import { lockWaits } from '../support/database.js';
import { until } from '../support/embedded.js';
import { holdForPerson } from '../support/holds.js';
import {
  auditMails,
  confirmSessions,
  dueMails,
  mailIdOf,
  unrecordedMails,
  untilMailed,
} from '../support/mail-audit.js';
import { insertMail } from '../support/mail-rows.js';
import { startMailer } from '../support/mailer.js';
import { spawnService } from '../support/process.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { lostDatabase, queueFailed } from '../support/service-log.js';
import { generous, secretKey, startNeighbour, startService, mailFrom } from '../support/service.js';
import { startSmtp, type SmtpMoment } from '../support/smtp.js';

const smtp = await startSmtp(t, { tls: 'none' });
const mail = {
  SMTP_URL: smtp.url,
  MAIL_FROM: mailFrom,
  MAIL_RETRY_SCHEDULE_SECONDS: '3600,3600,3600',
};
const service = await startService(t, { ...generous, ...mail });
const { context } = service;
const { database } = context;
/** The mails that a kill has left unrecorded. */
const repeatable: string[] = [];

/** Sends all that is due, in a process of its own, and audits all mails so far. */
async function sendAndAudit(t: Test, texts: readonly string[] = []): Promise<void> {
  smtp.misbehave(null);
  const background = await service.startBackground();
  await untilMailed(database);
  await background.stop();
  const evidence = { database, received: smtp.received(), repeatable };
  const repeats = await auditMails(t, { ...evidence, texts: [...texts, ...service.logLines] });
  t.equal(repeats, repeatable.length);
}

/**
 * A server that accepts some mails and then stops in the middle of one on each connection: at the end
 * of DATA, or on every other connection in its midst.
 */
function jamAfter(passing: number) {
  let begun = 0;
  let stuckCount = 0;
  let isReleased = false;
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  let jammed: () => void = () => undefined;
  const stuck = new Promise<void>((resolve) => (jammed = resolve));
  smtp.misbehave(({ stage }: SmtpMoment) => {
    if (stage === 'content') begun += 1;
    if (isReleased || begun <= passing) return null;
    if (stage !== 'end' && !(stage === 'content' && begun % 2 === 0)) return null;
    stuckCount += 1;
    if (stuckCount === mailConnectionLimit) jammed();
    return { until };
  });
  return {
    stuck,
    release() {
      isReleased = true;
      release();
    },
  };
}

void t.test('several workers on one database send each mail once', async (t) => {
  const contexts = [context, await startNeighbour(t, context), await startNeighbour(t, context)];
  // Half is due when the workers start, and half arrives while they run.
  await confirmSessions(context, 6);
  const backgrounds: Background[] = await Promise.all(contexts.map(startBackground));
  t.teardown(() => Promise.all(backgrounds.map((background) => background.stop())));
  await confirmSessions(context, 6);
  await Promise.all(
    backgrounds.flatMap(({ mailDispatcher, mailer, sweeper }) => [
      mailDispatcher.dispatchAll(),
      ...(mailer === null ? [] : [mailer.sendDue()]),
      sweeper.sweep(),
    ]),
  );
  await untilMailed(database);
  const rows = await dueMails(database);
  for (const row of rows) t.match(row, { status: 'sent', attempts: 1, claimed_until: null });
  await sendAndAudit(t);
});

void t.test(
  'a stop finishes the mails in progress, begins no more, and the next process sends the others at once',
  async (t) => {
    const background = await service.startBackground();
    const before = smtp.received().length;
    const jam = jamAfter(9);
    await confirmSessions(context, 12);
    await jam.stuck;
    const stopped = background.stop();
    jam.release();
    await stopped;
    t.strictSame(await unrecordedMails(database, smtp.received()), [], 'what arrived is recorded');
    t.ok(smtp.received().length - before < 24, 'no more were begun');
    const left = (await dueMails(database)).filter(({ status }) => status === 'pending');
    for (const row of left) t.match(row, { attempts: 0, claimed_until: null });
    await sendAndAudit(t);
  },
);

void t.test('a stop cuts the mails that a silent server holds up, and they stay due', async (t) => {
  const background = await service.startBackground();
  let count = 0;
  const held = new Promise<void>((resolve) => {
    smtp.misbehave(({ stage }) => {
      if (stage !== 'RCPT') return null;
      if ((count += 1) === 2) resolve();
      return 'silence';
    });
  });
  await confirmSessions(context, 1);
  await held;
  await background.stop();
  await smtp.allClosed();
  const left = (await dueMails(database)).filter(({ status }) => status === 'pending');
  t.equal(left.length, 2);
  for (const row of left) t.match(row, { attempts: 0, claimed_until: null });
  await sendAndAudit(t);
});

void t.test(
  'connections to the database that are cut between the end of DATA and the record: nothing arrives twice',
  async (t) => {
    const { config, log, keyring, connection } = context;
    const { proxy, connectionString } = await startDatabaseProxy(t, connection.connectionString!);
    const sender = createContext({ config, log, keyring, connection: { connectionString } });
    t.teardown(() => closeContext(sender));
    const { mailer, mailDispatcher } = await startMailer(t, sender);
    service.expectLog(lostDatabase, queueFailed);
    await confirmSessions(context, 12);
    await mailDispatcher.dispatchAll();

    const before = smtp.received().length;
    const cut = new Promise<void>((resolve) => {
      smtp.misbehave(({ stage }) => {
        if (stage === 'end' && smtp.received().length === before + 10) {
          proxy.refuse();
          resolve();
        }
        return null;
      });
    });
    const sending = mailer.sendDue().catch(() => 'the database failed');
    await cut;
    // The record was tried more than once.
    await until(() => proxy.refusedCount() > 2);
    proxy.restore();
    await sending;
    t.strictSame(await unrecordedMails(database, smtp.received()), [], 'what arrived is recorded');
    // What was claimed by a statement whose answer was lost.
    await service.shiftClock(91_000);
    await sendAndAudit(t);
  },
);

void t.test(
  'after kill -9 of a worker in mid-mail every mail arrives, and again only what was not recorded',
  async (t) => {
    const worker = await spawnService(t, {
      ...generous,
      ...mail,
      ROLE: 'worker',
      DATABASE_URL: context.config.databaseUrl ?? '',
      SECRET_KEY: secretKey,
      DATA_DIR: t.testdir(),
      LOG_LEVEL: 'debug',
      PUBLIC_BASE_URL: context.config.publicBaseUrl,
    });
    const before = smtp.received().length;
    const jam = jamAfter(9);
    await confirmSessions(context, 12);
    await jam.stuck;
    await worker.end('SIGKILL');
    smtp.misbehave(null);
    await smtp.allClosed();
    const unrecorded = await unrecordedMails(database, smtp.received());
    t.ok(unrecorded.length > 0, 'some were killed past DATA');
    t.ok(unrecorded.length < smtp.received().length - before, 'some were recorded');
    repeatable.push(...unrecorded);

    const { mailer, mailDispatcher } = await startMailer(t, context);
    await mailDispatcher.dispatchAll();
    await mailer.sendDue();
    const again = smtp
      .received()
      .map(mailIdOf)
      .filter((id) => unrecorded.includes(id));
    t.equal(again.length, unrecorded.length, 'nothing again while it is claimed');
    await service.shiftClock(2 * 91_000);
    await sendAndAudit(t, [worker.output()]);
  },
);

void t.test(
  'with the jobs in Redis lost, every mail arrives once',
  { skip: redisMissing },
  async (t) => {
    const url = await redisUrl(t);
    const { smtp, background, ...service } = await startService(
      t,
      { ...generous, REDIS_URL: url, MAIL_RETRY_SCHEDULE_SECONDS: '3600' },
      { mail: true },
    );
    const { context, logLines } = service;
    smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
    await confirmSessions(context, 2);
    await service.settle();
    for (const row of await dueMails(context.database)) t.match(row, { attempts: 1 });
    await background.stop();
    await confirmSessions(context, 2);
    smtp.misbehave(null);
    const redis = new Redis(url);
    await redis.flushdb();
    await redis.quit();
    await service.shiftClock(2 * 3_600_000);
    await service.startBackground();
    await untilMailed(context.database);
    const evidence = { database: context.database, received: smtp.received(), texts: logLines };
    t.equal(await auditMails(t, evidence), 0);
  },
);

void t.test('a claim', async (t) => {
  const service = await startService(t, mailOn);
  const { context } = service;
  const { connect, database } = context;
  const { id: bookingId } = await holdForPerson(service);
  const pending = { status: 'pending', next_attempt_at: new Date(0), ended_at: null } as const;
  const { id } = await insertMail(context, bookingId, pending);
  const { mailer } = await startMailer(t, context);

  await t.test('is not left by a failed read of the studio', async (t) => {
    // The hold's notification may only now arrive, and the board would read the table too.
    context.board.close();
    await context.pool.query('alter table week_days rename to elsewhere');
    await t.rejects(mailer.sendDue(), /week_days/);
    t.match(await dueMails(database), [{ id, status: 'pending', claimed_until: null }]);
  });

  await t.test('is not made of a mail that is recorded as sent meanwhile', async (t) => {
    let claiming: Promise<unknown> = Promise.resolve();
    await database.transaction().execute(async (transaction) => {
      await sql`
        update mails set status = 'sent', next_attempt_at = null, ended_at = booking_now()
        where id = ${id}`.execute(transaction);
      claiming = claimDueMails(database, connect, { limit: 5, claimSeconds: 90 });
      await until(async () => (await lockWaits(database)) > 0);
    });
    t.strictSame(await claiming, []);
  });
});
