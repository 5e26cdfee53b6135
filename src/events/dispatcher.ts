import type { Kysely } from 'kysely';
import type { Clock } from '../clock.js';
import type { Database } from '../database/schema.js';
import type { ExpiryJob, Queues } from '../queues/queues.js';
import type { NewJob } from '../queues/backend.js';
import { takeUndispatchedEvents, type DispatchedEvent } from '../repositories/events.js';
import { singleFlight } from '../single-flight.js';

export interface Dispatcher {
  /** Turns every undispatched event row into jobs; resolves when none was left. */
  dispatchAll(): Promise<void>;
}

/**
 * Makes jobs of event rows, after their commit. A crash between the commit that marks the rows and
 * the adding of the jobs loses jobs and nothing else: the sweeper does what they would have done.
 */
export function createDispatcher(
  database: Kysely<Database>,
  queues: Queues,
  clock: Clock,
): Dispatcher {
  const dispatchBatch = async (): Promise<number> => {
    const events = await database
      .transaction()
      .execute((transaction) => takeUndispatchedEvents(transaction));
    const jobs = expiryJobs(events, clock);
    if (jobs.length > 0) await queues.expiry.addBulk(jobs);
    return events.length;
  };
  return {
    dispatchAll: singleFlight(async () => {
      while ((await dispatchBatch()) > 0);
    }),
  };
}

function expiryJobs(events: DispatchedEvent[], clock: Clock): NewJob<ExpiryJob>[] {
  return events.flatMap(({ type, bookingId, expiresAt }) =>
    type === 'hold.created' && bookingId !== null && expiresAt !== null
      ? [expiryJob(bookingId, expiresAt, clock)]
      : [],
  );
}

/** The alarm clock of one hold; set twice, it rings once. */
export function expiryJob(bookingId: string, expiresAt: Date, clock: Clock): NewJob<ExpiryJob> {
  return {
    name: 'expire',
    id: bookingId,
    data: { bookingId, expiresAt: expiresAt.getTime() },
    delayMs: expiresAt.getTime() - clock.now(),
  };
}
