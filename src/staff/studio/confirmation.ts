import type { LinkEffects } from '../../database/rows/results.js';
import { switchToLink } from '../../domain/studio/mode.js';
import { readLinkEffects } from '../../repositories/codes.js';
import { readMode } from '../../repositories/installation.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { databaseName } from '../session.js';

export function addConfirmationCommands(program: StaffCommand): void {
  program
    .command('confirmation')
    .description('what confirming takes')
    .command('link')
    .description('switch all processes to confirmation by the link alone')
    .explain(`
Codes that were mailed for holds are no longer required. While mail is on, moving and cancelling a
confirmed session takes a code all the same. A process that starts with CONFIRMATION=code
requires codes again: remove it from the settings.

Example:
  studio confirmation link`)
    .run(async ({ config, services, actor, confirm, print }) => {
      const isLinkAlready = new StaffError('refused', 'The link alone confirms already.');
      const { confirmation } = await readMode(services.database);
      if (confirmation === 'link') throw isLinkAlready;
      const effects = effectsText(await readLinkEffects(services.database));
      await confirm(`${effects.join(' ')} Switch ${databaseName(config)} to the link alone?`);
      const switched = await switchToLink(services, actor);
      if (switched.outcome !== 'done') throw isLinkAlready;
      const { holds, codes } = switched.effects;
      print({ confirmation: 'link', holds_by_link: holds, codes_dropped: codes }, () => [
        ...effectsText(switched.effects),
        'The link alone confirms. Remove CONFIRMATION=code from the settings of every process: a start with it requires codes again.',
      ]);
    });
}

function effectsText({ holds, codes }: LinkEffects): string[] {
  return [
    `Holds that the link alone can then confirm: ${holds}.`,
    `Codes for them that are no longer required: ${codes}.`,
  ];
}
