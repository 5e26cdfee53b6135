import { mailsPerDay } from '../../config/limits.js';
import type { MailDropReason, MailKind } from '../../database/rows/mails.js';
import type { MailOverview } from '../../database/rows/results.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { readMode } from '../../repositories/installation.js';
import { dismissFailedMails, lockMail, makeMailDue } from '../../repositories/mail-admin.js';
import { lockMails } from '../../repositories/mail-dispatch.js';
import type { OfArtist } from './booking-record.js';
import { personName } from './words.js';

/** Why a mail is not sent again, as a sentence. */
export const resendRefusals = {
  code: 'A code goes only to the person who asks for it, on the page of the booking.',
  pending: 'It is still to be sent.',
  superseded: 'A later change of the booking made it pointless.',
  read: 'The calendar has been read since.',
  forgotten: 'The personal data of its booking is erased.',
  no_address: 'The person gave no e-mail address.',
  no_artist_address: 'The artist has no e-mail address.',
};

export type ResendRefusal = keyof typeof resendRefusals;

/** Why a mail is not sent again; null if it was sent, failed or dropped, and is still right. */
export function resendRefusal(mail: MailOverview): ResendRefusal | null {
  if (mail.kind === 'code') return 'code';
  if (mail.status === 'pending') return 'pending';
  if (mail.kind === 'calendar_failure') return mail.is_superseded ? 'read' : null;
  if (mail.booking_name === null) return 'forgotten';
  if (mail.is_superseded) return 'superseded';
  if (mail.recipient === 'person' && mail.booking_email === null) return 'no_address';
  if (mail.artist_id !== null && mail.artist_email === null) return 'no_artist_address';
  return null;
}

/** Makes a mail due again. A running service sends it at once. `not_found`: also if it is not the artist's. */
export async function resendMail(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
  { artistId = null }: OfArtist = {},
): Promise<'resent' | 'not_found' | 'mail_off' | ResendRefusal> {
  return database.transaction().execute(async (transaction) => {
    await lockMails(transaction);
    if (!(await readMode(transaction)).mail) return 'mail_off';
    const mail = await lockMail(transaction, id, artistId);
    if (mail === null) return 'not_found';
    const refusal = resendRefusal(mail);
    if (refusal !== null) return refusal;
    await makeMailDue(transaction, id);
    await recordAudit(transaction, actor, 'mail resend', {
      mail_id: id,
      ...(mail.kind === 'calendar_failure'
        ? { calendar_id: mail.calendar_id }
        : { booking_id: mail.booking_id }),
    });
    return 'resent';
  });
}

/**
 * Acknowledges a failed mail, or all that failed until a time: they stay listed as failed, but no longer
 * count for `doctor`, the console and the metrics. Returns their number.
 */
export async function dismissMails(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  which: { id?: string | undefined; until?: Date },
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const mails = await dismissFailedMails(transaction, which);
    const [mail] = mails;
    if (mail === undefined) return 0;
    const one = { mail_id: mail.id, booking_id: mail.booking_id };
    const details = which.id === undefined ? { mails: mails.length } : one;
    await recordAudit(transaction, actor, 'mail dismiss', details);
    return mails.length;
  });
}

export const mailIsOff =
  'Mail is off: set SMTP_URL, such as smtps://user:password@mail.example.com, and MAIL_FROM, such as "Night Heron <booking@example.com>".';

export const codesUsedUp =
  'Within a day, the codes of an hour that are for everybody were used up; until that hour was over, only confirmed sessions and networks that were new that day got more. MAX_CODES_PER_HOUR is the limit of all.';

/** The recipient of a mail within a sentence: `the studio`, or a name. */
export function mailRecipient(mail: MailOverview): string {
  if (mail.recipient === 'studio') return 'the studio';
  return personName({ name: mail.artist_id === null ? mail.booking_name : mail.artist_name });
}

export interface ExplanationWords {
  /** Milliseconds since the epoch. */
  now: number;
  /** The text of an instant. */
  at: (instant: Date) => string;
  /** The advice to send it again once the cause is removed: `then send it again.` */
  sendAgain: string;
}

export function explainMail(mail: MailOverview, { now, at, sendAgain }: ExplanationWords): string {
  const { reason, last_reply_code: code, next_attempt_at: next } = mail;
  const why = replyOf(mail) === '' ? '' : ` (${replyOf(mail)})`;
  switch (mail.status) {
    case 'sent':
      return `The mail server accepted it${code === null ? '' : ` (${code})`}; its log says whether it was delivered.`;
    case 'failed':
      return `It could not be sent${why} and is not tried again. ${mail.dismissed_at === null ? remedy(mail, sendAgain) : 'It is dismissed.'}`;
    case 'dropped':
      return reason === null
        ? 'It was not sent.'
        : `It was not sent: ${whyDropped(reason, mail.kind)}.`;
    case 'pending':
      if ((mail.claimed_until?.getTime() ?? 0) > now) return 'It is being sent.';
      if (next === null || next.getTime() <= now)
        return 'It is due. If that does not change within a minute, run: studio doctor';
      return mail.attempts === 0
        ? `It will be sent on ${at(next)}.`
        : `The last attempt failed${why}; the next one is on ${at(next)}.`;
  }
}

function remedy(mail: MailOverview, sendAgain: string): string {
  if (mail.kind === 'code') return 'Remove the cause; the person can ask for another code.';
  const refusal = resendRefusal(mail);
  return refusal === null ? `Remove the cause, ${sendAgain}` : resendRefusals[refusal];
}

/** Why a mail was not sent, within a sentence. */
export function whyDropped(reason: MailDropReason, kind: MailKind): string {
  if (reason === 'superseded' && kind === 'calendar_failure') return 'the calendar was read before';
  if (reason === 'superseded' && kind === 'code') return 'the booking was over before';
  return dropReasons[reason];
}

const dropReasons: Record<MailDropReason, string> = {
  superseded: 'a later change of the booking made it pointless',
  over: 'the session had begun before it could be',
  forgotten: 'the personal data of the booking is erased, so there is no address',
  no_address: 'the artist has no address any more',
  stopped: 'the person asked for no reminders',
  daily_limit: `its mailbox had reached the limit of ${mailsPerDay} mails a day`,
  mail_off: 'mail was switched off',
  lapsed: 'the time of the code was over; the person can ask for another',
  restored: 'it was pending in a backup that was restored',
};

/** The code of the last reply and what failed: `550 recipient`, `timeout`, or nothing. */
export function replyOf({
  last_reply_code: code,
  last_error: error,
}: Pick<MailOverview, 'last_reply_code' | 'last_error'>): string {
  return [code, error].filter((part) => part !== null).join(' ');
}
