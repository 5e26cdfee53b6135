import { setTimeout as delay } from 'node:timers/promises';
import { createBatcher } from '../platform/concurrency.js';
import type { NewSpan } from '../platform/tracing/tracing.js';
import type { DueMail, ClaimedMail } from '../repositories/due-mail.js';
import { type MailOutcome, recordMailOutcomes } from '../repositories/mail-queue.js';
import type { MailSendError, MailSendResult } from './send-result.js';
import type { MailServices } from './services.js';

export type AttemptResult = Omit<MailSendResult, 'error'> & {
  error: MailSendError | 'render' | null;
};

/**
 * The record of a mail after an attempt. `schedule`: the delay after each attempt, in seconds; the last
 * attempt has none, nor has one of a code that lapses before. `language`: of the attempt. `now`: in
 * milliseconds since the epoch.
 */
export function attemptOutcome(
  { outcome, replyCode, error }: AttemptResult,
  { mailId, claimedUntil, attempts, lapsesAt, language }: DueMail,
  schedule: readonly number[],
  now: number,
): Exclude<MailOutcome, { status: 'dropped' }> {
  const claim = { mailId, claimedUntil };
  if (outcome === 'sent') return { ...claim, status: 'sent', replyCode, language };
  if (outcome === 'aborted') return { ...claim, status: 'released' };
  const failure = { ...claim, replyCode, language, error: error ?? 'unknown' };
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

const outcomesPerStatement = 200;

/** A mail whose outcome is not recorded is sent again, so the record is retried for twenty seconds. */
const recordPausesMs = [100, 400, 1_600, 6_400, 12_800];

export type Recorder = (outcome: MailOutcome) => Promise<void>;

/** Records outcomes; those of many mails share statements. Never rejects: the claim then expires. */
export function createRecorder({
  database,
  log,
}: Pick<MailServices, 'database' | 'log'>): Recorder {
  const write = createBatcher(async (outcomes: MailOutcome[]) => {
    for (const pauseMs of recordPausesMs) {
      try {
        await recordMailOutcomes(database, outcomes);
        return outcomes.map(() => undefined);
      } catch {
        await delay(pauseMs);
      }
    }
    await recordMailOutcomes(database, outcomes);
    return outcomes.map(() => undefined);
  }, outcomesPerStatement);
  return async (outcome) => {
    try {
      await write(outcome);
    } catch (error) {
      log.warn(
        { err: error, mail_id: outcome.mailId, outcome: outcome.status },
        outcome.status === 'sent'
          ? 'that a mail was sent could not be recorded; it is sent again when its claim expires'
          : 'the outcome of a mail could not be recorded; it is due again when its claim expires',
      );
    }
  };
}

/** Makes claimed mails that were not attempted due again. */
export async function release(record: Recorder, mails: readonly ClaimedMail[]): Promise<void> {
  await Promise.all(
    mails.map(({ mailId, claimedUntil }) => record({ mailId, claimedUntil, status: 'released' })),
  );
}
