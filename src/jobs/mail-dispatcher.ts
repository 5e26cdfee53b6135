import type { Transaction } from 'kysely';
import type { Database } from '../database/rows/schema.js';
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
 * Makes mails of committed event rows, and adds a job that sends them. A crash in between loses only
 * the job, which the sweeper adds again. A process without the settings of mail leaves it to the others.
 */
export function createMailDispatcher(
  { database, config, tracing }: Pick<DatabaseServices, 'database' | 'config' | 'tracing'>,
  queues: Queues,
) {
  const dispatchBatch = async (): Promise<void> => {
    const startedAt = performance.now();
    const { traceContexts, firstDue } = await database
      .transaction()
      .execute((transaction) => takeBatch(transaction, config.reminderHours));
    await tracing.continueTrace(
      traceContexts,
      dispatchSpan('dispatch mails', traceContexts.length, startedAt),
      async () => {
        if (firstDue !== null) await queues.mail.add([mailJob(`event-${firstDue}`)]);
      },
    );
  };
  /** Makes the mails of all events; does nothing while mail is off. */
  const dispatchAll = singleFlight(async () => {
    while (config.mail !== null && (await hasEventsToMail(database))) await dispatchBatch();
  });
  return {
    dispatchAll,
    /** The same at intervals; while mail is off, discards the events, and drops what is left unsent. */
    async sweep() {
      await dropWhileMailIsOff(database);
      await discardEventsToMail(database);
      await dispatchAll();
    },
  };
}

interface Batch {
  traceContexts: (string | null)[];
  /** The id of the first event with a mail due at once. */
  firstDue: string | null;
}

async function takeBatch(
  transaction: Transaction<Database>,
  reminderHours: number,
): Promise<Batch> {
  await lockMails(transaction);
  const since = await readMailOnSince(transaction);
  if (since === null) return { traceContexts: [], firstDue: null };
  const events = await listEventsToMail(transaction);
  const mails = events
    .filter(({ occurredAt }) => occurredAt >= since)
    .flatMap((event) => mailsOfEvent(event, reminderHours));
  await recordMailsOfEvents(
    transaction,
    events.map(({ id }) => id),
    mails,
  );
  return {
    traceContexts: events.map(({ traceContext }) => traceContext),
    firstDue: mails.find(({ sendAt }) => sendAt === null)?.eventId ?? null,
  };
}
