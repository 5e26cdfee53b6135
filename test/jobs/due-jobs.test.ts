import t, { type Test } from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { resendMail } from '../../src/domain/mail-admin.js';
import { redeliverWebhooks } from '../../src/domain/webhook-admin.js';
import { until } from '../support/embedded.js';
import { mailFrom } from '../support/mail-service.js';
import { holdForPerson } from '../support/pages.js';
import { answer, startReceiver } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { startSmtp } from '../support/smtp.js';
import { startWebhookService } from '../support/webhooks.js';

async function sendAgain(t: Test, environment: Record<string, string>): Promise<void> {
  const smtp = await startSmtp(t);
  const receiver = await startReceiver(answer(500), answer(500), answer(204));
  t.teardown(() => receiver.close());
  const service = await startWebhookService(t, {
    SMTP_URL: smtp.url,
    MAIL_FROM: mailFrom,
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0',
    ...environment,
  });
  const { context } = service;
  const { sweeper } = await service.startBackground();
  await sweeper.stop();
  const subscriber = await service.subscribe(receiver, ['hold.created']);
  const { id, token } = await holdForPerson({ service });
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
}

t.test('what is sent again leaves without the sweeper, with jobs on PostgreSQL', (t) =>
  sendAgain(t, {}),
);

t.test('and with jobs on Redis', { skip: redisMissing }, async (t) =>
  sendAgain(t, { REDIS_URL: await redisUrl(t) }),
);
