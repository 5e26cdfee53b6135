import type { DueMail, MailOutcome } from '../repositories/mail-queue.js';
import type { MailSendError, MailSendResult } from './send-result.js';

export type AttemptResult = Omit<MailSendResult, 'error'> & {
  error: MailSendError | 'render' | null;
};

/**
 * What the result of an attempt means for its mail. `schedule` holds the delay after each attempt, in
 * seconds; after the last one the mail has failed.
 */
export function attemptOutcome(
  { outcome, replyCode, error }: AttemptResult,
  { mailId, claimedUntil, attempts }: DueMail,
  schedule: readonly number[],
): MailOutcome {
  const claim = { mailId, claimedUntil };
  const delaySeconds = schedule[attempts];
  switch (outcome) {
    case 'sent':
      return { ...claim, status: 'sent', replyCode };
    case 'aborted':
      return { ...claim, status: 'released' };
    case 'deferred':
      if (delaySeconds !== undefined) {
        return { ...claim, status: 'pending', replyCode, error: error ?? '', delaySeconds };
      }
  }
  return { ...claim, status: 'failed', replyCode, error: error ?? '' };
}
