import type { Command } from 'commander';
import { switchToLink } from '../../domain/mode.js';
import { readLinkEffects, type LinkEffects } from '../../repositories/codes.js';
import { readMode } from '../../repositories/installation.js';
import {
  actorAtTerminal,
  confirm,
  printResult,
  withSession,
  type CommandContext,
} from '../command-context.js';
import { StaffError } from '../failure.js';
import { databaseName } from '../session.js';

const isLinkAlready = 'The link alone confirms already.';

export function addConfirmationCommands(program: Command, commandContext: CommandContext): void {
  program
    .command('confirmation')
    .description('what confirming takes')
    .command('link')
    .description('switch all processes to confirmation by the link alone')
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
Codes that were mailed for holds are no longer required. While mail is on, moving and cancelling a
confirmed session takes a code all the same. A process that starts with CONFIRMATION=code
requires codes again: remove it from the settings.

Example:
  studio confirmation link`,
    )
    .action(({ yes }: { yes?: true }) => requireLinkOnly(commandContext, yes === true));
}

async function requireLinkOnly(commandContext: CommandContext, yes: boolean): Promise<void> {
  await withSession(commandContext, async ({ config, services }) => {
    const { confirmation } = await readMode(services.database);
    if (confirmation === 'link') throw new StaffError('refused', isLinkAlready);
    const effects = effectsText(await readLinkEffects(services.database));
    await confirm(
      commandContext,
      `${effects.join(' ')} Switch ${databaseName(config)} to the link alone?`,
      yes,
    );
    const switched = await switchToLink(services, actorAtTerminal());
    if (switched.outcome !== 'done') throw new StaffError('refused', isLinkAlready);
    const { holds, codes } = switched.effects;
    printResult(
      commandContext,
      { confirmation: 'link', holds_by_link: holds, codes_dropped: codes },
      () => [
        ...effectsText(switched.effects),
        'The link alone confirms. Remove CONFIRMATION=code from the settings of every process: a start with it requires codes again.',
      ],
    );
  });
}

function effectsText({ holds, codes }: LinkEffects): string[] {
  return [
    `Holds that the link alone can then confirm: ${holds}.`,
    `Codes for them that are no longer required: ${codes}.`,
  ];
}
