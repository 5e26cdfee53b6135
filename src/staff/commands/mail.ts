import type { Command } from 'commander';
import { mailsPerDay } from '../../config/limits.js';
import type { MailStatus } from '../../database/mail-tables.js';
import {
  resendMail,
  type ResendRefusal,
  mailIsOff,
  resendRefusals,
} from '../../domain/mail-admin.js';
import { listStudioMails } from '../../domain/studio-lists.js';
import { readMode } from '../../repositories/installation.js';
import type { MailOverview } from '../../repositories/mail-admin.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { anyOf, idPrefix, wholeNumber } from '../arguments.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../command-context.js';
import { onlyOne, StaffError } from '../failure.js';
import { explanationOf, mailData, mailStatuses, mailTable, mailText } from '../mail-text.js';
import type { StaffServices } from '../session.js';
import { addOffCommand } from './mail/off.js';
import { addPreviewCommand } from './mail/preview.js';
import { addTestCommand } from './mail/send-test.js';

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
ABOUT is the id of the booking, or of the calendar that cannot be read. REPLY is the code of the
mail server's last reply, and what failed. A mail is listed until 30 days after it was sent, failed
or dropped; one with a code for a day.

Examples:
  studio mail list
  studio mail list --status failed,pending
  studio mail list --booking 0b9b64f5 --json`,
    )
    .action(({ status, booking, limit }: ListOptions) =>
      withSession(commandContext, async ({ services }) => {
        const filter = { statuses: status, bookingIdPrefix: booking };
        const { rows: mails, more } = await listStudioMails(services, filter, { limit });
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
          address: found.recipient === 'studio' ? studio.email : personAddress(found),
          timezone: studio.timezone,
          now: services.clock.now(),
        };
        printResult(
          commandContext,
          {
            ...mailData(found),
            address: context.address,
            booking: found.kind === 'calendar_failure' ? null : found.booking_label,
            calendar: found.kind === 'calendar_failure' ? found.calendar_label : null,
            explanation: explanationOf(found, context),
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
erased, one about a calendar that was read since, and one with a code. The limit of ${mailsPerDay} mails a day applies.

Example:
  studio mail resend 7c9e6679`,
    )
    .action((id: string, { yes }: { yes?: true }) => resend(commandContext, id, yes === true));

  addTestCommand(mail, commandContext);
  addPreviewCommand(mail, commandContext);
  addOffCommand(mail, commandContext);
}

/** Null if it is not known: that before a correction is not kept. */
function personAddress(mail: MailOverview): string | null {
  if (mail.kind === 'calendar_failure' || mail.has_former_email) return null;
  return mail.booking_email;
}

async function resend(commandContext: CommandContext, id: string, yes: boolean): Promise<void> {
  await withSession(commandContext, async ({ services }) => {
    const found = await findMail(services, id);
    if (!(await readMode(services.database)).mail) throw new StaffError('refused', mailIsOff);
    await confirm(commandContext, resendQuestion(found), yes);
    const outcome = await resendMail(services, actorAtTerminal(), found.id);
    if (outcome === 'not_found') throw new StaffError('notFound', `No mail has the id ${id}.`);
    if (outcome === 'mail_off') throw new StaffError('refused', mailIsOff);
    if (outcome !== 'resent') throw new StaffError('refused', refusalText(outcome));
    printResult(commandContext, { resent: found.id, resends: found.resends + 1 }, () => [
      'Due: a running service sends it at once.',
    ]);
  });
}

function resendQuestion(mail: MailOverview): string {
  if (mail.kind === 'calendar_failure') {
    return `Send the mail about the calendar ${mail.calendar_label} to the studio again?`;
  }
  const to = mail.recipient === 'studio' ? 'the studio' : (mail.booking_name ?? '(erased)');
  return `Send the ${mail.kind} for ${mail.booking_label} to ${to} again?`;
}

function refusalText(refusal: ResendRefusal): string {
  const sentence = resendRefusals[refusal];
  if (refusal === 'pending') return `${sentence} "studio mail show" says when.`;
  if (refusal === 'superseded') return `${sentence} "studio mail list --booking" shows newer ones.`;
  return sentence;
}

async function findMail(services: StaffServices, id: string): Promise<MailOverview> {
  const { rows } = await listStudioMails(services, { idPrefix: id }, { limit: 2 });
  return onlyOne(rows, 'mail', id);
}
