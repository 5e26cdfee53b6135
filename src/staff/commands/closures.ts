import type { Command } from 'commander';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { ClosureRow } from '../../database/schema.js';
import {
  addClosure,
  type ClosureMistakes,
  findClosureMistakes,
  maxClosureReasonLength,
  readBookingsToClose,
  readClosures,
  removeClosure,
} from '../../domain/closures.js';
import type { NewClosure } from '../../repositories/closures.js';
import { date, idPrefix, text, timeSlot } from '../arguments.js';
import { bookingData, bookingTable } from '../booking-text.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../command-context.js';
import { onlyOne, StaffError } from '../failure.js';
import { count, shortId, slotsText, table } from '../text.js';

interface AddOptions {
  slot?: TimeSlot;
  reason?: string;
  cancelBookings?: true;
  yes?: true;
}

export function addClosureCommands(program: Command, commandContext: CommandContext): void {
  const closures = program
    .command('closures')
    .description('dates or single sessions that cannot be booked');

  closures
    .command('add')
    .description('close a date or a range of dates, or one session on each of them')
    .argument('<from>', 'the first date, such as 2026-12-24', date)
    .argument('[to]', 'the last date, if it is a range', date)
    .option('--slot <session>', 'only this session, such as "1:00 PM"', timeSlot)
    .option(
      '--reason <text>',
      'the reason, which only the studio can read',
      text(maxClosureReasonLength),
    )
    .option('--cancel-bookings', 'also cancel the bookings on these dates')
    .option('-y, --yes', 'skip the question before bookings are cancelled')
    .addHelpText(
      'after',
      `
Bookings on closed dates are listed and stay as they are, unless --cancel-bookings is given.

Examples:
  studio closures add 2026-12-24 --reason "Holiday"
  studio closures add 2026-12-24 2027-01-01 --reason "Away"
  studio closures add 2026-12-05 --slot "1:00 PM"
  studio closures add 2026-12-05 --cancel-bookings --yes`,
    )
    .action((from: string, to: string | undefined, options: AddOptions) =>
      closeSlots(commandContext, readClosure(from, to ?? from, options), options),
    );

  closures
    .command('list')
    .description('list closures from today on')
    .option('--all', 'also past closures')
    .addHelpText(
      'after',
      '\nExamples:\n  studio closures list\n  studio closures list --all --json',
    )
    .action(({ all }: { all?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const rows = await readClosures(services, { past: all === true });
        printResult(commandContext, rows.map(closureData), () =>
          rows.length === 0
            ? ['No closures.']
            : table(
                ['ID', 'CLOSED', 'REASON'],
                rows.map((row) => [shortId(row.id), closureText(row), row.reason]),
              ),
        );
      }),
    );

  closures
    .command('remove')
    .description('remove a closure, so that its dates can be booked again')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .option('-y, --yes', 'skip the question')
    .addHelpText('after', '\nExample:\n  studio closures remove 3f2a81c0 --yes')
    .action((id: string, { yes }: { yes?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const rows = await readClosures(services, { past: true });
        const closure = onlyOne(
          rows.filter((row) => row.id.startsWith(id)),
          'closure',
          id,
        );
        await confirm(commandContext, `Open ${closureText(closure)} again?`, yes === true);
        const removed = await removeClosure(services, actorAtTerminal(), closure.id);
        if (removed === null) throw new StaffError('notFound', `No closure has the id ${id}.`);
        printResult(commandContext, { removed: closureData(removed) }, () => [
          `Removed: ${closureText(removed)}.`,
        ]);
      }),
    );
}

function readClosure(fromDate: string, toDate: string, { slot, reason }: AddOptions): NewClosure {
  const closure = { fromDate, toDate, timeSlot: slot ?? null, reason: reason ?? '' };
  refuseMistakes(findClosureMistakes(closure));
  return closure;
}

function refuseMistakes(mistakes: ClosureMistakes): void {
  const [first] = Object.values(mistakes);
  if (first !== undefined) throw new StaffError('usage', first);
}

async function closeSlots(
  commandContext: CommandContext,
  closure: NewClosure,
  options: AddOptions,
): Promise<void> {
  await withSession(commandContext, async ({ services }) => {
    const cancelBookings = options.cancelBookings === true;
    const toCancel = cancelBookings ? await readBookingsToClose(services, closure) : [];
    if (toCancel.length > 0) {
      if (!commandContext.wantsJson()) commandContext.printError(bookingTable(services, toCancel));
      await confirm(
        commandContext,
        `Cancel ${count(toCancel.length, 'booking')}?`,
        options.yes === true,
      );
    }
    const outcome = await addClosure(services, actorAtTerminal(), closure, {
      cancelBookings,
      listed: toCancel,
    });
    if (outcome.outcome === 'refused') return refuseMistakes(outcome.mistakes);
    if (outcome.outcome === 'changed') {
      throw new StaffError(
        'refused',
        'The bookings on these dates have changed; nothing was done.',
      );
    }
    const name = `${closureText(outcome.closure)} (${shortId(outcome.closure.id)})`;
    if (outcome.outcome === 'exists') throw new StaffError('refused', `Already closed: ${name}.`);
    const { met, cancelled } = outcome;
    printResult(
      commandContext,
      {
        closure: closureData(outcome.closure),
        bookings_met: met.map(bookingData(services)),
        bookings_cancelled: cancelled.map(bookingData(services)),
      },
      () => {
        const lines = [`Closed: ${name}.`];
        if (met.length > 0) {
          lines.push(
            `On these dates, unchanged (--cancel-bookings cancels): ${count(met.length, 'booking')}`,
            ...bookingTable(services, met),
          );
        }
        if (cancelled.length > 0) {
          lines.push(`Cancelled ${count(cancelled.length, 'booking')}:`);
          lines.push(...bookingTable(services, cancelled));
        }
        return lines;
      },
    );
  });
}

function closureText({ from_date, to_date, time_slot }: ClosureRow): string {
  return slotsText(from_date, to_date, time_slot);
}

function closureData({ id, from_date, to_date, time_slot, reason, created_at }: ClosureRow) {
  return { id, from: from_date, to: to_date, time_slot, reason, created_at };
}
