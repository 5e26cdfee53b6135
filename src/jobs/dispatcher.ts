import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../platform/clock.js';
import type { Database, EventRow } from '../database/schema.js';
import type { NewJob } from './queue-backend.js';
import {
  webhookQueueOf,
  webhookJob,
  webhookQueues,
  type ExpiryJob,
  type Queues,
  type WebhookJob,
} from './queues.js';
import { lockUndispatchedEvents, markDispatched } from '../repositories/events.js';
import { insertDeliveries, type DueSubscription } from '../repositories/webhook-deliveries.js';
import { singleFlight } from '../platform/single-flight.js';
import { isBookingEvent, webhookEventView } from '../views/webhook.js';

const subscriptionsPerJob = 50;

export interface Dispatcher {
  /** Turns every undispatched event row into deliveries and jobs; resolves when none was left. */
  dispatchAll(): Promise<void>;
}

/**
 * Makes webhook deliveries and jobs of event rows, after their commit. The deliveries are written in
 * the transaction that marks the events. A crash before the jobs are added loses jobs and nothing
 * else: the sweeper does what they would have done.
 */
export function createDispatcher(
  database: Kysely<Database>,
  queues: Queues,
  clock: Clock,
): Dispatcher {
  const dispatchBatch = async (): Promise<number> => {
    const { events, subscriptions } = await database.transaction().execute(takeBatch);
    const [first] = events;
    if (first === undefined) return 0;
    for (const queue of webhookQueues) {
      const ids = subscriptions
        .filter((each) => webhookQueueOf(each) === queue)
        .map(({ id }) => id);
      await queues.webhooks[queue].addBulk(wakeJobs(ids, first.id));
    }
    await queues.expiry.addBulk(expiryJobs(events, clock));
    return events.length;
  };
  return {
    dispatchAll: singleFlight(async () => {
      while ((await dispatchBatch()) > 0);
    }),
  };
}

/** Marks undispatched events, writes their deliveries, and says who has something to send now. */
async function takeBatch(
  transaction: Transaction<Database>,
): Promise<{ events: EventRow[]; subscriptions: DueSubscription[] }> {
  const events = await lockUndispatchedEvents(transaction);
  if (events.length === 0) return { events, subscriptions: [] };
  const { eventIds, subscriptions } = await insertDeliveries(
    transaction,
    events.map(({ id }) => id),
  );
  const wanted = new Set(eventIds);
  await markDispatched(
    transaction,
    events.map((event) => ({
      id: event.id,
      webhookBody:
        wanted.has(event.id) && isBookingEvent(event)
          ? JSON.stringify(webhookEventView(event))
          : null,
    })),
  );
  return { events, subscriptions };
}

/** Few jobs for many subscriptions: whoever gets one serves all of them at once. */
function wakeJobs(subscriptionIds: string[], batchId: string): NewJob<WebhookJob>[] {
  const jobCount = Math.ceil(subscriptionIds.length / subscriptionsPerJob);
  return Array.from({ length: jobCount }, (_, index) => {
    const start = index * subscriptionsPerJob;
    const share = subscriptionIds.slice(start, start + subscriptionsPerJob);
    return webhookJob(share, `${batchId}-${index}`);
  });
}

function expiryJobs(events: EventRow[], clock: Clock): NewJob<ExpiryJob>[] {
  return events.flatMap((event) =>
    event.type === 'hold.created' && isBookingEvent(event)
      ? [expiryJob(event.data.id, new Date(event.data.expires_at), clock)]
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
