import type { Command } from 'commander';
import { readStudioDetails } from '../../../domain/studio-settings.js';
import { writePreviews } from '../../../mail/examples.js';
import { loadCalendar } from '../../../repositories/studio.js';
import { printResult, withSession, type CommandContext } from '../../command-context.js';
import { StaffError } from '../../failure.js';
import { count } from '../../text.js';

/** The sender in previews while mail is off. */
const senderWhileOff = { name: '', address: 'booking@studio.example' };

export function addPreviewCommand(mail: Command, commandContext: CommandContext): void {
  mail
    .command('preview')
    .description('write an example of every mail as files')
    .argument('<folder>', 'the folder; files of the same names are replaced')
    .addHelpText(
      'after',
      `
Sends nothing, and works while mail is off. Writes each mail as HTML and as plain text, and its
invitation, if it has one, as a calendar file. The person in them is invented.

Example:
  studio mail preview ./mails`,
    )
    .action((folder: string) =>
      withSession(commandContext, async ({ config, services }) => {
        const { openingHours } = await loadCalendar(services.database);
        const { studio } = await readStudioDetails(services);
        const files = await writePreviews(folder, {
          studio,
          openingHours,
          from: config.mail?.from ?? { ...senderWhileOff, name: studio.name },
          publicBaseUrl: config.publicBaseUrl,
        }).catch((error: unknown) => {
          const { code, syscall } = error as NodeJS.ErrnoException;
          if (syscall === undefined) throw error;
          throw new StaffError('failed', `${folder} cannot be used (${code}).`);
        });
        printResult(commandContext, { files }, () => [
          `Written to ${folder}: ${count(files.length, 'file')}.`,
        ]);
      }),
    );
}
