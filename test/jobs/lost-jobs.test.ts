import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { resendMail } from '../../src/domain/studio/mail-admin.js';
import { redeliverWebhooks } from '../../src/domain/studio/webhook-admin.js';
import { connectBullmq } from '../../src/jobs/bullmq.js';
import { createErrorLog } from '../../src/jobs/error-log.js';
import { createLogger } from '../../src/platform/log.js';
import { confirmCheckout } from '../support/checkouts.js';
import { allowConnections, createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { holdForPerson } from '../support/holds.js';
import { answer } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { createServiceLog } from '../support/service-log.js';
import { mailFrom } from '../support/service.js';
import { startSmtp } from '../support/smtp.js';
import { startWebhookService } from '../support/webhooks.js';

void t.test(
  'workers whose database fails as they connect neither stall the process nor pass as ready',
  async (t) => {
    const connection = await createTestDatabase(t);
    await allowConnections(connection, false);
    const bullmq = connectBullmq(null, connection, createLogger('silent'));
    t.teardown(() => bullmq.close());
    const worker = bullmq.createWorker('some', () => Promise.resolve(), {});
    const queue = bullmq.createQueue('some');
    await t.rejects(bullmq.ready(), { code: '55000' });
    await nextTurn();
    await Promise.all([worker.close(), queue.close()]);
  },
);

/** A log, and its warnings so far. */
function recordingLog() {
  const { lines, destination } = createServiceLog();
  return {
    log: createLogger('trace', destination),
    warnings: () =>
      lines
        .map((line) => JSON.parse(line) as { level: string; msg: string; count?: number })
        .filter(({ level }) => level === 'warn'),
  };
}

void t.test('what fails without end is logged once a minute, with a count', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { log, warnings } = recordingLog();
  const errorLog = createErrorLog(log);
  const fail = errorLog.report('a worker failed', 'some');
  const counts = () => warnings().map(({ count }) => count);
  for (let count = 0; count < 441; count += 1) fail(new Error('on purpose'));
  t.strictSame(counts(), [1], 'the first at once');
  mock.timers.tick(60_000);
  t.strictSame(counts(), [1, 440]);
  mock.timers.tick(60_000);
  t.strictSame(counts(), [1, 440], 'nothing where nothing has failed');
  fail(new Error('on purpose'));
  errorLog.report('a worker failed', 'another')(new Error('on purpose'));
  t.strictSame(counts(), [1, 440, 1, 1], 'after a quiet minute, and of each queue, at once');
  fail(new Error('on purpose'));
  errorLog.close();
  fail(new Error('on purpose'));
  t.strictSame(counts(), [1, 440, 1, 1, 1], 'a stop tells what came before it');
  t.end();
});

for (const [name, skip] of [
  ['PostgreSQL', false],
  ['Redis', redisMissing],
] as const) {
  void t.test(`two hundred jobs that fail on ${name} are two lines`, { skip }, async (t) => {
    const { log, warnings } = recordingLog();
    const bullmq =
      name === 'Redis'
        ? connectBullmq(await redisUrl(t), {}, log)
        : connectBullmq(null, await createTestDatabase(t), log);
    const queue = bullmq.createQueue('some');
    const job = { name: 'job', data: {}, opts: { removeOnFail: true } };
    await queue.addBulk(Array.from({ length: 200 }, () => job));
    const worker = bullmq.createWorker('some', () => Promise.reject(new Error('on purpose')), {
      concurrency: 20,
    });
    while (Object.values(await queue.getJobCounts()).some((count) => count > 0));
    for (const each of [worker, queue, bullmq]) await each.close();
    const failed = warnings().filter(({ msg }) => msg.startsWith('a job failed'));
    t.strictSame(
      failed.map(({ count }) => count),
      [1, 199],
    );
  });
}

t.test('what is sent again leaves without the sweeper', async (t) => {
  const smtp = await startSmtp(t);
  const service = await startWebhookService(t, {
    SMTP_URL: smtp.url,
    MAIL_FROM: mailFrom,
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0',
  });
  const { context } = service;
  const { sweeper } = await service.startBackground();
  await sweeper.stop();
  const answers = [answer(500), answer(500), answer(204)];
  const subscriber = await service.subscriber(t, answers, ['hold.created']);
  const { id, token } = await holdForPerson(service);
  await service.untilDelivery(subscriber, ({ status }) => status === 'failed');
  await confirmCheckout(context, token);
  await smtp.waitFor(2);

  const failedSince = new Date(context.clock.now() - 3_600_000);
  const again = await redeliverWebhooks(context, 'ada@desk', null, { failedSince });
  t.match(again, { subscriptionIds: [subscriber.id] });
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  const sent = () =>
    context.database
      .selectFrom('mails')
      .select('id')
      .where('booking_id', '=', id)
      .where('status', '=', 'sent')
      .execute();
  await until(async () => (await sent()).length === 2);
  const [mail] = await sent();
  t.equal(await resendMail(context, 'ada@desk', mail?.id ?? ''), 'resent');
  t.equal((await smtp.waitFor(3)).length, 3);
});
