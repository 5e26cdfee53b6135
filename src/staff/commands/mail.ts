import type { Command } from 'commander';
import type { MailStatus } from '../../database/mail-tables.js';
import { resendMail, type ResendOutcome } from '../../domain/mail-admin.js';
import { mailsPerDay } from '../../platform/fixed-limits.js';
import { listMails, type MailOverview } from '../../repositories/mail-admin.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { anyOf, idPrefix, wholeNumber } from '../arguments.js';
import {
  actorAtTerminal,
  confirm,
  printResult,
  withSession,
  type CommandContext,
} from '../command-context.js';
import { StaffError } from '../failure.js';
import {
  explainMail,
  mailData,
  mailIsOff,
  mailStatuses,
  mailTable,
  mailText,
} from '../mail-text.js';
import { addPreviewCommand } from './mail/preview.js';
import { addTestCommand } from './mail/send-test.js';
import { onlyOne } from '../only-one.js';
import { wakeMailSender } from '../queues.js';
import type { StaffServices } from '../session.js';

const idArgument = ['<id>', 'its id, or the first characters of its id', idPrefix] as const;

interface ListOptions {
  status?: MailStatus[];
  booking?: string;
  limit: number;
}

export function addMailCommands(program: Command, commandContext: CommandContext): void {
  const mail = program.command('mail').description('mails to people and to the studio');

  mail
    .command('list')
    .description('list mails, newest first')
    .option('--status <statuses>', `any of ${mailStatuses.join(', ')}`, anyOf(mailStatuses))
    .option('--booking <id>', 'of one booking: its id, or the first characters of it', idPrefix)
    .option('--limit <n>', 'show at most n mails', wholeNumber(1, 10_000), 50)
    .addHelpText(
      'after',
      `
REPLY is the code of the mail server's last reply, and what failed. A mail is listed until 30 days
after it was sent, failed or dropped; one with a code for a day.

Examples:
  studio mail list
  studio mail list --status failed,pending
  studio mail list --booking 0b9b64f5 --json`,
    )
    .action(({ status, booking, limit }: ListOptions) =>
      withSession(commandContext, async ({ services }) => {
        const filter = { statuses: status, bookingIdPrefix: booking };
        const found = await listMails(services.database, filter, limit + 1);
        const mails = found.slice(0, limit);
        const more = found.length > limit;
        const { timezone } = await readStudio(services.database);
        printResult(commandContext, { mails: mails.map(mailData), more }, () => {
          if (mails.length === 0) return ['No mails.'];
          const shown = mailTable(mails, timezone);
          return more ? [...shown, 'There are more: raise --limit.'] : shown;
        });
      }),
    );

  mail
    .command('show')
    .description('show a mail, whom it goes to, and what its status means')
    .argument(...idArgument)
    .addHelpText('after', '\nExample:\n  studio mail show 7c9e6679')
    .action((id: string) =>
      withSession(commandContext, async ({ services }) => {
        const found = await findMail(services, id);
        const studio = await readStudio(services.database);
        const context = {
          address: found.recipient === 'studio' ? studio.email : found.booking_email,
          timezone: studio.timezone,
          now: services.clock.now(),
        };
        printResult(
          commandContext,
          {
            ...mailData(found),
            address: context.address,
            booking: found.booking_label,
            explanation: explainMail(found, context),
          },
          () => mailText(found, context),
        );
      }),
    );

  mail
    .command('resend')
    .description('send a mail again that was sent, failed or dropped')
    .argument(...idArgument)
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
The mail, also a reminder, goes at once to the address that the booking has now. A mail that
a later change of the booking made pointless is refused, as is one about a person whose data is
erased, and one with a code. The limit of ${mailsPerDay} mails a day applies.

Example:
  studio mail resend 7c9e6679`,
    )
    .action((id: string, { yes }: { yes?: true }) => resend(commandContext, id, yes === true));

  addTestCommand(mail, commandContext);
  addPreviewCommand(mail, commandContext);
}

async function resend(commandContext: CommandContext, id: string, yes: boolean): Promise<void> {
  await withSession(commandContext, async (session) => {
    const { config, services } = session;
    const found = await findMail(services, id);
    if (config.mail === null) throw new StaffError('refused', mailIsOff);
    const to = found.recipient === 'studio' ? 'the studio' : (found.booking_name ?? '(erased)');
    const question = `Send the ${found.kind} for ${found.booking_label} to ${to} again?`;
    await confirm(commandContext, question, yes);
    const outcome = await resendMail(services, actorAtTerminal(), found.id);
    if (outcome !== 'resent') throw refusal(outcome, found);
    const isAwake = await wakeMailSender(session);
    printResult(commandContext, { resent: found.id, resends: found.resends + 1 }, () => [
      isAwake
        ? 'Queued: the service sends it at once.'
        : 'Due, but the queues do not answer: the service sends it within half a minute.',
    ]);
  });
}

function refusal(outcome: Exclude<ResendOutcome, 'resent'>, { id }: MailOverview): StaffError {
  switch (outcome) {
    case 'not_found':
      return new StaffError('notFound', `No mail has the id ${id}.`);
    case 'code':
      return new StaffError(
        'refused',
        'A code goes only to the person who asks for it, on the page of the booking.',
      );
    case 'pending':
      return new StaffError('refused', 'It is still to be sent: "studio mail show" says when.');
    case 'superseded':
      return new StaffError(
        'refused',
        'A later change of the booking made it pointless. "studio mail list --booking" shows newer ones.',
      );
    case 'forgotten':
      return new StaffError('refused', 'The personal data of its booking is erased.');
    case 'no_address':
      return new StaffError('refused', 'The person gave no e-mail address.');
  }
}

async function findMail(services: StaffServices, id: string): Promise<MailOverview> {
  return onlyOne(await listMails(services.database, { idPrefix: id }, 2), 'mail', id);
}
