import type { Command } from 'commander';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { ClosureRow } from '../../database/schema.js';
import {
  addClosure,
  type ClosureMistakes,
  findClosureMistakes,
  isUndecided,
  maxClosureReasonLength,
  readBookingsToClose,
  readClosures,
  removeClosure,
} from '../../domain/closures.js';
import { studioToday } from '../../domain/studio-settings.js';
import type { NewClosure } from '../../repositories/closures.js';
import { date, idPrefix, text, timeSlot } from '../arguments.js';
import { bookingData } from '../booking-text.js';
import {
  addDecisionOptions,
  choiceForAll,
  decidedData,
  decidedLines,
  decisionsFor,
  type DecisionOptions,
  undecidedLines,
} from '../closed-days.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../command-context.js';
import { onlyOne, StaffError } from '../failure.js';
import { shortId, slotsText, table } from '../text.js';
import { addDecideCommand } from './closures/decide.js';

interface AddOptions extends DecisionOptions {
  slot?: TimeSlot;
  reason?: string;
}

const today = 'today';

export function addClosureCommands(program: Command, commandContext: CommandContext): void {
  const closures = program
    .command('closures')
    .description('dates or single sessions that cannot be booked');

  const add = closures
    .command('add')
    .description('close a date or a range of dates, or one session on each of them')
    .argument('<from>', 'the first date, such as 2026-12-24, or today', dateOrToday)
    .argument('[to]', 'the last date, if it is a range', date)
    .option('--slot <session>', 'only this session, such as "1:00 PM"', timeSlot)
    .option(
      '--reason <text>',
      'the reason, which only the studio can read, but for --cancel-bookings',
      text(maxClosureReasonLength),
    );
  addDecisionOptions(add)
    .addHelpText(
      'after',
      `
What becomes of bookings on closed dates: an option says it for all; without one, a terminal asks for
each. With --yes, or where there is none to ask on, they stay, undecided: nobody is reminded of them,
and you get a mail. The words of --word are in every mail to a person; with --cancel-bookings those of --reason,
unless there is a --word.

Examples:
  studio closures add 2026-12-24 --reason "Holiday"
  studio closures add 2026-12-24 2027-01-01 --reason "Away"
  studio closures add 2026-12-05 --slot "1:00 PM"
  studio closures add today --ask-bookings --word "I am ill; please choose another time." --yes
  studio closures add 2026-12-05 --cancel-bookings --reason "The studio is flooded." --yes`,
    )
    .action((from: string, to: string | undefined, options: AddOptions) =>
      closeSlots(commandContext, { from, to }, options),
    );

  addDecideCommand(closures, commandContext);

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

function dateOrToday(given: string): string {
  return given === today ? given : date(given);
}

function refuseMistakes(mistakes: ClosureMistakes): void {
  const [first] = Object.values(mistakes);
  if (first !== undefined) throw new StaffError('usage', first);
}

async function closeSlots(
  commandContext: CommandContext,
  { from, to }: { from: string; to: string | undefined },
  options: AddOptions,
): Promise<void> {
  const choice = choiceForAll(options);
  const { slot: timeSlot = null, reason = '' } = options;
  const word = options.word ?? ((choice === 'cancel' && reason) || null);
  const closureFrom = (fromDate: string): NewClosure => ({
    fromDate,
    toDate: to ?? fromDate,
    timeSlot,
    reason,
  });
  if (from !== today) refuseMistakes(findClosureMistakes(closureFrom(from)));
  await withSession(commandContext, async ({ services }) => {
    const closure = closureFrom(from === today ? await studioToday(services) : from);
    const live = await readBookingsToClose(services, closure);
    const decisions = await decisionsFor(commandContext, services, live, {
      choice,
      word,
      closure,
      isSure: options.yes === true,
    });
    const outcome = await addClosure(services, actorAtTerminal(), closure, {
      decisions,
      // Who was not asked means every booking.
      others: options.yes === true && choice !== 'move' && choice !== null ? choice : undefined,
      word,
    });
    if (outcome.outcome === 'refused') return refuseMistakes(outcome.mistakes);
    const { decided, met } = outcome;
    const name = `${closureText(outcome.closure)} (${shortId(outcome.closure.id)})`;
    if (outcome.outcome === 'exists' && decided.length === 0) {
      throw new StaffError('refused', `Already closed: ${name}.`);
    }
    printResult(
      commandContext,
      {
        closure: closureData(outcome.closure),
        bookings_met: met.map(bookingData(services)),
        bookings_cancelled: decided
          .filter((each) => each.decision.choice === 'cancel' && each.outcome === 'done')
          .map(({ booking }) => bookingData(services)(booking)),
        decided: decidedData(services, decided),
      },
      () => [
        `${outcome.outcome === 'exists' ? 'Already closed' : 'Closed'}: ${name}.`,
        ...decidedLines(decided),
        ...undecidedLines(services, met.filter(isUndecided)),
      ],
    );
  });
}

function closureText({ from_date, to_date, time_slot }: ClosureRow): string {
  return slotsText(from_date, to_date, time_slot);
}

function closureData({ id, from_date, to_date, time_slot, reason, created_at }: ClosureRow) {
  return { id, from: from_date, to: to_date, time_slot, reason, created_at };
}
