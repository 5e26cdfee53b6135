import { retentionDays } from '../config/limits.js';
import type { DatabaseServices } from '../database/services.js';
import { expireHolds } from '../domain/booking/new-hold.js';
import { findNewConflicts } from '../domain/studio/calendar-fetches.js';
import { createRetention } from '../domain/studio/retention.js';
import { followZoneData } from '../domain/studio/zone-data.js';
import { isOutdated } from '../platform/database-errors.js';
import { listPendingHolds } from '../repositories/bookings.js';
import { recordCalendarFailures } from '../repositories/calendar-fetches.js';
import { deleteOldCodes } from '../repositories/mail-admin.js';
import { hasDueMail } from '../repositories/mail-queue.js';
import { hasOverdueCalendar } from '../repositories/watched-calendars.js';
import { listDueSubscriptions } from '../repositories/webhook-deliveries.js';
import type { Dispatcher } from './dispatcher.js';
import type { MailDispatcher } from './mail-dispatcher.js';
import {
  calendarJob,
  expiryJob,
  mailJob,
  webhookJob,
  webhookQueueOf,
  webhookQueues,
  type Queues,
} from './queues.js';

const intervalMs = 30_000;

/** The maximum number of holds, soonest to expire first, that get an expiry job at start. */
const pendingHoldsLimit = 10_000;

/** The maximum number of due subscriptions that one sweep adds jobs for. */
const subscriptionsPerSweep = 1_000;

export type Sweeper = ReturnType<typeof createSweeper>;

/**
 * Recovers from lost jobs and crashes: dispatches undispatched event rows, expires overdue holds, and
 * adds jobs for due webhook deliveries, mails and watched calendars and, at start, missing expiry jobs.
 * Recomputes instants where a process with older time zone data has made or moved bookings, and finds the
 * conflicts of newly confirmed bookings with watched calendars. Deletes what is past its retention.
 */
export function createSweeper(
  services: Pick<DatabaseServices, 'database' | 'clock' | 'log' | 'config' | 'metrics'>,
  { dispatcher, mailDispatcher }: { dispatcher: Dispatcher; mailDispatcher: MailDispatcher },
  queues: Queues,
) {
  const { database, clock, log } = services;
  const retention = createRetention(services);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const sweep = async (): Promise<void> => {
    await expireHolds(services);
    await followZoneData(services).catch(leaveToOthers);
    await findNewConflicts(services).catch(leaveToOthers);
    await recordCalendarFailures(database);
    await dispatcher.dispatchAll();
    await mailDispatcher.sweep();
    await addWebhookJobs();
    await addMailJob();
    if (await hasOverdueCalendar(database)) await queues.calendars.add([calendarJob('sweep')]);
    await deleteOldCodes(database, retentionDays.codes);
    const erased = await retention.apply();
    if (erased !== null) log.info({ bookings: erased }, 'personal data erased');
  };
  /** An error of an outdated process, which takes and closes no slot. */
  const leaveToOthers = (error: unknown): void => {
    if (!isOutdated(error)) throw error;
  };
  /**
   * Adds one job per due subscription, delayed until any claim on the subscription ends. The job id
   * prevents a second job while that of an earlier sweep still exists.
   */
  const addWebhookJobs = async (): Promise<void> => {
    const now = clock.now();
    const due = await listDueSubscriptions(database, subscriptionsPerSweep);
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
  const addMailJob = async (): Promise<void> => {
    if (services.config.mail === null || !(await hasDueMail(database))) return;
    await queues.mail.add([mailJob('sweep')]);
  };
  const sweepAndLog = async (): Promise<void> => {
    try {
      await sweep();
    } catch (error) {
      log.warn({ err: error }, 'a sweep failed; the next one tries again');
    }
  };
  const addExpiryJobs = async (): Promise<void> => {
    const pending = await listPendingHolds(database, pendingHoldsLimit);
    await queues.expiry.add(pending.map((hold) => expiryJob(hold.id, hold.expires_at, clock)));
  };

  return {
    sweep,
    /** Sweeps at once, and then every 30 seconds. */
    async start() {
      await sweepAndLog();
      await addExpiryJobs().catch((error: unknown) => {
        log.warn({ err: error }, 'expiry jobs could not be added; the sweeper expires the holds');
      });
      timer = setInterval(() => {
        running = running.then(sweepAndLog);
      }, intervalMs);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
