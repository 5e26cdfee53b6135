import { setTimeout as delay } from 'node:timers/promises';
import { createBatcher } from '../platform/concurrency.js';
import type { ClaimedMail } from '../repositories/due-mail.js';
import { recordMailOutcomes, type MailOutcome } from '../repositories/mail-queue.js';
import type { MailServices } from './services.js';

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

/** Makes those claimed mails due again that were not attempted. */
export async function release(record: Recorder, mails: readonly ClaimedMail[]): Promise<void> {
  await Promise.all(
    mails.map(({ mailId, claimedUntil }) => record({ mailId, claimedUntil, status: 'released' })),
  );
}
