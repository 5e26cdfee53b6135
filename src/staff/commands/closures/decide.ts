import type { Command } from 'commander';
import { decide, readOpenQuestions } from '../../../domain/closed-days.js';
import { idPrefix } from '../../arguments.js';
import { bookingData, bookingTable } from '../../booking-text.js';
import {
  addDecisionOptions,
  choiceForAll,
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
import { onlyOne } from '../../failure.js';

export function addDecideCommand(closures: Command, commandContext: CommandContext): void {
  const command = closures
    .command('decide')
    .description('list the sessions on closed days, and decide what becomes of them')
    .argument('[id]', 'only this booking: its id, or the first characters of it', idPrefix);
  addDecisionOptions(command)
    .addHelpText(
      'after',
      `
Without an option, a terminal asks for each, and elsewhere they are only listed. A session whose
person is asked to choose another time is listed until the person moves it or you decide otherwise.

Examples:
  studio closures decide
  studio closures decide 0b9b64f5 --keep-bookings
  studio closures decide --cancel-bookings --word "I am ill, and sorry." --yes`,
    )
    .action((id: string | undefined, options: DecisionOptions) =>
      withSession(commandContext, async ({ services }) => {
        const { undecided, asked } = await readOpenQuestions(services);
        const open =
          id === undefined
            ? undecided
            : [
                onlyOne(
                  [...undecided, ...asked].filter((booking) => booking.id.startsWith(id)),
                  'session on a closed day',
                  id,
                ),
              ];
        const word = options.word ?? null;
        const decisions = await decisionsFor(commandContext, services, open, {
          choice: choiceForAll(options),
          word,
          isSure: options.yes === true,
        });
        const decided =
          decisions.length === 0 ? [] : await decide(services, actorAtTerminal(), decisions, word);
        const left = await readOpenQuestions(services);
        printResult(
          commandContext,
          {
            decided: decidedData(services, decided),
            undecided: left.undecided.map(bookingData(services)),
            asked: left.asked.map(bookingData(services)),
          },
          () => [
            ...decidedLines(decided),
            ...(left.undecided.length === 0
              ? ['No session on a closed day is undecided.']
              : undecidedLines(services, left.undecided)),
            ...(left.asked.length === 0
              ? []
              : ['Asked to choose another time:', ...bookingTable(services, left.asked)]),
          ],
        );
      }),
    );
}
