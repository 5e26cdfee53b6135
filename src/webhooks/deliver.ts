import type { WebhookServices } from './services.js';
import { requestsPerSubscription } from '../platform/fixed-limits.js';
import {
  listDueDeliveries,
  type ClaimedSubscription,
  type DueDelivery,
} from '../repositories/webhook-deliveries.js';
import { disableSubscription } from '../repositories/webhook-subscriptions.js';
import { openSigningSecret } from '../platform/signing-secret.js';
import { createDeliveryBuffer } from './delivery-buffer.js';
import { createDeliveryStore, dueLimit } from './delivery-store.js';
import type { SendResult } from './send.js';
import { signDelivery } from './sign.js';
import { attemptOutcome, type Health } from './attempt-outcome.js';

/** Outcomes that a crash may lose: their deliveries are sent again. */
const unrecordedLimit = 200;

/** A subscription with more to send makes room for others after so long, and comes back. */
const sessionMs = 5_000;

type DelivererServices = Pick<
  WebhookServices,
  'database' | 'clock' | 'config' | 'keyring' | 'log' | 'metrics' | 'webhookSender'
>;

export interface DelivererOptions {
  /** Aborted at shutdown. */
  signal: AbortSignal;
  /** Told of every attempt that is to be repeated, once that is committed. Never rejects. */
  onRetry: (retry: Retry) => Promise<void>;
}

export interface Retry {
  subscriptionId: string;
  deliveryId: string;
  /** Attempts that were made. */
  attempts: number;
  delaySeconds: number;
}

/** What to do next about a subscription: nothing, or come back since more is due. */
export type Remainder = 'nothing' | 'more' | 'more, but failing';

export interface Deliverer {
  /**
   * Sends what is due to a subscription, for a turn. Where a turn is under way it is told to look
   * again, and this has nothing to do. `whileFailing`: whether to go on after a failed attempt.
   * Rejects when the database fails; what was not recorded then is sent again.
   */
  deliver(subscriptionId: string, options: { whileFailing: boolean }): Promise<Remainder>;
}

/** A subscription that this process is at. */
interface Session {
  /** Something new is due. */
  lookAgain(): void;
  /** Whether to stop here, though more may be due. */
  isOver(health: Health): boolean;
}

/**
 * Sends the deliveries of subscriptions. A claim gives a whole subscription to one process at a
 * time: its requests are counted where they are made, and no two send the same delivery.
 */
export function createDeliverer(
  context: DelivererServices,
  { signal, onRetry }: DelivererOptions,
): Deliverer {
  const { database, clock, config, keyring, log, metrics, webhookSender } = context;
  const schedule = config.webhookRetryScheduleSeconds;
  const deliveryStore = createDeliveryStore(database);
  const sessions = new Map<string, Session>();

  async function runSession(subscriptionId: string, session: Session): Promise<Remainder> {
    for (;;) {
      const claimed = await deliveryStore.claim(subscriptionId);
      if (claimed === null) return 'nothing';
      const state = { id: subscriptionId, health: { ...claimed, disabledReason: null } as Health };
      const isOver = session.isOver(state.health);
      try {
        if (!isOver) await sendDue(claimed, session, state);
      } finally {
        await deliveryStore.release(state.id, state.health);
      }
      if (isOver) return state.health.failingSince === null ? 'more' : 'more, but failing';
    }
  }

  /** Sends what is due, two at once, until nothing is or the turn is over. Keeps the health. */
  async function sendDue(
    claimed: ClaimedSubscription,
    session: Session,
    state: { health: Health },
  ): Promise<void> {
    const secret = openSigningSecret(keyring, claimed.signingSecretSealed);
    const read = () => listDueDeliveries(database, claimed.id, dueLimit);
    const buffer = createDeliveryBuffer(claimed.deliveries, read, dueLimit);
    const senders = new Set<Promise<void>>();
    const unrecorded = new Set<Promise<void>>();
    let failure: Error | undefined;

    async function sendOneByOne(): Promise<void> {
      while (failure === undefined && !session.isOver(state.health)) {
        const delivery = await buffer.next();
        if (delivery === undefined) return;
        const result = await attempt(claimed, secret, delivery);
        if (result.outcome === 'aborted') return;
        const recorded: Promise<void> = recordOutcome(claimed.id, delivery, result, state)
          .then((isLive) => buffer.confirm(isLive))
          .catch((error: Error) => {
            failure ??= error;
          })
          .finally(() => unrecorded.delete(recorded));
        unrecorded.add(recorded);
        const [oldest] = unrecorded;
        if (unrecorded.size >= unrecordedLimit) await oldest;
      }
    }

    function startSenders(): void {
      while (senders.size < requestsPerSubscription) {
        const sender: Promise<void> = sendOneByOne()
          .catch((error: Error) => {
            failure ??= error;
          })
          .finally(() => senders.delete(sender));
        senders.add(sender);
      }
    }

    session.lookAgain = () => {
      buffer.lookAgain();
      startSenders();
    };
    startSenders();
    while (senders.size + unrecorded.size > 0) await Promise.all([...senders, ...unrecorded]);
    session.lookAgain = () => undefined;
    if (failure !== undefined) throw failure;
    const { disabledReason } = state.health;
    if (disabledReason === null) return;
    await disableSubscription(database, claimed.id, disabledReason);
    log.info({ subscription_id: claimed.id, reason: disabledReason }, 'webhook disabled');
  }

  async function attempt(
    { id, url }: ClaimedSubscription,
    secret: string,
    delivery: DueDelivery,
  ): Promise<SendResult> {
    const { eventId, body, attempts, dueAt } = delivery;
    const startedAt = clock.now();
    const timestampSeconds = startedAt / 1000;
    const headers = { ...signDelivery({ secret, messageId: eventId, timestampSeconds, body }) };
    const result = await webhookSender.send({ url, headers, body, signal });
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

  /** Resolves when the outcome is committed, with whether the subscription still lives. */
  async function recordOutcome(
    subscriptionId: string,
    { id: deliveryId, attempts: attemptsBefore }: DueDelivery,
    result: SendResult,
    state: { health: Health },
  ): Promise<boolean> {
    const attempts = attemptsBefore + 1;
    const made = { id: deliveryId, attempt: attempts };
    const judged = attemptOutcome(result, made, state.health, { schedule, now: clock.now() });
    state.health = judged.health;
    const isLive = await deliveryStore.record(subscriptionId, judged.outcome, judged.health);
    const { delaySeconds } = judged.outcome;
    if (delaySeconds !== null) {
      await onRetry({ subscriptionId, deliveryId, attempts, delaySeconds });
    }
    return isLive;
  }

  return {
    async deliver(subscriptionId, { whileFailing }) {
      const running = sessions.get(subscriptionId);
      if (running !== undefined) {
        running.lookAgain();
        return 'nothing';
      }
      const endsAt = performance.now() + sessionMs;
      const session: Session = {
        lookAgain: () => undefined,
        isOver: ({ failingSince, disabledReason }) =>
          signal.aborted ||
          performance.now() >= endsAt ||
          disabledReason !== null ||
          (failingSince !== null && !whileFailing),
      };
      sessions.set(subscriptionId, session);
      try {
        return await runSession(subscriptionId, session);
      } finally {
        sessions.delete(subscriptionId);
      }
    },
  };
}
