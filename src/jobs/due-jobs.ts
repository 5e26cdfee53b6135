import type { DatabaseServices } from '../database/services.js';
import { dueChannels, parseDueDeliveries } from '../repositories/due-mail.js';
import { calendarJob, mailJob, webhookJob, type Queues } from './queues.js';

/**
 * Adds a job as soon as a commit announces a code that a person waits for, a mail or webhooks that the
 * studio sends again, or calendars to read in a new time zone. Every process adds it, under one id.
 * Returns a function that ends this.
 */
export function addDueJobs(
  { listener, log, config }: Pick<DatabaseServices, 'listener' | 'log' | 'config'>,
  queues: Queues,
): () => void {
  let isStopped = false;
  const subscribe = (channel: string, add: (payload: string) => Promise<void>): (() => void) =>
    listener.subscribe(channel, {
      notified: (payload) =>
        add(payload).catch((error: unknown) => {
          if (!isStopped) log.warn({ err: error }, 'due work has no job; the sweeper sends it');
        }),
    });
  const unsubscribes = [
    subscribe(dueChannels.deliveries, (payload) => {
      const { subscriptionId, transactionId } = parseDueDeliveries(payload);
      const job = webhookJob([subscriptionId], `due-${subscriptionId}-${transactionId}`);
      // These have failed before, and must not delay others.
      return queues.webhooks.retries.add([job]);
    }),
    subscribe(dueChannels.calendars, (transactionId) =>
      queues.calendars.add([calendarJob(`due-${transactionId}`)]),
    ),
  ];
  if (config.mail !== null) {
    unsubscribes.push(
      subscribe(dueChannels.mails, (key) => queues.mail.add([mailJob(`due-${key}`)])),
    );
  }
  return () => {
    isStopped = true;
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
