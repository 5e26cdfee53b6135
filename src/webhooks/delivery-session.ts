import {
  type ClaimedSubscription,
  type DueDelivery,
  listDueDeliveries,
} from '../repositories/webhook-deliveries.js';
import { openSigningSecret } from '../secrets/tokens.js';
import {
  attemptOutcome,
  attemptSpan,
  type ReceiverHealth,
  requestLimit,
} from './attempt-outcome.js';
import { batchSize, type DeliveryStore } from './delivery-store.js';
import type { SendResult } from './send-result.js';
import type { DelivererServices } from './services.js';
import { signDelivery } from './sign.js';

/**
 * The most deliveries without a committed outcome. Outcomes are committed while later requests are in
 * flight: waiting for each commit leaves 0.11 of the deliveries per second (5 pairs). A crash may lose
 * this many outcomes, whose deliveries are then sent again.
 */
const unrecordedLimit = 200;

/** The time after which a subscription with more to send gets a new job at the end of the queue. */
const sessionMs = 5_000;

/** The age of a subscription's state at which it is read again before a request. */
const liveMaxAgeMs = 50;

/** The number of unsent deliveries at which more are read: requests do not wait for a read. */
const readAheadAt = 100;

export interface SessionServices extends DelivererServices {
  store: DeliveryStore;
}

/** The target of a session's requests. */
interface Target {
  subscriptionId: string;
  url: string;
  signingSecret: string;
}

/** The state of sending to one subscription, under one claim or several in succession. */
export interface DeliverySession {
  /** Whether to continue after a failed attempt. */
  readonly whileFailing: boolean;
  /** A time of `performance.now()`. */
  readonly endsAt: number;
  /** Whether more may be due than was read. */
  moreDue: boolean;
  health: ReceiverHealth;
  /** Due deliveries that were read and not attempted yet. */
  batch: DueDelivery[];
  /** Ids attempted under the present claim: reads return them until their outcome is recorded. */
  attempted: Set<string>;
  /** When the subscription was last found live by a read or a commit, as of `performance.now()`. */
  liveAt: number;
  /** Whether the due deliveries are being read. */
  isReading: boolean;
  /** Requests in flight. */
  requests: number;
  /** Deliveries whose request is in flight or whose outcome is not committed. */
  unfinished: number;
  failure: Error | undefined;
  /** The claim ends with the last outcome: nothing more may be sent under it. */
  isReleased: boolean;
  /** Resolves the promise of `nextChange`. */
  wake: () => void;
}

/** `whileFailing`: whether to continue after a failed attempt. */
export function createSession(whileFailing: boolean): DeliverySession {
  return {
    whileFailing,
    endsAt: performance.now() + sessionMs,
    moreDue: false,
    health: { hasSucceeded: false, failingSince: null, failuresInARow: 0, disabledReason: null },
    batch: [],
    attempted: new Set(),
    liveAt: 0,
    isReading: false,
    requests: 0,
    unfinished: 0,
    failure: undefined,
    isReleased: false,
    wake: () => undefined,
  };
}

/** Makes the session query the due deliveries again, even if its last query left none. */
export function announceMoreDue(session: DeliverySession): void {
  session.moreDue = true;
  session.wake();
}

/** Resets the session's state to what the claim returned. */
export function beginClaim(
  session: DeliverySession,
  { hasSucceeded, failingSince, failuresInARow, deliveries }: ClaimedSubscription,
): void {
  session.health = { hasSucceeded, failingSince, failuresInARow, disabledReason: null };
  session.attempted.clear();
  session.isReleased = false;
  takeBatch(session, deliveries);
}

/** Whether to stop here, though more may be due. */
export function isOver(session: DeliverySession, shutdown: AbortSignal): boolean {
  const { failingSince, disabledReason } = session.health;
  return (
    shutdown.aborted ||
    session.failure !== undefined ||
    performance.now() >= session.endsAt ||
    disabledReason !== null ||
    (failingSince !== null && !session.whileFailing)
  );
}

/**
 * Sends the deliveries of a claimed subscription until none is due or the session is over. Resolves
 * when every outcome is committed; rejects when the database fails.
 */
export async function sendDueDeliveries(
  services: SessionServices,
  session: DeliverySession,
  subscription: ClaimedSubscription,
): Promise<void> {
  const { id: subscriptionId, url, signingSecretSealed } = subscription;
  const signingSecret = openSigningSecret(services.keyring, signingSecretSealed);
  const target = { subscriptionId, url, signingSecret };
  while (!session.isReleased && !isOver(session, services.shutdown)) {
    const isFree = !isBusy(session);
    if (isFree && mustRead(session)) void readBatch(services, session, subscriptionId);
    if (isFree && session.batch.length > 0 && isFresh(session)) {
      startDelivery(services, session, target);
    } else if (session.unfinished > 0 || session.isReading) {
      await nextChange(session);
    } else break;
  }
  while (session.unfinished > 0 || session.isReading) await nextChange(session);
  if (session.failure !== undefined) throw session.failure;
}

