import type { LinkEffects } from '../../database/rows/results.js';
import { switchToLink } from '../../domain/studio/mode.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { databaseName } from '../session.js';

export function addConfirmationCommands(program: StaffCommand): void {
  program
    .command('confirmation')
    .concerns('owner')
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
      const attempt = async (dryRun: boolean) => {
        const switched = await switchToLink(services, actor, { dryRun });
        if (switched.outcome === 'done') return switched.effects;
        throw new StaffError('refused', 'The link alone confirms already.');
      };
      const expected = effectsText(await attempt(true)).join(' ');
      await confirm(`${expected} Switch ${databaseName(config)} to the link alone?`);
      const effects = await attempt(false);
      const { holds, codes } = effects;
      print({ confirmation: 'link', holds_by_link: holds, codes_dropped: codes }, () => [
        ...effectsText(effects),
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
