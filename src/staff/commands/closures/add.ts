import type { Command } from 'commander';
import type { TimeSlot } from '../../../../generated/schemas.js';
import {
  addClosure,
  type ClosureMistakes,
  findClosureMistakes,
  isUndecided,
  maxClosureReasonLength,
  readBookingsToClose,
} from '../../../domain/closures.js';
import { studioToday } from '../../../domain/studio-settings.js';
import type { NewClosure } from '../../../repositories/closures.js';
import { date, text, timeSlot } from '../../arguments.js';
import { bookingData } from '../../booking-text.js';
import {
  addDecisionOptions,
  choiceForAll,
  closureData,
  closureText,
  decidedData,
  decidedLines,
  type DecisionOptions,
  decisionsFor,
  undecidedLines,
} from '../../closed-days.js';
import {
  actorAtTerminal,
  type CommandContext,
  printResult,
  withSession,
} from '../../command-context.js';
import { StaffError } from '../../failure.js';
import { shortId } from '../../text.js';

interface AddOptions extends DecisionOptions {
  slot?: TimeSlot;
  reason?: string;
}

const today = 'today';

export function addAddCommand(closures: Command, commandContext: CommandContext): void {
  const command = closures
    .command('add')
    .description('close a date or a range of dates, or one session on each of them')
    .argument('<from>', 'the first date, such as 2026-12-24, or today', dateOrToday)
    .argument('[to]', 'the last date, if it is a range', date)
    .option('--slot <session>', 'only this session, such as "1:00 PM"', timeSlot)
    .option(
      '--reason <text>',
      'the reason, which only the studio can read',
      text(maxClosureReasonLength),
    );
  addDecisionOptions(command)
    .addHelpText(
      'after',
      `
What becomes of bookings on closed dates: an option says it for all; without one, a terminal asks for
each. Where there is none to ask on they stay, undecided: nobody is reminded of them, and you get a
mail. The words of --word are in every mail to a person, those of --reason in none.

Examples:
  studio closures add 2026-12-24 --reason "Holiday"
  studio closures add 2026-12-24 2027-01-01 --reason "Away"
  studio closures add 2026-12-05 --slot "1:00 PM"
  studio closures add today --ask-bookings --word "I am ill; please choose another time." --yes
  studio closures add 2026-12-05 --cancel-bookings --yes`,
    )
    .action((from: string, to: string | undefined, options: AddOptions) =>
      closeSlots(commandContext, { from, to }, options),
    );
}

function dateOrToday(given: string): string {
  return given === today ? given : date(given);
}

async function closeSlots(
  commandContext: CommandContext,
  { from, to }: { from: string; to: string | undefined },
  options: AddOptions,
): Promise<void> {
  const choice = choiceForAll(options);
  const { slot, reason = '', word = null } = options;
  const closureFrom = (fromDate: string): NewClosure => {
    const closure = { fromDate, toDate: to ?? fromDate, timeSlot: slot ?? null, reason };
    refuseMistakes(findClosureMistakes(closure));
    return closure;
  };
  const known = from === today ? null : closureFrom(from);
  await withSession(commandContext, async ({ services }) => {
    const closure = known ?? closureFrom(await studioToday(services));
    const live = await readBookingsToClose(services, closure);
    const decisions = await decisionsFor(commandContext, services, live, options, closure);
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

function refuseMistakes(mistakes: ClosureMistakes): void {
  const [first] = Object.values(mistakes);
  if (first !== undefined) throw new StaffError('usage', first);
}
