import pLimit from 'p-limit';
import { requestsPerSubscription } from '../config/limits.js';
import type { ClaimedSubscription } from '../repositories/webhook-deliveries.js';
import { disableSubscription } from '../repositories/webhook-subscriptions.js';
import {
  announceMoreDue,
  beginClaim,
  createSession,
  isOver,
  sendDueDeliveries,
  type DeliverySession,
  type SessionServices,
} from './delivery-session.js';
import { createDeliveryStore } from './delivery-store.js';
import type { DelivererServices } from './services.js';

/** The due deliveries of a subscription when its session ends. */
export type Remainder = 'nothing' | 'more' | 'more, but failing';

/**
 * Sends the due deliveries of a subscription, for some seconds. If this process has a session in
 * progress, that one reads again, and this resolves with 'nothing'. `whileFailing`: whether to continue
 * after a failed attempt. Rejects when the database fails; unrecorded deliveries are sent again.
 */
export type Deliver = (subscriptionId: string, whileFailing: boolean) => Promise<Remainder>;

/**
 * Sends the deliveries of subscriptions. A claim gives a whole subscription to one process at a
 * time, so its requests in flight are counted in that process, and no two processes send the same
 * delivery.
 */
export function createDeliverer(delivererServices: DelivererServices): Deliver {
  const store = createDeliveryStore(delivererServices.database);
  const { maxRequests } = delivererServices.webhookSender;
  // For each of the two limits.
  const requestsPerPlace = requestsPerSubscription * 2;
  const sessionsAtOnce = Math.max(1, Math.floor(maxRequests / requestsPerPlace));
  const services: SessionServices = { ...delivererServices, store };
  const sessions = new Map<string, DeliverySession | 'waiting'>();
  // The places are separate, so that receivers that are down do not take those of the others.
  const [places, placesWhileFailing] = [pLimit(sessionsAtOnce), pLimit(sessionsAtOnce)];

  async function serve(subscriptionId: string, whileFailing: boolean): Promise<Remainder> {
    const session = createSession(whileFailing);
    sessions.set(subscriptionId, session);
    try {
      for (;;) {
        session.moreDue = false;
        const claimed = await store.claim(subscriptionId);
        if (claimed === null) {
          // Another job announced more during the claim.
          if (session.moreDue) continue;
          return 'nothing';
        }
        beginClaim(session, claimed);
        // The claim has then found what is left for another job.
        const wasOver = isOver(session, services.shutdown);
        await serveClaim(services, session, claimed);
        if (wasOver) return session.health.failingSince === null ? 'more' : 'more, but failing';
      }
    } finally {
      sessions.delete(subscriptionId);
    }
  }

  return async (subscriptionId, whileFailing) => {
    const running = sessions.get(subscriptionId);
    if (running !== undefined) {
      // A waiting session claims everything that is due by then.
      if (running !== 'waiting') announceMoreDue(running);
      return 'nothing';
    }
    sessions.set(subscriptionId, 'waiting');
    const inPlace = whileFailing ? placesWhileFailing : places;
    return inPlace(serve, subscriptionId, whileFailing);
  };
}

async function serveClaim(
  services: SessionServices,
  session: DeliverySession,
  subscription: ClaimedSubscription,
): Promise<void> {
  const { database, log, store } = services;
  try {
    await sendDueDeliveries(services, session, subscription);
    const { disabledReason } = session.health;
    if (disabledReason === null) return;
    await disableSubscription(database, subscription.id, disabledReason);
    log.info({ subscription_id: subscription.id, reason: disabledReason }, 'webhook disabled');
  } finally {
    if (!session.isReleased) await store.release(subscription.id, session.health);
  }
}
