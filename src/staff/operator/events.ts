import { createListener } from '../../database/listener.js';
import type { MoveSnapshot } from '../../database/rows/booking-snapshots.js';
import type { EventRow } from '../../database/rows/schema.js';
import { followEvents } from '../../domain/studio/event-log.js';
import { singleFlight } from '../../platform/concurrency.js';
import { wholeNumber } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { shortId, slotsText } from '../text.js';

export function addEventCommands(program: StaffCommand): void {
  const events = program
    .command('events')
    .concerns('owner')
    .description('the event log: holds, bookings and changes by the studio');

  events
    .command('tail')
    .description('show the latest events, then new ones as they happen, until Ctrl-C')
    .option('--limit <n>', 'start with the latest n events', wholeNumber(0, 100_000), 20)
    .option('--no-follow', 'show no new events')
    .explain(`
With --json, each event is one line. While the service is stopped there are no new events, and the
command ends after the latest ones.

Examples:
  studio events tail
  studio events tail --limit 500 --no-follow --json`)
    .run(async (run, { limit, follow }: { limit: number; follow: boolean }) => {
      const { context, services, access, at } = run;
      const readNew = followEvents(services, limit);
      const showNew = async () => {
        for (const event of await readNew()) {
          const line = context.wantsJson()
            ? JSON.stringify(eventData(event))
            : eventText(event, at);
          context.print([line]);
        }
      };
      await showNew();
      if (!follow) return;
      if (access === 'started') {
        context.printError(['The service is not running: there are no new events.']);
        return;
      }
      await followUntilInterrupted(run, showNew);
    });
}

/**
 * Prints new events on every notification and after every reconnect, until Ctrl-C or until standard
 * output is closed.
 */
async function followUntilInterrupted(
  { context: { interrupted, stdout }, connection, log }: Run,
  showNew: () => Promise<void>,
): Promise<void> {
  const listener = createListener({ connection, log });
  // Notifications that arrive during a query share the next one.
  const showAllNew = singleFlight(showNew);
  let shown = Promise.resolve();
  const showNext = () => {
    // If the query fails, the next notification or reconnect repeats it.
    shown = showAllNew().catch(() => undefined);
  };
  listener.subscribe('booking_events', { notified: showNext, connected: showNext });
  const ended = new Promise((resolve) => {
    interrupted.addEventListener('abort', resolve, { once: true });
    // The reader has closed the pipe (`| head`).
    stdout.once('error', resolve);
  });
  await listener.start();
  if (!interrupted.aborted) await ended;
  await listener.close();
  await shown;
}

function eventData({ id, type, occurred_at, booking_id, data }: EventRow) {
  return { id, type, occurred_at, booking_id, data };
}

function eventText(event: EventRow, at: Run['at']): string {
  // The members of a change of the calendar.
  const { label, change, from } = event.data as Partial<MoveSnapshot> & { change?: string };
  const former =
    event.type === 'booking.moved' && from !== undefined
      ? `from ${slotsText(from.date, from.date, from.time_slot)}`
      : undefined;
  const about = [label, change ?? former].filter((text) => text !== undefined).join(', ');
  const which = event.booking_id === null ? '' : ` (${shortId(event.booking_id)})`;
  return `${at(event.occurred_at)}  ${event.type.padEnd(19)}  ${about}${which}`;
}
