import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { createMailSender } from '../../../mail/sender.js';
import { readStudio } from '../../../repositories/studio-settings.js';
import { printResult, withSession, type CommandContext } from '../../command-context.js';
import { StaffError } from '../../failure.js';
import { mailFailureText } from '../../mail-advice.js';
import { mailIsOff } from '../../mail-text.js';
import { personArguments } from '../../person-arguments.js';

export function addTestCommand(mail: Command, commandContext: CommandContext): void {
  mail
    .command('test')
    .description('send a test mail at once, and print what the mail server replies')
    .argument('<address>', 'the address it goes to, such as your own', personArguments().email)
    .addHelpText(
      'after',
      `
It is sent by this command, not by the service, and is not listed. That it arrives, and not among
the spam, shows that SPF and DKIM of the sender's domain are right.

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
        subject: `A test mail of ${studio.name}`,
        html: `<p>${said}</p>`,
        text: `${said}\n`,
        calendar: null,
        date: new Date(services.clock.now()),
      });
      const { outcome, replyCode } = result;
      if (outcome !== 'sent') throw new StaffError('failed', mailFailureText(result));
      printResult(commandContext, { sent: true, reply_code: replyCode }, () => [
        `The mail server has taken it (${replyCode}). Now see whether it arrives, and where.`,
      ]);
    } finally {
      commandContext.interrupted.removeEventListener('abort', interrupt);
      sender.close();
    }
  });
}

const said =
  'This is a test: the booking service can send mail. An answer goes to the studio’s contact address.';
