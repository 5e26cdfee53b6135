import type { Command } from 'commander';
import { readClosures, removeClosure } from '../../domain/closures.js';
import { idPrefix } from '../arguments.js';
import { closureData, closureText } from '../closed-days.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../command-context.js';
import { onlyOne, StaffError } from '../failure.js';
import { shortId, table } from '../text.js';
import { addAddCommand } from './closures/add.js';
import { addDecideCommand } from './closures/decide.js';

export function addClosureCommands(program: Command, commandContext: CommandContext): void {
  const closures = program
    .command('closures')
    .description('dates or single sessions that cannot be booked');

  addAddCommand(closures, commandContext);
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
