import pTimeout from 'p-timeout';
import { singleFlight } from '../platform/concurrency.js';
import type { ClaimedMail } from '../repositories/due-mail.js';
import { claimDueMails, type MailOutcome, rereadMails } from '../repositories/mail-queue.js';
import { readOpeningHours, readStudio } from '../repositories/studio-settings.js';
import {
  attemptOutcome,
  type AttemptResult,
  attemptSpan,
  createRecorder,
  type Recorder,
  release,
} from './attempt-outcome.js';
import { composeMail, languageOfMail, type StudioFacts } from './compose.js';
import { dropReason, waitsForStudio } from './drop-reason.js';
import { mailConnectionLimit, mailDeadlineSeconds } from './sender.js';
import type { MailServices } from './services.js';

/** The time after which a claimed mail that was not started is released. */
const startWithinSeconds = 20;

/** The lifetime of a claim: longer than a mail may wait after it, and then take. */
const claimSeconds = startWithinSeconds + mailDeadlineSeconds + 10;

/** The delay of a reminder that waits for the studio. */
const postponedSeconds = 600;

/** The age at which a claimed mail is reread before it is sent. */
const rereadAfterMs = 50;

/** The mails of a claim: more than connections, so that none waits for the next claim. */
const claimLimit = 4 * mailConnectionLimit;

/**
 * The time of a stop for the mails in progress: shorter than the process waits for its jobs, so that cut
 * ones are released before the database's connections close.
 */
const stopWithinMs = 2_400;

export interface Mailer {
  /** Sends all due mails. Rejects when the database fails. */
  sendDue(): Promise<void>;
  /**
   * Begins no more mails, waits a little for those in progress, cuts the others, which stay due, and
   * resolves when all are recorded. Closes the sender.
   */
  stop(): Promise<void>;
}

/** Mails that are claimed and not started. */
interface ClaimedBatch {
  mails: ClaimedMail[];
  studio: StudioFacts;
  /** A time of `performance.now()`. */
  claimedAt: number;
  readAt: number;
}

/** Sends due mails by claims (src/decisions.md). */
export function createMailer(services: MailServices): Mailer {
  const { database, connect, mailSender } = services;
  const record = createRecorder(services);
  let isStopping = false;
  let mayBeDue = false;
  /** Ends the wait of a run that has nothing to claim. */
  let wake: () => void = () => undefined;

  const claim = async (): Promise<ClaimedBatch> => {
    // The claim comes last: if a read failed after it, the mails would wait until the claim ends.
    const [studio, openingHours] = await Promise.all([
      readStudio(database),
      readOpeningHours(database),
    ]);
    const claimedAt = performance.now();
    const mails = await claimDueMails(database, connect, { limit: claimLimit, claimSeconds });
    return { mails, studio: { studio, openingHours }, claimedAt, readAt: claimedAt };
  };

  const run = singleFlight(async () => {
    const sending = new Set<Promise<unknown>>();
    const recording = new Set<Promise<unknown>>();
    let batch: ClaimedBatch | null = null;
    mayBeDue = true;
    try {
      while (!isStopping) {
        if (sending.size >= mailConnectionLimit) await Promise.race(sending);
        else if (batch !== null && batch.mails.length > 0) {
          await refresh(services, record, batch);
          const mail = batch.mails.shift();
          if (mail === undefined) continue;
          const sent = sendOne(services, mail, batch);
          // The next mail does not wait for this record.
          keep(sending, sent);
          const recorded = sent.then((outcome) => recordOne(services, record, mail, outcome));
          // The next mail of its booking may have waited for it, also in a claim that ends after it.
          keep(
            recording,
            recorded.then(() => {
              mayBeDue = true;
            }),
          );
        } else if (mayBeDue) {
          // This comes before the claim, which does not see mails that become due meanwhile.
          mayBeDue = false;
          batch = await claim();
          if (batch.mails.length > 0) mayBeDue = true;
        } else if (recording.size > 0) {
          const woken = new Promise<void>((resolve) => (wake = resolve));
          await Promise.race([...recording, woken]);
        } else break;
      }
    } finally {
      await Promise.all([release(record, batch?.mails ?? []), ...sending, ...recording]);
    }
  });

  /** A run in progress claims again, so that a mail that takes long does not delay the others. */
  const sendDue = (): Promise<void> => {
    mayBeDue = true;
    wake();
    return run();
  };

  return {
    sendDue,
    async stop() {
      isStopping = true;
      // This shares the run in progress, or begins one that ends at once.
      const ended = sendDue().catch(() => undefined);
      await pTimeout(ended, { milliseconds: stopWithinMs, message: false });
      mailSender.close();
      await ended;
    },
  };
}

