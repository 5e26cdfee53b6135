import type { MailStatus } from '../database/mail-tables.js';
import { explainMail, replyOf } from '../domain/mail-admin.js';
import type { MailOverview } from '../repositories/mail-admin.js';
import { timesWords } from '../schedule/words.js';
import { facts, localTime, shortId, table } from './text.js';

export const mailStatuses: readonly MailStatus[] = ['pending', 'sent', 'failed', 'dropped'];

/** A mail without its address, for `--json`. */
export function mailData(mail: MailOverview): Record<string, unknown> {
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
  };
}

export function mailTable(mails: readonly MailOverview[], timezone: string): string[] {
  return table(
    ['ID', 'CREATED', 'KIND', 'TO', 'ABOUT', 'STATUS', 'ATTEMPTS', 'REPLY', 'NEXT'],
    mails.map((mail) => [
      shortId(mail.id),
      localTime(mail.created_at, timezone),
      mail.kind,
      mail.recipient,
      shortId(mail.kind === 'calendar_failure' ? mail.calendar_id : mail.booking_id),
      mail.reason === null ? mail.status : `${mail.status} (${mail.reason})`,
      String(mail.attempts),
      replyOf(mail),
      mail.next_attempt_at === null ? '' : localTime(mail.next_attempt_at, timezone),
    ]),
  );
}

export interface MailContext {
  /** Null if it is erased, was never given, or has been corrected since. */
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
      ['To', `${mail.recipient}, ${context.address ?? missingAddress(mail)}`],
      mail.kind === 'calendar_failure'
        ? ['Calendar', `${mail.calendar_label} (${shortId(mail.calendar_id)})`]
        : ['Booking', `${mail.booking_label} (${shortId(mail.booking_id)})`],
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
    explanationOf(mail, context),
  ];
}

function missingAddress(mail: MailOverview): string {
  const isFormer = mail.kind !== 'calendar_failure' && mail.has_former_email;
  return isFormer ? 'a former address' : 'no address';
}

/** What the status of a mail means, and the command that sends it again. */
export function explanationOf(mail: MailOverview, { timezone, now }: MailContext): string {
  return explainMail(mail, {
    now,
    at: (instant) => localTime(instant, timezone),
    sendAgain: `then: studio mail resend ${shortId(mail.id)}`,
  });
}
