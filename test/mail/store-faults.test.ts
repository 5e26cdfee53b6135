import t from 'tap';
import { startBackground } from '../../src/background.js';
import { closeContext, createContext } from '../../src/context.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder, until } from '../support/embedded.js';
import { auditMails, dueMails, mailedPerson, untilMailed } from '../support/mail-audit.js';
import { confirmMany, holdMany, startMailProcesses } from '../support/mail-processes.js';
import { mailFrom } from '../support/mail-service.js';
import { startMailer } from '../support/mailer.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { redisMissing, startTestRedis } from '../support/redis.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { lostDatabase, lostRedis, queueFailed } from '../support/service-log.js';
import { generous, startNeighbour, startTestService } from '../support/service.js';
import { startSmtp } from '../support/smtp.js';

const bookings = 24;
const longSchedule = '3600,3600,3600';

void t.test(
  'with Redis killed, and its jobs lost, the sweeper sends every mail once',
  { skip: redisMissing },
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const folder = await temporaryFolder(t);
    const redis = await startTestRedis(folder);
    t.teardown(() => redis?.stop());
    const redisUrl = redis?.url ?? '';
    const mail = await startMailProcesses(t, connectionString, {
      REDIS_URL: redisUrl,
      MAIL_RETRY_SCHEDULE_SECONDS: '60,60,60',
    });
    const { smtp, database } = mail;
    const [api, worker] = await Promise.all([mail.start('api'), mail.start('worker')]);
    for (const service of [api, worker]) service.expectLog(lostRedis);
    worker.expectLog(queueFailed, /does not accept jobs|Connection is closed/);
    const paths = await holdMany(api, bookings);

    // Half are to be retried by jobs in Redis.
    smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
    t.ok(await confirmMany(api, paths.slice(0, bookings / 2)));
    await until(async () => {
      const rows = await dueMails(database);
      return rows.length === bookings && rows.every(({ attempts }) => attempts === 1);
    });
    smtp.misbehave(null);
    await redis?.stop();
    // The others find no Redis.
    t.ok(await confirmMany(api, paths.slice(bookings / 2)), 'persons notice nothing');
    await until(async () => (await dueMails(database)).length === 2 * bookings);
    const arrived = smtp.received().length;
    t.ok(arrived <= bookings, `${arrived} by the job that was running, which needs no Redis`);
    t.equal(await worker.end('SIGTERM'), 0);

    const empty = await startTestRedis(folder, Number(new URL(redisUrl).port));
    t.teardown(() => empty?.stop());
    // Beyond the delay of the retries, too.
    await mail.expireClaims();
    const next = await mail.start('worker');
    await untilMailed(database);
    const texts = await mail.texts(api, next);
    t.equal(await auditMails(t, { database, received: smtp.received(), texts }), 0);
    t.equal(smtp.received().length, 2 * bookings);
  },
);

void t.test('several workers on one database send each mail once', async (t) => {
  const smtp = await startSmtp(t, { tls: 'none' });
  const service = await startTestService(t, {
    ...generous,
    SMTP_URL: smtp.url,
    MAIL_FROM: mailFrom,
    MAIL_RETRY_SCHEDULE_SECONDS: longSchedule,
  });
  const { context } = service;
  const contexts = [context, await startNeighbour(t, context), await startNeighbour(t, context)];
  const slots = await someOpenSlots(context, 2 * bookings);
  const book = (from: number, to: number) =>
    Promise.all(
      slots.slice(from, to).map(async (slot, index) => {
        const request = holdRequest(slot, mailedPerson(from + index));
        const { checkoutToken } = await placeHold(context, callerNumber(1), request, null);
        await confirmCheckout(context, checkoutToken);
      }),
    );
  // Half is due when the workers start, and half arrives while they run.
  await startMailer(t, context);
  await book(0, bookings);
  const backgrounds = await Promise.all(
    contexts.map(async (each) => {
      const background = await startBackground(each);
      t.teardown(() => background.stop());
      return background;
    }),
  );
  await book(bookings, 2 * bookings);
  await Promise.all(
    backgrounds.flatMap(({ mailDispatcher, mailer, sweeper }) => [
      mailDispatcher.dispatchAll(),
      ...(mailer === null ? [] : [mailer.sendDue()]),
      sweeper.sweep(),
    ]),
  );
  const { database } = context;
  await untilMailed(database);
  const evidence = { database, received: smtp.received(), texts: service.logLines };
  t.equal(await auditMails(t, evidence), 0);
  t.equal(smtp.received().length, 4 * bookings);
  const rows = await dueMails(database);
  t.ok(
    rows.every(({ attempts, claimed_until }) => attempts === 1 && claimed_until === null),
    'each was attempted once',
  );
});

void t.test(
  'connections to the database that are cut between the end of DATA and the record: nothing arrives twice',
  async (t) => {
    const smtp = await startSmtp(t, { tls: 'none' });
    const service = await startTestService(t, {
      ...generous,
      SMTP_URL: smtp.url,
      MAIL_FROM: mailFrom,
      MAIL_RETRY_SCHEDULE_SECONDS: longSchedule,
    });
    const { context } = service;
    const { config, log, keyring, database } = context;
    const direct = context.connection.connectionString ?? '';
    const { proxy, connectionString } = await startDatabaseProxy(t, direct);
    const sender = createContext({ config, log, keyring, connection: { connectionString } });
    t.teardown(() => closeContext(sender));
    const { mailer, mailDispatcher } = await startMailer(t, sender);
    service.expectLog(lostDatabase, queueFailed);
    const slots = await someOpenSlots(context, bookings);
    await Promise.all(
      slots.map(async (slot, index) => {
        const request = holdRequest(slot, mailedPerson(index));
        const { checkoutToken } = await placeHold(context, callerNumber(1), request, null);
        await confirmCheckout(context, checkoutToken);
      }),
    );
    await mailDispatcher.dispatchAll();

    let cut = false;
    smtp.misbehave(({ stage }) => {
      if (stage === 'end' && smtp.received().length === 10) {
        proxy.refuse();
        cut = true;
      }
      return null;
    });
    const sending = mailer.sendDue().catch(() => 'the database failed');
    await until(() => cut);
    // The record was tried more than once.
    await until(() => proxy.refusedCount() > 2);
    proxy.restore();
    await sending;
    const rows = await dueMails(database);
    const sent = rows.filter(({ status }) => status === 'sent');
    t.equal(sent.length, smtp.received().length, 'what arrived is recorded');

    smtp.misbehave(null);
    await service.shiftClock(91_000);
    await mailer.sendDue();
    const evidence = { database, received: smtp.received(), texts: service.logLines };
    t.equal(await auditMails(t, evidence), 0);
    t.equal(smtp.received().length, 2 * bookings);
  },
);
