import type { DatabaseServices } from '../database/services.js';
import { expireHolds } from '../domain/expiry.js';
import { eraseNightly } from '../domain/personal-data.js';
import { listPendingHolds } from '../repositories/bookings.js';
import { dueSubscriptions, tidyWebhooks } from '../domain/webhook-maintenance.js';
import type { Dispatcher } from './dispatcher.js';
import { expiryJob, webhookQueueOf, webhookJob, webhookQueues, type Queues } from './queues.js';

const intervalMs = 30_000;
const pendingHoldsLimit = 10_000;

export interface Sweeper {
  /** One round, at once. */
  sweep(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Repairs, every 30 seconds and at start, whatever a lost job or a crash left: undispatched event
 * rows, holds and webhook deliveries that are due, and (at start) alarm clocks that were never set.
 * The first round of a night erases the personal data whose time is over.
 */
export function createSweeper(
  context: Pick<DatabaseServices, 'database' | 'clock' | 'log' | 'config' | 'metrics'>,
  dispatcher: Dispatcher,
  queues: Queues,
): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();

  const sweep = async (): Promise<void> => {
    await expireHolds(context);
    await dispatcher.dispatchAll();
    await wakeDueSubscriptions();
    await tidyWebhooks(context);
    const erased = await eraseNightly(context);
    if (erased !== null) context.log.info({ bookings: erased }, 'personal data erased');
  };
  /** One job each, however often this runs; while a claim lasts, that one alone may send. */
  const wakeDueSubscriptions = async (): Promise<void> => {
    const now = context.clock.now();
    const due = await dueSubscriptions(context);
    for (const queue of webhookQueues) {
      await queues.webhooks[queue].add(
        due
          .filter((subscription) => webhookQueueOf(subscription) === queue)
          .map(({ id, claimedForSeconds: delaySeconds }) =>
            webhookJob([id], `sweep-${id}`, { now, delaySeconds }),
          ),
      );
    }
  };
  const sweepAndReport = async (): Promise<void> => {
    try {
      await sweep();
    } catch (error) {
      context.log.warn({ err: error }, 'a sweep failed; the next one tries again');
    }
  };
  const setAlarmClocks = async (): Promise<void> => {
    const pending = await listPendingHolds(context.database, pendingHoldsLimit);
    await queues.expiry.add(
      pending.map((hold) => expiryJob(hold.id, hold.expires_at, context.clock)),
    );
  };

  return {
    sweep,
    async start() {
      await sweepAndReport();
      await setAlarmClocks().catch((error: unknown) => {
        context.log.warn({ err: error }, 'alarm clocks could not be set; the sweeper stands in');
      });
      timer = setInterval(() => {
        round = round.then(sweepAndReport);
      }, intervalMs);
    },
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}