function isBusy({ requests, unfinished, health }: DeliverySession): boolean {
  return requests >= requestLimit(health) || unfinished >= unrecordedLimit;
}

function isFresh({ liveAt }: DeliverySession): boolean {
  return performance.now() < liveAt + liveMaxAgeMs;
}

function mustRead(session: DeliverySession): boolean {
  const { isReading, batch, moreDue } = session;
  if (isReading) return false;
  return (moreDue && batch.length <= readAheadAt) || (batch.length > 0 && !isFresh(session));
}

function nextChange(session: DeliverySession): Promise<void> {
  return new Promise((resolve) => {
    session.wake = resolve;
  });
}

async function readBatch(
  { database }: SessionServices,
  session: DeliverySession,
  subscriptionId: string,
): Promise<void> {
  session.isReading = true;
  // `announceMoreDue` sets it again for what becomes due during the read.
  session.moreDue = false;
  try {
    takeBatch(session, await listDueDeliveries(database, subscriptionId, batchSize));
  } catch (error) {
    session.failure ??= error as Error;
  }
  session.isReading = false;
  session.wake();
}

function takeBatch(session: DeliverySession, due: DueDelivery[]): void {
  session.batch = due.filter(({ id }) => !session.attempted.has(id));
  if (due.length === batchSize && session.batch.length > 0) session.moreDue = true;
  session.liveAt = performance.now();
}

function startDelivery(services: SessionServices, session: DeliverySession, target: Target): void {
  const delivery = session.batch.shift();
  if (delivery === undefined) return;
  session.attempted.add(delivery.id);
  session.requests += 1;
  session.unfinished += 1;
  attempt(services, target, delivery)
    .finally(() => {
      session.requests -= 1;
      session.wake();
    })
    .then((result) => recordOutcome(services, session, target, delivery, result))
    .catch((error: unknown) => {
      session.failure ??= error as Error;
      session.isReleased = false;
    })
    .finally(() => {
      session.unfinished -= 1;
      session.wake();
    });
}

async function attempt(
  { clock, log, metrics, tracing, webhookSender, shutdown }: SessionServices,
  { subscriptionId, url, signingSecret }: Target,
  delivery: DueDelivery,
): Promise<SendResult> {
  const { eventId, body, attempts, dueAt } = delivery;
  const startedAt = clock.now();
  const headers = signDelivery({
    secret: signingSecret,
    messageId: eventId,
    timestampSeconds: startedAt / 1000,
    body,
  });
  const result = await tracing.continueTrace(
    [delivery.traceContext],
    attemptSpan(subscriptionId, delivery),
    () => webhookSender.send({ url, headers, body, signal: shutdown }),
  );
  metrics.count('deliveries', { outcome: result.error ?? result.outcome });
  metrics.observe('deliveryLag', {}, (startedAt - dueAt) / 1000);
  log.debug(
    {
      subscription_id: subscriptionId,
      event_id: eventId,
      attempt: attempts + 1,
      outcome: result.outcome,
      status: result.statusCode,
      error: result.error,
      duration_ms: Math.round(result.durationMs),
    },
    'webhook attempted',
  );
  return result;
}

async function recordOutcome(
  { clock, config, store, addRetry }: SessionServices,
  session: DeliverySession,
  { subscriptionId }: Target,
  { id: deliveryId, attempts: attemptsBefore }: DueDelivery,
  result: SendResult,
): Promise<void> {
  // The delivery stays due, and the attempt does not count.
  if (result.outcome === 'aborted') return;
  const attempts = attemptsBefore + 1;
  const { outcome, health } = attemptOutcome(
    result,
    { id: deliveryId, attempt: attempts },
    session.health,
    { schedule: config.webhookRetryScheduleSeconds, now: clock.now() },
  );
  session.health = health;
  session.isReleased = isLast(session);
  const isLive = await store.record(subscriptionId, outcome, health, session.isReleased);
  if (isLive) session.liveAt = performance.now();
  else session.batch = [];
  const { delaySeconds } = outcome;
  if (delaySeconds !== null) {
    await addRetry({ subscriptionId, deliveryId, attempts, delaySeconds });
  }
}

/** Whether the delivery whose outcome is to be recorded leaves nothing to do under the claim. */
function isLast({ unfinished, batch, moreDue, isReading, health }: DeliverySession): boolean {
  const isAlone = unfinished === 1 && batch.length === 0 && !moreDue && !isReading;
  return isAlone && health.disabledReason === null;
}
