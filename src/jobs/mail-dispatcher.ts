import type { Transaction } from 'kysely';
import type { Database } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { mailsOfEvent } from '../mail/mails-of-event.js';
import { singleFlight } from '../platform/single-flight.js';
import {
  discardEventsToMail,
  hasEventsToMail,
  listEventsToMail,
  readMailOnSince,
  recordMailsOfEvents,
  switchMailOff,
  switchMailOn,
} from '../repositories/mail-dispatch.js';
import { dispatchSpan } from './dispatch-span.js';
import { mailJob, type Queues } from './queues.js';

export interface MailDispatcher {
  /** Records whether mail is on; events from before it was are never mailed. */
  start(): Promise<void>;
  /** Makes the mails of all events; does nothing while mail is off. */
  dispatchAll(): Promise<void>;
  /** The same at intervals; while mail is off in all processes, discards the events. */
  sweep(): Promise<void>;
}

/**
 * Makes mails of committed event rows, and adds a job that sends them. A crash in between loses only
 * the job, which the sweeper adds again. Mail is on while it is in any process.
 */
export function createMailDispatcher(
  { database, config, tracing }: Pick<DatabaseServices, 'database' | 'config' | 'tracing'>,
  queues: Queues,
): MailDispatcher {
  const isOn = config.mail !== null;
  /** When mail was switched on, once this process has begun. */
  let knownSince: Date | null = null;

  const dispatchBatch = async (): Promise<void> => {
    const startedAt = performance.now();
    const { traceContexts, firstDue } = await database
      .transaction()
      .execute((transaction) => takeBatch(transaction, config.reminderHours, knownSince));
    await tracing.continueTrace(
      traceContexts,
      dispatchSpan('dispatch mails', traceContexts.length, startedAt),
      async () => {
        if (firstDue !== null) await queues.mail.add([mailJob(`event-${firstDue}`)]);
      },
    );
  };
  const dispatchAll = singleFlight(async () => {
    while (isOn && (await hasEventsToMail(database))) await dispatchBatch();
  });
  const switchOn = async (): Promise<void> => {
    knownSince = await database
      .transaction()
      .execute((transaction) => switchMailOn(transaction, knownSince));
  };
  return {
    async start() {
      if (isOn) await switchOn();
      else await switchMailOff(database);
    },
    dispatchAll,
    async sweep() {
      const isOnAnywhere = (await readMailOnSince(database)) !== null;
      if (isOn && !isOnAnywhere) await switchOn();
      if (!isOn && !isOnAnywhere) await discardEventsToMail(database);
      await dispatchAll();
    },
  };
}

interface Batch {
  /** Of its events. */
  traceContexts: (string | null)[];
  /** The id of the first event with a mail due at once. */
  firstDue: string | null;
}

/** Makes the mails of the next events. */
async function takeBatch(
  transaction: Transaction<Database>,
  reminderHours: number,
  knownSince: Date | null,
): Promise<Batch> {
  const since = await switchMailOn(transaction, knownSince);
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
