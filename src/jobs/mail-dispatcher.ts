import type { Transaction } from 'kysely';
import type { Database } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { mailsOfEvent } from '../mail/mails-of-event.js';
import { singleFlight } from '../platform/single-flight.js';
import {
  discardEventsToMail,
  hasEventsToMail,
  listEventsToMail,
  lockMails,
  readMailOnSince,
  recordMailsOfEvents,
  switchMailOff,
  switchMailOn,
} from '../repositories/mail-dispatch.js';
import { mailJob, type Queues } from './queues.js';

export interface MailDispatcher {
  /** Records whether mail is on; events from before it was are never mailed. */
  start(): Promise<void>;
  /** Makes the mails of all events; while mail is off, discards the events. */
  dispatchAll(): Promise<void>;
}

/**
 * Makes mails of committed event rows, and adds a job that sends them. A crash in between loses only
 * the job, which the sweeper adds again.
 */
export function createMailDispatcher(
  { database, config }: Pick<DatabaseServices, 'database' | 'config'>,
  queues: Queues,
): MailDispatcher {
  const isOn = config.mail !== null;
  const dispatchBatch = async (): Promise<number> => {
    const { events, firstDue } = await database
      .transaction()
      .execute((transaction) => takeBatch(transaction, config.reminderHours));
    if (firstDue !== null) await queues.mail.add([mailJob(`event-${firstDue}`)]);
    return events;
  };
  return {
    async start() {
      if (isOn) await database.transaction().execute(switchMailOn);
      else await switchMailOff(database);
    },
    dispatchAll: singleFlight(async () => {
      if (!(await hasEventsToMail(database))) return;
      if (isOn) while ((await dispatchBatch()) > 0);
      // During a restart with new settings, another process may have mail on.
      else if ((await readMailOnSince(database)) === null) await discardEventsToMail(database);
    }),
  };
}

/** Makes the mails of the next events. `firstDue`: the id of the first event with a mail due at once. */
async function takeBatch(
  transaction: Transaction<Database>,
  reminderHours: number,
): Promise<{ events: number; firstDue: string | null }> {
  await lockMails(transaction);
  const events = await listEventsToMail(transaction);
  if (events.length === 0) return { events: 0, firstDue: null };
  const since = await switchMailOn(transaction);
  const mails = events
    .filter(({ occurredAt }) => occurredAt >= since)
    .flatMap((event) => mailsOfEvent(event, reminderHours));
  await recordMailsOfEvents(
    transaction,
    events.map(({ id }) => id),
    mails,
  );
  const due = mails.find(({ sendAt }) => sendAt === null);
  return { events: events.length, firstDue: due?.eventId ?? null };
}
