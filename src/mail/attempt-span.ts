import type { NewSpan } from '../platform/tracing/tracing.js';
import type { DueMail } from '../repositories/due-mail.js';
import type { AttemptResult } from './attempt-outcome.js';

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
