import { mailsPerDay } from '../config/limits.js';
import type { MailDropReason } from '../database/rows/mails.js';
import type { DueBookingMail, DueCalendarMail, DueMail } from '../repositories/due-mail.js';
import { isLive } from '../schedule/slots.js';
import type { MailedCalendar } from './mail-facts.js';

/**
 * Why a due mail must not be sent; null if it may. `countedBefore`: the number of mails to its mailbox
 * that were counted within a day before it. `now`: in milliseconds since the epoch.
 */
export function dropReason(
  mail: DueMail,
  countedBefore: number | null,
  now: number,
): MailDropReason | null {
  if (mail.kind === 'calendar_failure') return calendarProblem(mail) === null ? 'superseded' : null;
  const isForPerson = mail.recipient === 'person';
  if (mail.undecided !== null) return mail.undecided.length === 0 ? 'superseded' : null;
  if (mail.name === null || (isForPerson && mail.email === null)) return 'forgotten';
  const isForArtist = mail.recipient === 'artist' || mail.recipient === 'former_artist';
  if (isForArtist && mail.artistEmail === null) return 'no_address';
  if (isSuperseded(mail)) return 'superseded';
  if (mail.lapsesAt !== null && mail.lapsesAt.getTime() <= now) return 'lapsed';
  if ((isForPerson || mail.kind === 'conflict') && isOver(mail, now)) return 'over';
  if (mail.remindersStopped) return 'stopped';
  if (countedBefore !== null && countedBefore >= mailsPerDay) return 'daily_limit';
  return null;
}

/**
 * Whether a due reminder waits for a decision of the studio, which may be unattended. Superseded and past
 * ones do not wait. `now`: in milliseconds since the epoch.
 */
export function waitsForStudio(mail: DueMail, now: number): boolean {
  return (
    mail.kind === 'reminder' &&
    mail.recipient === 'person' &&
    mail.isUndecided &&
    !isSuperseded(mail) &&
    !isOver(mail, now)
  );
}

/**
 * The part of a calendar's event that is still true; null if it was read since, also if it cannot be read
 * now.
 */
export function calendarProblem(mail: DueCalendarMail): MailedCalendar['problem'] | null {
  const { occurredAt, failingSince: since, lastError: error, lastStatusCode: statusCode } = mail;
  if (since !== null && since <= occurredAt && error !== null) {
    return { kind: 'failing', since, error, statusCode };
  }
  const { unreadable, unreadableToldAt } = mail;
  const isOfEvent = unreadableToldAt?.getTime() === occurredAt.getTime();
  return unreadable !== null && isOfEvent ? { kind: 'in part', unreadable } : null;
}

/** Whether a mail is superseded; a code is not, since it is for the booking that it is typed for. */
function isSuperseded({ kind, status, sequence, bookingSequence }: DueBookingMail): boolean {
  return kind === 'code' ? !isLive(status) : sequence < bookingSequence;
}

/** Whether the session began before the mail was sent. A cancellation is still of use then. */
function isOver({ kind, starts_at, occurredAt }: DueBookingMail, now: number): boolean {
  const startsAt = starts_at.getTime();
  if (kind === 'cancellation' || startsAt > now) return false;
  return kind === 'reminder' || kind === 'code' || occurredAt.getTime() < startsAt;
}
