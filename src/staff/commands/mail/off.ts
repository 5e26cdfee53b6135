import type { Command } from 'commander';
import { mailOffRefusal, switchMailOff, type MailOffRefusal } from '../../../domain/mode.js';
import { readMode } from '../../../repositories/installation.js';
import { readMailOffEffects, type MailOffEffects } from '../../../repositories/mail-dispatch.js';
import {
  actorAtTerminal,
  confirm,
  printResult,
  withSession,
  type CommandContext,
} from '../../command-context.js';
import { StaffError } from '../../failure.js';
import { databaseName } from '../../session.js';

const refusals: Record<MailOffRefusal, string> = {
  off: 'Mail is off already.',
  code: 'Confirming takes a code, which needs mail: run "studio confirmation link" first.',
};

export function addOffCommand(mail: Command, commandContext: CommandContext): void {
  mail
    .command('off')
    .description('switch mail off in all processes')
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
Mails that are not sent yet are dropped; reminders that are still ahead are kept, and sent if mail is
on again by then. What happens meanwhile is never mailed. A running process sends nothing from then
on. One that starts with SMTP_URL and MAIL_FROM switches mail on again: remove both from the settings.

Example:
  studio mail off`,
    )
    .action(({ yes }: { yes?: true }) => switchOff(commandContext, yes === true));
}

async function switchOff(commandContext: CommandContext, yes: boolean): Promise<void> {
  await withSession(commandContext, async ({ config, services }) => {
    const refusal = mailOffRefusal(await readMode(services.database));
    if (refusal !== null) throw new StaffError('refused', refusals[refusal]);
    const effects = effectsText(await readMailOffEffects(services.database));
    await confirm(
      commandContext,
      `${effects.join(' ')} Switch mail off in ${databaseName(config)}?`,
      yes,
    );
    const switched = await switchMailOff(services, actorAtTerminal());
    if (switched.outcome !== 'done') throw new StaffError('refused', refusals[switched.outcome]);
    const { unsent, unmade, remindersAhead, confirmedAhead } = switched.effects;
    printResult(
      commandContext,
      {
        mail: 'off',
        dropped: unsent,
        changes_not_mailed: unmade,
        reminders_kept: remindersAhead,
        sessions_without_code: confirmedAhead,
      },
      () => [
        ...effectsText(switched.effects),
        'Mail is off. Remove SMTP_URL and MAIL_FROM from the settings of every process: a start with them switches it on.',
      ],
    );
  });
}

function effectsText(effects: MailOffEffects): string[] {
  return [
    `Mails not sent yet, which are dropped: ${effects.unsent}.`,
    `Changes whose mails are not made yet, and never will be: ${effects.unmade}.`,
    `Reminders still ahead, which are kept: ${effects.remindersAhead}.`,
    `Confirmed sessions that the link alone can then move and cancel: ${effects.confirmedAhead}.`,
  ];
}
