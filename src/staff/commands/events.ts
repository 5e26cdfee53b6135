import type { Command } from 'commander';
import { createListener } from '../../database/listener.js';
import type { EventRow } from '../../database/schema.js';
import { followEvents } from '../../domain/event-log.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { singleFlight } from '../../platform/single-flight.js';
import { wholeNumber } from '../arguments.js';
import { withSession, type CommandContext } from '../command-context.js';
import type { Session } from '../session.js';
import { localTime, shortId } from '../text.js';

export function addEventCommands(program: Command, commandContext: CommandContext): void {
  const events = program.command('events').description('what happens: holds, bookings, changes');

  events
    .command('tail')
    .description('show what happened last, and then what is happening, until Ctrl-C')
    .option('--limit <number>', 'how much of the past', wholeNumber(0, 100_000), 20)
    .option('--no-follow', 'only the past')
    .addHelpText(
      'after',
      `
With --json, each event is a line of its own. While the service is stopped nothing can happen:
then only the past is shown.

Examples:
  studio events tail
  studio events tail --limit 500 --no-follow --json`,
    )
    .action(({ limit, follow }: { limit: number; follow: boolean }) =>
      withSession(commandContext, async (session) => {
        const { timezone } = await readStudio(session.services.database);
        const readNew = followEvents(session.services, limit);
        const showNew = async () => {
          for (const event of await readNew()) {
            const line = commandContext.wantsJson()
              ? JSON.stringify(eventData(event))
              : eventText(event, timezone);
            commandContext.print([line]);
          }
        };
        await showNew();
        if (!follow) return;
        if (session.access === 'started') {
          commandContext.printError(['The service is not running: nothing more can happen.']);
          return;
        }
        await followUntilInterrupted(commandContext, session, showNew);
      }),
    );
}

/**
 * Shows what is new with every notification, and after every interruption of those; until it is
 * interrupted, or nobody reads any more.
 */
async function followUntilInterrupted(
  { interrupted, terminal }: CommandContext,
  { connection, log }: Session,
  showNew: () => Promise<void>,
): Promise<void> {
  const listener = createListener({ connection, log });
  // A crowd of notifications costs no query each.
  const showAllNew = singleFlight(showNew);
  let shown = Promise.resolve();
  const showNext = () => {
    // What cannot be read now is read with the next news, or when the connection is back.
    shown = showAllNew().catch(() => undefined);
  };
  listener.subscribe('booking_events', { notified: showNext, connected: showNext });
  const ended = new Promise((resolve) => {
    interrupted.addEventListener('abort', resolve, { once: true });
    // Whoever read it has seen enough (`| head`).
    terminal.stdout.once('error', resolve);
  });
  await listener.start();
  if (!interrupted.aborted) await ended;
  await listener.close();
  await shown;
}

function eventData({ id, type, occurred_at, booking_id, data }: EventRow) {
  return { id, type, occurred_at, booking_id, data };
}

function eventText(event: EventRow, timezone: string): string {
  const { label, change } = event.data as { label?: string; change?: string };
  const about = label ?? change ?? '';
  const which = event.booking_id === null ? '' : ` (${shortId(event.booking_id)})`;
  const when = localTime(event.occurred_at, timezone);
  return `${when}  ${event.type.padEnd(17)}  ${about}${which}`;
}
