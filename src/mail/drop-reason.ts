import type { MailDropReason } from '../database/mail-tables.js';
import { mailsPerDay } from '../platform/fixed-limits.js';
import type { DueMail } from '../repositories/mail-queue.js';

/**
 * Why a due mail must not be sent; null if it may. `countedBefore`: the number of mails to its mailbox
 * that were counted within a day before it. `now`: in milliseconds since the epoch.
 */
export function dropReason(
  mail: DueMail,
  countedBefore: number | null,
  now: number,
): MailDropReason | null {
  const isForPerson = mail.recipient === 'person';
  if (mail.name === null || (isForPerson && mail.email === null)) return 'forgotten';
  if (mail.sequence < mail.bookingSequence) return 'superseded';
  if (isForPerson && isOver(mail, now)) return 'over';
  if (mail.remindersStopped) return 'stopped';
  if (countedBefore !== null && countedBefore >= mailsPerDay) return 'daily_limit';
  return null;
}

/** Whether the session began before the mail was sent. A cancellation is still of use then. */
function isOver({ kind, starts_at, occurredAt }: DueMail, now: number): boolean {
  const startsAt = starts_at.getTime();
  if (kind === 'cancellation' || startsAt > now) return false;
  return kind === 'reminder' || occurredAt.getTime() < startsAt;
}
