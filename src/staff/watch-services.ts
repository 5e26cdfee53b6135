import type { WatchServices } from '../domain/watched-calendars.js';
import type { CalendarFileReader } from '../icalendar/calendar-reader.js';
import { createCalendarReader } from '../icalendar/read/reader.js';
import { createTargetGuard } from '../outbound/target-guard.js';
import { noMetrics } from '../platform/metrics/metrics.js';
import { type CommandContext, openKeyring, withSession } from './command-context.js';
import type { StaffServices } from './session.js';

/** What commands need that read calendars. */
export type ReadingServices = StaffServices &
  WatchServices & { calendarReader: CalendarFileReader };

/** Opens a session with what reading calendars needs. Ctrl-C ends a read: a running service repeats it. */
export async function withReader(
  commandContext: CommandContext,
  work: (services: ReadingServices) => Promise<void>,
): Promise<void> {
  await withSession(commandContext, async ({ config, services }) => {
    const keyring = await openKeyring(services);
    const policy = { allowPrivateTargets: config.webhookAllowPrivateTargets };
    const calendarReader = createCalendarReader(policy);
    const stop = (): void => void calendarReader.close();
    commandContext.interrupted.addEventListener('abort', stop);
    try {
      await work({
        ...services,
        keyring,
        calendarReader,
        webhookTargets: createTargetGuard(policy),
        metrics: noMetrics,
      });
    } finally {
      commandContext.interrupted.removeEventListener('abort', stop);
      await calendarReader.close();
    }
  });
}
