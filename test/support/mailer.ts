import type { Test } from 'tap';
import type { Context } from '../../src/context.js';
import { connectBullmq } from '../../src/jobs/bullmq.js';
import { createMailDispatcher } from '../../src/jobs/mail-dispatcher.js';
import { createQueues } from '../../src/jobs/queues.js';
import { createMailRetryQueue } from '../../src/jobs/workers.js';
import { createMailer } from '../../src/mail/mailer.js';
import { createMailSender, type MailTimeouts } from '../../src/mail/sender.js';

export type Mailing = Awaited<ReturnType<typeof startMailer>>;

/** What a process makes and sends mails with, without its timers: the test decides when. */
export async function startMailer(t: Test, context: Context, timeouts?: MailTimeouts) {
  const { config, connection, log } = context;
  if (config.mail === null) throw new Error('mail is off');
  const bullmq = connectBullmq(config.redisUrl, connection, log);
  const queues = createQueues(bullmq);
  const mailSender = createMailSender(config.mail.smtp, timeouts && { timeouts });
  const retryQueue = createMailRetryQueue(queues, context);
  const mailer = createMailer({ ...context, mailSender, retryQueue });
  const mailDispatcher = createMailDispatcher(context, queues);
  t.teardown(async () => {
    await mailer.stop();
    await queues.close();
    await bullmq.close();
  });
  return { mailer, mailDispatcher };
}
