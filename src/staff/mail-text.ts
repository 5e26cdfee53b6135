import { timesWords } from '../calendar/words.js';
import type { MailDropReason, MailKind, MailStatus } from '../database/mail-tables.js';
import type { MailOverview } from '../repositories/mail-admin.js';
import { mailsPerDay } from '../platform/fixed-limits.js';
import { facts, localTime, shortId, table } from './text.js';

export const mailIsOff =
  'Mail is off: set SMTP_URL, such as smtps://user:password@mail.example.com, and MAIL_FROM, such as "Night Heron <booking@example.com>".';

export const mailStatuses: readonly MailStatus[] = ['pending', 'sent', 'failed', 'dropped'];

/** A mail without its address, for `--json`. */
export function mailData(mail: MailOverview): Record<string, unknown> {
  return {
    id: mail.id,
    kind: mail.kind,
    recipient: mail.recipient,
    booking_id: mail.booking_id,
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
  };
}

export function mailTable(mails: readonly MailOverview[], timezone: string): string[] {
  return table(
    ['ID', 'CREATED', 'KIND', 'TO', 'BOOKING', 'STATUS', 'ATTEMPTS', 'REPLY', 'NEXT'],
    mails.map((mail) => [
      shortId(mail.id),
      localTime(mail.created_at, timezone),
      mail.kind,
      mail.recipient,
      shortId(mail.booking_id),
      mail.reason === null ? mail.status : `${mail.status} (${mail.reason})`,
      String(mail.attempts),
      replyOf(mail),
      mail.next_attempt_at === null ? '' : localTime(mail.next_attempt_at, timezone),
    ]),
  );
}

export interface MailContext {
  /** Null if it is erased, or was never given. */
  address: string | null;
  timezone: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The facts of one mail, one per line, and what its status means. */
export function mailText(mail: MailOverview, context: MailContext): string[] {
  const at = (instant: Date | null) =>
    instant === null ? null : localTime(instant, context.timezone);
  return [
    ...facts([
      ['Id', mail.id],
      ['Kind', mail.kind],
      ['To', `${mail.recipient}, ${context.address ?? 'no address'}`],
      ['Booking', `${mail.booking_label} (${shortId(mail.booking_id)})`],
      ['Status', mail.status],
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
    explainMail(mail, context),
  ];
}

/** What the status of a mail means, as a sentence. */
export function explainMail(mail: MailOverview, { timezone, now }: MailContext): string {
  const { reason, last_reply_code: code, next_attempt_at: next } = mail;
  const why = replyOf(mail) === '' ? '' : ` (${replyOf(mail)})`;
  switch (mail.status) {
    case 'sent':
      return `The mail server accepted it${code === null ? '' : ` (${code})`}; its log says whether it was delivered.`;
    case 'failed':
      if (mail.kind === 'code')
        return `It could not be sent${why} and is not tried again. Remove the cause; the person can ask for another code.`;
      return `It could not be sent${why} and is not tried again. Remove the cause, then: studio mail resend ${shortId(mail.id)}`;
    case 'dropped':
      return reason === null ? 'It was not sent.' : whyDropped(reason, mail.kind);
    case 'pending':
      if ((mail.claimed_until?.getTime() ?? 0) > now) return 'It is being sent.';
      if (next === null || next.getTime() <= now)
        return 'It is due. If that does not change within a minute, run: studio doctor';
      return mail.attempts === 0
        ? `It is sent at ${localTime(next, timezone)}.`
        : `The last attempt failed${why}; the next one is at ${localTime(next, timezone)}.`;
  }
}

function whyDropped(reason: MailDropReason, kind: MailKind): string {
  switch (reason) {
    case 'superseded':
      return kind === 'code'
        ? 'It was not sent: the booking was over before.'
        : 'It was not sent: a later change of the booking made it pointless.';
    case 'over':
      return `It was not sent: the session had begun before the ${kind} could be sent.`;
    case 'forgotten':
      return 'It was not sent: the personal data of the booking is erased, so there is no address.';
    case 'stopped':
      return 'It was not sent: the person asked for no reminders.';
    case 'daily_limit':
      return `It was not sent: its mailbox had reached the limit of ${mailsPerDay} mails a day.`;
    case 'mail_off':
      return 'It was not sent: mail was switched off (SMTP_URL, MAIL_FROM).';
    case 'lapsed':
      return 'It was not sent: the time of the code was over. The person can ask for another.';
    case 'restored':
      return 'It was not sent: it was pending in a backup that was restored.';
  }
}

/** The code of the last reply and what failed: `550 recipient`, `timeout`, or nothing. */
function replyOf({ last_reply_code: code, last_error: error }: MailOverview): string {
  return [code, error].filter((part) => part !== null).join(' ');
}
