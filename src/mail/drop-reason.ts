import { mailsPerDay } from '../config/limits.js';
import type { MailDropReason } from '../database/mail-tables.js';
import type { DueBookingMail, DueCalendarMail, DueMail } from '../repositories/due-mail.js';
import { isLive } from '../schedule/booking-status.js';

/**
 * Why a due mail must not be sent; null if it may. `countedBefore`: the number of mails to its mailbox
 * that were counted within a day before it. `now`: in milliseconds since the epoch.
 */
export function dropReason(
  mail: DueMail,
  countedBefore: number | null,
  now: number,
): MailDropReason | null {
  if (mail.kind === 'calendar_failure') return hasBeenRead(mail) ? 'superseded' : null;
  const isForPerson = mail.recipient === 'person';
  if (mail.name === null || (isForPerson && mail.email === null)) return 'forgotten';
  if (isSuperseded(mail)) return 'superseded';
  if (mail.lapsesAt !== null && mail.lapsesAt.getTime() <= now) return 'lapsed';
  if ((isForPerson || mail.kind === 'conflict') && isOver(mail, now)) return 'over';
  if (mail.remindersStopped) return 'stopped';
  if (countedBefore !== null && countedBefore >= mailsPerDay) return 'daily_limit';
  return null;
}

/** Whether the calendar was read since the event, also if it cannot be read now. */
function hasBeenRead({ failingSince, occurredAt }: DueCalendarMail): boolean {
  return failingSince === null || failingSince > occurredAt;
}

/** A code is for the booking as it is when the person types it, also after a move. */
function isSuperseded({ kind, status, sequence, bookingSequence }: DueBookingMail): boolean {
  return kind === 'code' ? !isLive(status) : sequence < bookingSequence;
}

/** Whether the session began before the mail was sent. A cancellation is still of use then. */
function isOver({ kind, starts_at, occurredAt }: DueBookingMail, now: number): boolean {
  const startsAt = starts_at.getTime();
  if (kind === 'cancellation' || startsAt > now) return false;
  return kind === 'reminder' || kind === 'code' || occurredAt.getTime() < startsAt;
}
