import type { NewSpan } from '../platform/tracing/tracing.js';
import type { DueMail } from '../repositories/due-mail.js';
import type { MailOutcome } from '../repositories/mail-queue.js';
import type { MailSendError, MailSendResult } from './send-result.js';

export type AttemptResult = Omit<MailSendResult, 'error'> & {
  error: MailSendError | 'render' | null;
};

/**
 * What to record of a mail after an attempt. `schedule`: the delay after each attempt, in seconds; an
 * attempt that has none is the last, as is one of a code that lapses before. `now`: in milliseconds
 * since the epoch.
 */
export function attemptOutcome(
  { outcome, replyCode, error }: AttemptResult,
  { mailId, claimedUntil, attempts, lapsesAt }: DueMail,
  schedule: readonly number[],
  now: number,
): Exclude<MailOutcome, { status: 'dropped' }> {
  const claim = { mailId, claimedUntil };
  if (outcome === 'sent') return { ...claim, status: 'sent', replyCode };
  if (outcome === 'aborted') return { ...claim, status: 'released' };
  const failure = { ...claim, replyCode, error: error ?? 'unknown' };
  const delaySeconds = outcome === 'deferred' ? schedule[attempts] : undefined;
  const endsAt = lapsesAt?.getTime() ?? Infinity;
  return delaySeconds === undefined || now + delaySeconds * 1000 >= endsAt
    ? { ...failure, status: 'failed' }
    : { ...failure, status: 'pending', delaySeconds };
}

/** The span of an attempt, without the address. */
export function attemptSpan({
  mailId,
  kind,
  recipient,
  attempts,
}: DueMail): NewSpan<AttemptResult> {
  return {
    name: 'mail send',
    kind: 'client',
    attributes: {
      'mail.id': mailId,
      'mail.kind': kind,
      'mail.recipient': recipient,
      'mail.attempt': attempts + 1,
    },
    describe: ({ outcome, replyCode, error }) => ({
      'mail.outcome': outcome,
      ...(replyCode !== null && { 'mail.reply_code': replyCode }),
      ...(error !== null && { 'error.type': error }),
    }),
  };
}
