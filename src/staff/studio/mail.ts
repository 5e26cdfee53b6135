import { mailsPerDay } from '../../config/limits.js';
import type { MailStatus } from '../../database/rows/mails.js';
import type { MailOverview } from '../../database/rows/results.js';
import { listStudioMails } from '../../domain/studio/lists.js';
import {
  dismissMails,
  explainMail,
  mailIsOff,
  mailRecipient,
  replyOf,
  resendMail,
  type ResendRefusal,
  resendRefusals,
} from '../../domain/studio/mail-admin.js';
import { timesWords } from '../../schedule/words.js';
import { anyOf, idPrefix } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { noSuch, onlyOne, StaffError } from '../failure.js';
import { addOffCommand, addPreviewCommand, addTestCommand } from '../operator/mail-sending.js';
import type { StaffServices } from '../session.js';
import { count, facts, shortId, table } from '../text.js';

const mailStatuses: readonly MailStatus[] = ['pending', 'sent', 'failed', 'dropped'];

interface ListOptions {
  status?: MailStatus[];
  booking?: string;
  limit: number;
}

export function addMailCommands(program: StaffCommand): void {
  const mail = program
    .command('mail')
    .concerns('artist')
    .description('mails to people and to the studio');

  mail
    .command('list')
    .description('list mails, newest first')
    .option('--status <statuses>', `any of ${mailStatuses.join(', ')}`, anyOf(mailStatuses))
    .option('--booking <id>', 'of one booking: its id, or the first characters of it', idPrefix)
    .withLimit('mails', 10_000, 50)
    .explain(`
ABOUT is the id of the booking, or of the calendar that cannot be read. REPLY is the code of the
mail server's last reply, and what failed. A mail is listed until 30 days after it was sent, failed
or dropped; one with a code for a day.

Examples:
  studio mail list
  studio mail list --status failed,pending
  studio mail list --booking 0b9b64f5 --json`)
    .run(async ({ services, at, print }, { status, booking, limit }: ListOptions) => {
      const filter = { statuses: status, bookingIdPrefix: booking };
      const { rows, more } = await listStudioMails(services, filter, { limit });
      print({ mails: rows.map(mailData), more }, () => [
        ...mailTable(rows, at),
        ...(more ? ['There are more: raise --limit.'] : []),
      ]);
    });

  mail
    .command('show')
    .description('show a mail, whom it goes to, and what its status means')
    .withId()
    .explain('\nExample:\n  studio mail show 7c9e6679')
    .run(async ({ services, studio, at, print }, id: string) => {
      const found = await findMail(services, id);
      const context = {
        address: found.recipient === 'studio' ? studio.email : addressOf(found),
        at,
        now: services.clock.now(),
      };
      const isOfCalendar = found.kind === 'calendar_failure';
      const data = {
        ...mailData(found),
        address: context.address,
        booking: isOfCalendar ? null : found.booking_label,
        calendar: isOfCalendar ? found.calendar_label : null,
        explanation: explanationOf(found, context),
      };
      print(data, () => mailText(found, context));
    });

  mail
    .command('resend')
    .description('send a mail again that was sent, failed or dropped')
    .withId()
    .explain(`
The mail, also a reminder, goes at once to the address that the booking has now. A mail that
a later change of the booking made pointless is refused, as is one about a person whose data is
erased, one about a calendar that was read since, and one with a code. The limit of ${mailsPerDay} mails a day applies.

Example:
  studio mail resend 7c9e6679`)
    .run(async ({ services, mode, actor, confirm, print }, id: string) => {
      const found = await findMail(services, id);
      if (!mode.mail) throw new StaffError('refused', mailIsOff);
      await confirm(resendQuestion(found));
      const outcome = await resendMail(services, actor, found.id);
      if (outcome === 'not_found') throw noSuch('mail', id);
      if (outcome === 'mail_off') throw new StaffError('refused', mailIsOff);
      if (outcome !== 'resent') throw new StaffError('refused', refusalText(outcome));
      print({ resent: found.id, resends: found.resends + 1 }, () => [
        'Due: a running service sends it at once.',
      ]);
    });

  mail
    .command('dismiss')
    .concerns('owner')
    .description('acknowledge that a mail failed, or all that did')
    .argument('[id]', 'its id, or the first characters of its id', idPrefix)
    .option('--all', 'all mails that failed')
    .explain(`
A dismissed mail stays in the list as failed. The doctor, the console and the metrics that alerts
watch no longer count it. Sent again, it counts anew.

Examples:
  studio mail dismiss 7c9e6679
  studio mail dismiss --all`)
    .check((id: string | undefined, { all = false }: { all?: boolean }) => {
      if ((id !== undefined) === all) throw new StaffError('usage', 'Give an id, or --all.');
    })
    .run(async ({ services, actor, print }, id: string | undefined) => {
      const found = id === undefined ? null : await findMail(services, id);
      if (found !== null && found.status !== 'failed') {
        throw new StaffError('refused', `It has not failed: it is ${found.status}.`);
      }
      const dismissed = await dismissMails(services, actor, { id: found?.id });
      print({ dismissed }, () => [`Dismissed: ${count(dismissed, 'mail')}.`]);
    });

  addTestCommand(mail);
  addPreviewCommand(mail);
  addOffCommand(mail);
}

