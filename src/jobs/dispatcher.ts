import type { Transaction } from 'kysely';
import type { Database, EventRow } from '../database/rows/schema.js';
import type { DatabaseServices } from '../database/services.js';
import type { Clock } from '../platform/clock.js';
import { singleFlight } from '../platform/concurrency.js';
import type { NewSpan } from '../platform/tracing/tracing.js';
import { lockUndispatchedEvents, markDispatched } from '../repositories/events.js';
import { type DueSubscription, insertDeliveries } from '../repositories/webhook-dispatch.js';
import { isBookingEvent, webhookEventView } from '../views/webhook.js';
import {
  expiryJob,
  type ExpiryJob,
  type NewJob,
  type Queues,
  webhookJob,
  type WebhookJob,
  webhookQueueOf,
  webhookQueues,
} from './queues.js';

const subscriptionsPerJob = 200;

export type Dispatcher = ReturnType<typeof createDispatcher>;

/**
 * Turns committed event rows into webhook deliveries and jobs. The deliveries are written in the
 * transaction that marks the events; a crash can lose only jobs, which the sweeper adds again.
 */
export function createDispatcher(
  { database, clock, tracing }: Pick<DatabaseServices, 'database' | 'clock' | 'tracing'>,
  queues: Queues,
) {
  const addJobs = async (batchId: string, { events, subscriptions }: Batch): Promise<void> => {
    for (const queue of webhookQueues) {
      const ids = subscriptions
        .filter((each) => webhookQueueOf(each) === queue)
        .map(({ id }) => id);
      await queues.webhooks[queue].add(webhookJobs(ids, batchId));
    }
    await queues.expiry.add(expiryJobs(events, clock));
  };
  const dispatchBatch = async (): Promise<number> => {
    const startedAt = performance.now();
    const batch = await database.transaction().execute(takeBatch);
    const [first] = batch.events;
    if (first === undefined) return 0;
    await tracing.continueTrace(
      batch.events.map(({ trace_context: context }) => context),
      dispatchSpan('dispatch events', batch.events.length, startedAt),
      () => addJobs(first.id, batch),
    );
    return batch.events.length;
  };
  return {
    /** Dispatches every undispatched event row; resolves when none is left. */
    dispatchAll: singleFlight(async () => {
      while ((await dispatchBatch()) > 0);
    }),
  };
}

interface Batch {
  events: EventRow[];
  subscriptions: DueSubscription[];
}

/** Marks undispatched events, writes their deliveries, and returns the subscriptions that have any. */
async function takeBatch(transaction: Transaction<Database>): Promise<Batch> {
  const events = await lockUndispatchedEvents(transaction);
  if (events.length === 0) return { events, subscriptions: [] };
  const { eventIds, subscriptions } = await insertDeliveries(
    transaction,
    events.map(({ id }) => id),
  );
  const eventsWithDeliveries = new Set(eventIds);
  await markDispatched(
    transaction,
    events.map((event) => ({
      id: event.id,
      webhookBody:
        eventsWithDeliveries.has(event.id) && isBookingEvent(event)
          ? JSON.stringify(webhookEventView(event))
          : null,
    })),
  );
  return { events, subscriptions };
}

/** The subscriptions of one job are served concurrently. */
function webhookJobs(subscriptionIds: string[], batchId: string): NewJob<WebhookJob>[] {
  const jobCount = Math.ceil(subscriptionIds.length / subscriptionsPerJob);
  return Array.from({ length: jobCount }, (_, index) => {
    const start = index * subscriptionsPerJob;
    const ids = subscriptionIds.slice(start, start + subscriptionsPerJob);
    return webhookJob(ids, `${batchId}-${index}`);
  });
}

function expiryJobs(events: EventRow[], clock: Clock): NewJob<ExpiryJob>[] {
  return events.flatMap((event) =>
    event.type === 'hold.created' && isBookingEvent(event)
      ? [expiryJob(event.data.id, new Date(event.data.expires_at), clock)]
      : [],
  );
}

/** The span of a batch of event rows, which began with its transaction. */
export function dispatchSpan(name: string, events: number, startedAt: number): NewSpan<void> {
  return {
    name,
    kind: 'internal',
    attributes: { 'messaging.batch.message_count': events },
    startedAt,
  };
}
