import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { mailIsOff } from '../../../domain/mail-admin.js';
import { createMailSender } from '../../../mail/sender.js';
import { readStudio } from '../../../repositories/studio-settings.js';
import { personArguments } from '../../arguments.js';
import { printResult, withSession, type CommandContext } from '../../command-context.js';
import { StaffError } from '../../failure.js';
import { mailFailureText } from '../../mail-check.js';

export function addTestCommand(mail: Command, commandContext: CommandContext): void {
  mail
    .command('test')
    .description('send a test mail at once, and print what the mail server replies')
    .argument('<address>', 'the recipient, such as your own address', personArguments().email)
    .addHelpText(
      'after',
      `
This command sends the mail itself, and does not list it. If the mail does not arrive, or arrives as
spam, check the SPF, DKIM and DMARC records of the sender's domain.

Example:
  studio mail test ada@example.com`,
    )
    .action((address: string) => sendTestMail(commandContext, address));
}

async function sendTestMail(commandContext: CommandContext, address: string): Promise<void> {
  await withSession(commandContext, async ({ config, services }) => {
    if (config.mail === null) throw new StaffError('refused', mailIsOff);
    const { smtp, from } = config.mail;
    const studio = await readStudio(services.database);
    const sender = createMailSender(smtp);
    const interrupt = () => sender.close();
    commandContext.interrupted.addEventListener('abort', interrupt);
    try {
      const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
      const result = await sender.send({
        messageId: `<${randomUUID()}@${domain}>`,
        from,
        to: { name: '', address },
        replyTo: { name: studio.name, address: studio.email },
        subject: `Test mail from ${studio.name}`,
        html: `<p>${testText}</p>`,
        text: `${testText}\n`,
        calendar: null,
        date: new Date(services.clock.now()),
      });
      const { outcome, replyCode } = result;
      if (outcome !== 'sent') throw new StaffError('failed', mailFailureText(result));
      printResult(commandContext, { sent: true, reply_code: replyCode }, () => [
        `The mail server accepted it (${replyCode}). Check that it arrives, and not as spam.`,
      ]);
    } finally {
      commandContext.interrupted.removeEventListener('abort', interrupt);
      sender.close();
    }
  });
}

const testText =
  'This is a test: the booking service can send mail. Replies go to the studio’s contact address.';
