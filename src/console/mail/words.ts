import type { MailKind, MailStatus } from '../../database/mail-tables.js';
import type { MailOverview } from '../../repositories/mail-admin.js';
import { personName } from '../bookings/words.js';

export const mailKindWords: Record<MailKind, string> = {
  confirmation: 'Confirmation',
  move: 'Move',
  cancellation: 'Cancellation',
  reminder: 'Reminder',
  code: 'Code',
  conflict: 'Conflict',
  calendar_failure: 'Calendar failure',
};

export const mailStatusWords: Record<MailStatus, string> = {
  pending: 'To be sent',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
};

/** To whom: the name of the person, or the studio. */
export function recipientWords(mail: MailOverview): string {
  return mail.recipient === 'studio' ? 'the studio' : personName({ name: mail.booking_name });
}