/** Reads waiting mails again if they are not fresh; releases them if their claim ends soon. */
async function refresh(
  { database }: MailServices,
  record: Recorder,
  batch: ClaimedBatch,
): Promise<void> {
  const now = performance.now();
  if (now - batch.readAt <= rereadAfterMs) return;
  if (now - batch.claimedAt > startWithinSeconds * 1000) {
    await release(record, batch.mails.splice(0));
    return;
  }
  const countedBefore = new Map(batch.mails.map((mail) => [mail.mailId, mail.countedBefore]));
  const read = await rereadMails(database, [...countedBefore.keys()]);
  batch.mails = read.map((mail) => ({
    ...mail,
    countedBefore: countedBefore.get(mail.mailId) ?? null,
  }));
  batch.readAt = now;
}

/** Sends the mail, unless something forbids it by now. Resolves with the outcome to record. */
async function sendOne(
  services: MailServices,
  mail: ClaimedMail,
  { studio, claimedAt }: ClaimedBatch,
): Promise<MailOutcome> {
  const { clock, config, languages, log, mailSender, metrics } = services;
  const { mailId, claimedUntil } = mail;
  // This is the database's time, by which it was claimed: the process may not know yet that it was set.
  const now = claimedUntil.getTime() - claimSeconds * 1000 + performance.now() - claimedAt;
  if (waitsForStudio(mail, now)) {
    return { mailId, claimedUntil, status: 'postponed', delaySeconds: postponedSeconds };
  }
  const reason = dropReason(mail, mail.countedBefore, now);
  if (reason !== null) {
    metrics.count('droppedMails', { reason });
    return { mailId, claimedUntil, status: 'dropped', reason };
  }
  const lagSeconds = (clock.now() - mail.dueAt) / 1000;
  const language = languageOfMail(languages, mail, studio);
  const attempt = async (): Promise<AttemptResult> => {
    try {
      return await mailSender.send(await composeMail(services, mail, studio, language));
    } catch (error) {
      log.error({ err: error, mail_id: mailId }, 'a mail could not be rendered');
      return { outcome: 'refused', replyCode: null, error: 'render', durationMs: 0 };
    }
  };
  const result = await services.tracing.continueTrace(
    [mail.traceContext],
    attemptSpan(mail),
    attempt,
  );
  metrics.count('mails', { outcome: result.error ?? result.outcome });
  metrics.observe('mailLag', {}, lagSeconds);
  const outcome = attemptOutcome(
    result,
    { ...mail, language: mail.recipient === 'person' ? languages.chosenTag(language) : null },
    config.mailRetryScheduleSeconds,
    clock.now(),
  );
  logAttempt(log, mail, result, outcome.status);
  return outcome;
}

async function recordOne(
  { retryQueue }: MailServices,
  record: Recorder,
  { mailId, attempts }: ClaimedMail,
  outcome: MailOutcome,
): Promise<void> {
  await record(outcome);
  if (outcome.status === 'pending') {
    await retryQueue.add(mailId, attempts + 1, outcome.delaySeconds);
  }
}

/** Keeps a promise in the set until it is settled. */
function keep(set: Set<Promise<unknown>>, promise: Promise<unknown>): void {
  const kept: Promise<unknown> = promise.finally(() => set.delete(kept));
  set.add(kept);
}

const logLevels = {
  sent: 'debug',
  released: 'debug',
  postponed: 'debug',
  pending: 'info',
  failed: 'warn',
} as const;

function logAttempt(
  log: MailServices['log'],
  mail: ClaimedMail,
  { outcome, replyCode, error, durationMs }: AttemptResult,
  status: keyof typeof logLevels,
): void {
  const { mailId, kind, recipient, attempts } = mail;
  log[logLevels[status]](
    {
      mail_id: mailId,
      ...(mail.kind === 'calendar_failure'
        ? { calendar_id: mail.calendarId }
        : { booking_id: mail.id }),
      kind,
      recipient,
      attempt: attempts + 1,
      outcome,
      reply_code: replyCode,
      error,
      duration_ms: Math.round(durationMs),
    },
    status === 'failed' ? 'a mail failed' : 'mail attempted',
  );
}
