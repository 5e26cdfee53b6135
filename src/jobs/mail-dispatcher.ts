import type { DatabaseServices } from '../database/services.js';
import { mailsOfEvent } from '../mail/mails-of-event.js';
import { singleFlight } from '../platform/concurrency.js';
import {
  discardEventsToMail,
  dropWhileMailIsOff,
  hasEventsToMail,
  listEventsToMail,
  lockMails,
  readMailOnSince,
  recordMailsOfEvents,
} from '../repositories/mail-dispatch.js';
import { dispatchSpan } from './dispatcher.js';
import { mailJob, type Queues } from './queues.js';

export type MailDispatcher = ReturnType<typeof createMailDispatcher>;

/**
 * Makes mails of committed event rows, and adds a job that sends them. A crash can lose only the job,
 * which the sweeper adds again. A process without the settings of mail leaves it to the others.
 */
export function createMailDispatcher(
  { database, config, tracing }: Pick<DatabaseServices, 'database' | 'config' | 'tracing'>,
  queues: Queues,
) {
  const dispatchBatch = async (): Promise<void> => {
    const startedAt = performance.now();
    const { events, mails } = await database.transaction().execute(async (transaction) => {
      await lockMails(transaction);
      const since = await readMailOnSince(transaction);
      if (since === null) return { events: [], mails: [] };
      const listed = await listEventsToMail(transaction);
      const made = listed
        .filter(({ occurredAt }) => occurredAt >= since)
        .flatMap((event) => mailsOfEvent(event, config.reminderHours));
      const ids = listed.map(({ id }) => id);
      await recordMailsOfEvents(transaction, ids, made);
      return { events: listed, mails: made };
    });
    const traceContexts = events.map(({ traceContext }) => traceContext);
    const firstDue = mails.find(({ sendAt }) => sendAt === null);
    await tracing.continueTrace(
      traceContexts,
      dispatchSpan('dispatch mails', traceContexts.length, startedAt),
      async () => {
        if (firstDue !== undefined) {
          await queues.mail.add([mailJob(`event-${firstDue.eventId}`)]);
        }
      },
    );
  };
  /** Makes the mails of all events; does nothing while mail is off. */
  const dispatchAll = singleFlight(async () => {
    while (config.mail !== null && (await hasEventsToMail(database))) await dispatchBatch();
  });
  return {
    dispatchAll,
    /** Dispatches at intervals; while mail is off, discards the events, and drops what is left unsent. */
    async sweep() {
      await dropWhileMailIsOff(database);
      await discardEventsToMail(database);
      await dispatchAll();
    },
  };
}