/** The address of a person or an artist. Null if it is not known: one before a correction is not kept. */
function addressOf(mail: MailOverview): string | null {
  if (mail.kind === 'calendar_failure') return null;
  if (mail.artist_id !== null) return mail.artist_email;
  return mail.has_former_email ? null : mail.booking_email;
}

function resendQuestion(mail: MailOverview): string {
  if (mail.kind === 'calendar_failure') {
    return `Send the mail about the calendar ${mail.calendar_label} to the studio again?`;
  }
  return `Send the ${mail.kind} for ${mail.booking_label} to ${mailRecipient(mail)} again?`;
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

/** A mail without its address, for `--json`. */
function mailData(mail: MailOverview): Record<string, unknown> {
  return {
    id: mail.id,
    kind: mail.kind,
    recipient: mail.recipient,
    booking_id: mail.booking_id,
    calendar_id: mail.calendar_id,
    status: mail.status,
    reason: mail.reason,
    created_at: mail.created_at,
    attempts: mail.attempts,
    resends: mail.resends,
    last_attempt_at: mail.last_attempt_at,
    last_reply_code: mail.last_reply_code,
    last_error: mail.last_error,
    next_attempt_at: mail.next_attempt_at,
    ended_at: mail.ended_at,
    dismissed_at: mail.dismissed_at,
  };
}

function mailTable(mails: readonly MailOverview[], at: Run['at']): string[] {
  return table(
    ['ID', 'CREATED', 'KIND', 'TO', 'ABOUT', 'STATUS', 'ATTEMPTS', 'REPLY', 'NEXT'],
    mails.map((mail) => [
      shortId(mail.id),
      at(mail.created_at),
      mail.kind,
      toWords(mail),
      shortId(mail.kind === 'calendar_failure' ? mail.calendar_id : mail.booking_id),
      statusWords(mail),
      String(mail.attempts),
      replyOf(mail),
      at(mail.next_attempt_at),
    ]),
    'No mails.',
  );
}

interface MailContext extends Pick<Run, 'at'> {
  /** Null if it is erased, was never given, or has been corrected since. */
  address: string | null;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The facts of one mail, one per line, and what its status means. */
function mailText(mail: MailOverview, context: MailContext): string[] {
  const { at } = context;
  return [
    ...facts([
      ['Id', mail.id],
      ['Kind', mail.kind],
      ['To', `${toWords(mail)}, ${context.address ?? missingAddress(mail)}`],
      mail.kind === 'calendar_failure'
        ? ['Calendar', `${mail.calendar_label} (${shortId(mail.calendar_id)})`]
        : ['Booking', `${mail.booking_label} (${shortId(mail.booking_id)})`],
      ['Status', statusWords(mail)],
      ['Created', at(mail.created_at)],
      [
        'Attempts',
        mail.attempts === 0 ? null : `${mail.attempts}, last ${at(mail.last_attempt_at)}`,
      ],
      ['Reply', replyOf(mail)],
      ['Sent again', mail.resends === 0 ? null : `${timesWords(mail.resends)} by the studio`],
      ['Next', at(mail.next_attempt_at)],
      ['Ended', at(mail.ended_at)],
    ]),
    '',
    explanationOf(mail, context),
  ];
}

function statusWords({ status, reason, dismissed_at: dismissedAt }: MailOverview): string {
  const more = dismissedAt === null ? reason : 'dismissed';
  return more === null ? status : `${status} (${more})`;
}

function toWords({ recipient }: MailOverview): string {
  return recipient.replace('_', ' ');
}

function missingAddress(mail: MailOverview): string {
  const isFormer = mail.recipient === 'person' && mail.has_former_email;
  return isFormer ? 'a former address' : 'no address';
}

/** What the status of a mail means, and the command that sends it again. */
function explanationOf(mail: MailOverview, { at, now }: MailContext): string {
  return explainMail(mail, {
    now,
    at,
    sendAgain: `then: studio mail resend ${shortId(mail.id)}`,
  });
}
