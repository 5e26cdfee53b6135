import { requestsPerSubscription } from '../platform/fixed-limits.js';
import { openSigningSecret } from '../platform/signing-secret.js';
import {
  listDueDeliveries,
  type ClaimedSubscription,
  type DueDelivery,
} from '../repositories/webhook-deliveries.js';
import { attemptOutcome, type ReceiverHealth } from './attempt-outcome.js';
import { batchSize, type DeliveryStore } from './delivery-store.js';
import type { SendResult } from './send-result.js';
import type { DelivererServices } from './services.js';
import { signDelivery } from './sign.js';

/** Outcomes that a crash may lose: their deliveries are sent again. */
const unrecordedLimit = 200;

/** After this long a subscription with more to send lets the others have their share. */
const sessionMs = 5_000;

/** A subscription may have been deleted or disabled this long before a request to it begins. */
const liveMs = 50;

export interface SessionServices extends DelivererServices {
  store: DeliveryStore;
}

/** The state of sending to one subscription, from the first claim on it to the last. */
export interface DeliverySession {
  /** Whether to continue after a failed attempt. */
  readonly whileFailing: boolean;
  /** On the clock of `performance.now()`. */
  readonly endsAt: number;
  /** More may be due than was read. */
  moreDue: boolean;
  health: ReceiverHealth;
  /** Due deliveries that were read and not attempted yet. */
  batch: DueDelivery[];
  /** Ids of deliveries attempted under the present claim; the database may still say that they are due. */
  attempted: Set<string>;
  /** When the database last said that the subscription is live, on the clock of `performance.now()`. */
  liveAt: number;
  /** Requests in flight. */
  requests: number;
  /** Deliveries whose request is in flight or whose outcome is not committed. */
  unfinished: number;
  failure: Error | undefined;
  /** Resumes the session that waits for a change of this state. */
  wake: () => void;
}

export function createSession(whileFailing: boolean): DeliverySession {
  return {
    whileFailing,
    endsAt: performance.now() + sessionMs,
    moreDue: false,
    health: { hasSucceeded: false, failingSince: null, disabledReason: null },
    batch: [],
    attempted: new Set(),
    liveAt: 0,
    requests: 0,
    unfinished: 0,
    failure: undefined,
    wake: () => undefined,
  };
}

export function announceMoreDue(session: DeliverySession): void {
  session.moreDue = true;
  session.wake();
}

export function beginClaim(
  session: DeliverySession,
  { hasSucceeded, failingSince, deliveries }: ClaimedSubscription,
): void {
  session.health = { hasSucceeded, failingSince, disabledReason: null };
  session.attempted.clear();
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
  const secret = openSigningSecret(services.keyring, subscription.signingSecretSealed);
  while (!isOver(session, services.shutdown)) {
    if (isBusy(session)) await nextChange(session);
    else if (mustRead(session)) await readBatch(services, session, subscription.id);
    else if (session.batch.length > 0) startDelivery(services, session, subscription, secret);
    else if (session.unfinished > 0) await nextChange(session);
    else break;
  }
  while (session.unfinished > 0) await nextChange(session);
  if (session.failure !== undefined) throw session.failure;
}

function isBusy({ requests, unfinished }: DeliverySession): boolean {
  return requests >= requestsPerSubscription || unfinished >= unrecordedLimit;
}

function mustRead({ batch, moreDue, liveAt }: DeliverySession): boolean {
  return batch.length === 0 ? moreDue : performance.now() >= liveAt + liveMs;
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
  // Set again by what becomes due during the read.
  session.moreDue = false;
  try {
    takeBatch(session, await listDueDeliveries(database, subscriptionId, batchSize));
  } catch (error) {
    session.failure = error as Error;
  }
}

function takeBatch(session: DeliverySession, due: DueDelivery[]): void {
  session.batch = due.filter(({ id }) => !session.attempted.has(id));
  if (due.length === batchSize && session.batch.length > 0) session.moreDue = true;
  session.liveAt = performance.now();
}

function startDelivery(
  services: SessionServices,
  session: DeliverySession,
  subscription: ClaimedSubscription,
  secret: string,
): void {
  const delivery = session.batch.shift();
  if (delivery === undefined) return;
  session.attempted.add(delivery.id);
  session.requests += 1;
  session.unfinished += 1;
  attempt(services, subscription, secret, delivery)
    .finally(() => {
      session.requests -= 1;
      session.wake();
    })
    .then((result) => recordOutcome(services, session, subscription.id, delivery, result))
    .catch((error: unknown) => {
      session.failure ??= error as Error;
    })
    .finally(() => {
      session.unfinished -= 1;
      session.wake();
    });
}

async function attempt(
  { clock, log, metrics, webhookSender, shutdown }: SessionServices,
  { id, url }: ClaimedSubscription,
  secret: string,
  { eventId, body, attempts, dueAt }: DueDelivery,
): Promise<SendResult> {
  const startedAt = clock.now();
  const timestampSeconds = startedAt / 1000;
  const headers = { ...signDelivery({ secret, messageId: eventId, timestampSeconds, body }) };
  const result = await webhookSender.send({ url, headers, body, signal: shutdown });
  metrics.deliveryAttempted(result.error ?? result.outcome, (startedAt - dueAt) / 1000);
  log.debug(
    {
      subscription_id: id,
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
  { clock, config, store, retryQueue }: SessionServices,
  session: DeliverySession,
  subscriptionId: string,
  { id: deliveryId, attempts: attemptsBefore }: DueDelivery,
  result: SendResult,
): Promise<void> {
  // A shutdown: the delivery stays due, and the attempt does not count.
  if (result.outcome === 'aborted') return;
  const attempts = attemptsBefore + 1;
  const { outcome, health } = attemptOutcome(
    result,
    { id: deliveryId, attempt: attempts },
    session.health,
    { schedule: config.webhookRetryScheduleSeconds, now: clock.now() },
  );
  session.health = health;
  const isLive = await store.record(subscriptionId, outcome, health);
  if (isLive) session.liveAt = performance.now();
  else session.batch = [];
  const { delaySeconds } = outcome;
  if (delaySeconds !== null) {
    await retryQueue.add({ subscriptionId, deliveryId, attempts, delaySeconds });
  }
}
