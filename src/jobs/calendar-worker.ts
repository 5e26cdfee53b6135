import { fetchDueCalendars, type FetchServices } from '../domain/calendar-fetches.js';
import type { Bullmq, BullmqWorker } from './bullmq.js';
import { calendarQueueName, type CalendarJob, type Queues } from './queues.js';

const intervalMs = 600_000;

/**
 * Fetches watched calendars. Every job fetches all that are due, each claimed by one process, so a lost,
 * late or doubled job changes nothing.
 */
export function createCalendarWorker(bullmq: Bullmq, services: FetchServices): BullmqWorker {
  const worker = bullmq.createWorker<CalendarJob>(
    calendarQueueName,
    () => fetchDueCalendars(services),
    {},
  );
  return {
    async close() {
      const closing = worker.close();
      // What is being read stays due.
      await services.calendarReader.close();
      await closing;
    },
  };
}

/** Adds a job every ten minutes. Without the schedule, the sweeper adds one where a calendar is overdue. */
export async function scheduleCalendarFetches(queues: Queues): Promise<void> {
  await queues.calendars.addEvery(intervalMs, { name: 'fetch', data: {} });
}
