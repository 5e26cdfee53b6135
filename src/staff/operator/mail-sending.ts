import { randomUUID } from 'node:crypto';
import { mailIsOff } from '../../domain/studio/mail-admin.js';
import {
  type MailOffEffects,
  type MailOffRefusal,
  switchMailOff,
} from '../../domain/studio/mode.js';
import { readStudioDetails } from '../../domain/studio/settings.js';
import { writePreviews } from '../../mail/examples.js';
import { createMailSender } from '../../mail/sender.js';
import { loadCalendar } from '../../repositories/studio.js';
import { daysFor } from '../../schedule/weeks.js';
import { personArguments } from '../arguments.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { databaseName } from '../session.js';
import { count } from '../text.js';
import { mailFailureText } from './mail-check.js';

const testText =
  'This is a test: the booking service can send mail. Replies go to the studio’s contact address.';

export function addTestCommand(mail: StaffCommand): void {
  mail
    .command('test')
    .concerns('owner')
    .description('send a test mail at once, and print what the mail server replies')
    .argument('<address>', 'the recipient, such as your own address', personArguments().email)
    .explain(`
This command sends the mail itself, and does not list it. If the mail does not arrive, or arrives as
spam, check the SPF, DKIM and DMARC records of the sender's domain.

Example:
  studio mail test ada@example.com`)
    .run(async ({ config, services, studio, context, print }, address: string) => {
      if (config.mail === null) throw new StaffError('refused', mailIsOff);
      const { smtp, from } = config.mail;
      const sender = createMailSender(smtp);
      const interrupt = () => sender.close();
      context.interrupted.addEventListener('abort', interrupt);
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
        print({ sent: true, reply_code: replyCode }, () => [
          `The mail server accepted it (${replyCode}). Check that it arrives, and not as spam.`,
        ]);
      } finally {
        context.interrupted.removeEventListener('abort', interrupt);
        sender.close();
      }
    });
}

/** The sender in previews while mail is off. */
const senderWhileOff = { name: '', address: 'booking@studio.example' };

export function addPreviewCommand(mail: StaffCommand): void {
  mail
    .command('preview')
    .concerns('owner')
    .description('write an example of every mail as files')
    .argument('<folder>', 'the folder; files of the same names are replaced')
    .explain(`
Sends nothing, and works while mail is off. Writes each mail as HTML and as plain text, and its
invitation, if it has one, as a calendar file. The person in them is invented.

Example:
  studio mail preview ./mails`)
    .run(async ({ config, services, print }, folder: string) => {
      const { weekDays } = await loadCalendar(services.database);
      const { studio } = await readStudioDetails(services);
      const files = await writePreviews(folder, {
        studio,
        openingHours: daysFor(weekDays, null),
        from: config.mail?.from ?? { ...senderWhileOff, name: studio.name },
        publicBaseUrl: config.publicBaseUrl,
      }).catch((error: unknown) => {
        const { code, syscall } = error as NodeJS.ErrnoException;
        if (syscall === undefined) throw error;
        throw new StaffError('failed', `${folder} cannot be used (${code}).`);
      });
      print({ files }, () => [`Written to ${folder}: ${count(files.length, 'file')}.`]);
    });
}

const refusals: Record<MailOffRefusal, string> = {
  off: 'Mail is off already.',
  code: 'Confirming takes a code, which needs mail: run "studio confirmation link" first.',
};

export function addOffCommand(mail: StaffCommand): void {
  mail
    .command('off')
    .concerns('owner')
    .description('switch mail off in all processes')
    .explain(`
Mails that are not sent yet are dropped; reminders that are still ahead are kept, and sent if mail is
on again by then. What happens meanwhile is never mailed. A running process sends nothing from then
on. One that starts with SMTP_URL and MAIL_FROM switches mail on again: remove both from the settings.

Example:
  studio mail off`)
    .run(async ({ config, services, actor, confirm, print }) => {
      const attempt = async (dryRun: boolean) => {
        const switched = await switchMailOff(services, actor, { dryRun });
        if (switched.outcome === 'done') return switched.effects;
        throw new StaffError('refused', refusals[switched.outcome]);
      };
      const expected = effectsText(await attempt(true)).join(' ');
      await confirm(`${expected} Switch mail off in ${databaseName(config)}?`);
      const effects = await attempt(false);
      const { unsent, unmade, remindersAhead, confirmedAhead } = effects;
      print(
        {
          mail: 'off',
          dropped: unsent,
          changes_not_mailed: unmade,
          reminders_kept: remindersAhead,
          sessions_without_code: confirmedAhead,
        },
        () => [
          ...effectsText(effects),
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
