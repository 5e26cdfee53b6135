import type { DatabaseServices } from '../database/services.js';
import { readEventBacklog } from '../repositories/events.js';
import { countMailProblems } from '../repositories/mail-admin.js';
import { countFailingCalendars } from '../repositories/watched-calendars.js';
import type { Queues } from './queues.js';

/** Registers the gauges of the queues, of the event rows, of the mails and of the watched calendars. */
export function registerJobMetrics(
  { metrics, database }: Pick<DatabaseServices, 'metrics' | 'database'>,
  queues: Queues,
): void {
  metrics.addGauge({
    name: 'booking_queue_jobs',
    help: 'Jobs in the queues, by queue and state. The same in every process.',
    labels: ['queue', 'state'],
    read: async () =>
      (await queues.countJobs()).flatMap(({ queue, counts }) =>
        Object.entries(counts).map(([state, value]) => ({ labels: { queue, state }, value })),
      ),
  });
  metrics.addGauge({
    name: 'booking_events_undispatched',
    help: 'Event rows that are not dispatched. The same in every process.',
    read: async () => [{ value: (await readEventBacklog(database)).count }],
  });
  metrics.addGauge({
    name: 'booking_events_oldest_undispatched_seconds',
    help: 'Age of the oldest event row that is not dispatched; 0 if there is none.',
    read: async () => [{ value: (await readEventBacklog(database)).oldestAgeSeconds }],
  });
  metrics.addGauge({
    name: 'booking_mails',
    help: 'Mails that failed within 7 days and are not dismissed, and mails due for over a minute that no process sends. The same in every process.',
    labels: ['state'],
    read: async () =>
      Object.entries(await countMailProblems(database)).map(([state, value]) => ({
        labels: { state },
        value,
      })),
  });
  metrics.addGauge({
    name: 'booking_calendars_failing',
    help: 'Watched calendars that could not be read for two hours. The same in every process.',
    read: async () => [{ value: await countFailingCalendars(database) }],
  });
}
