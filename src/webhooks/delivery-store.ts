import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../database/rows/schema.js';
import { createBatcher } from '../platform/concurrency.js';
import {
  claimDueDeliveries,
  recordAttempts,
  type DeliveryOutcome,
  type SubscriptionState,
} from '../repositories/webhook-deliveries.js';
import type { ReceiverHealth } from './attempt-outcome.js';

/**
 * The lifetime of a claim: longer than a request may take, so that it expires only if its process has
 * died.
 */
const claimSeconds = 20;

/** No process sends to a subscription while it is claimed, so a release that fails is retried. */
const releasePausesMs = [100, 400, 1_600];
const releaseWithinMs = 4_000;

const claimsPerStatement = 50;
const recordsPerStatement = 500;

/** The interval in which outcomes of a fast receiver share statements: less than half as many. */
const recordIntervalMs = 10;

/** The most due deliveries that are read at once. */
export const batchSize = 500;

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** Claims subscriptions and records outcomes; those of many subscriptions share statements. */
export function createDeliveryStore(database: Kysely<Database>) {
  /** Null if nothing is due, or another process has the claim. */
  const claim = createBatcher(async (ids: string[]) => {
    const rows = await claimDueDeliveries(database, ids, { claimSeconds, limit: batchSize });
    const claimed = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const subscription = claimed.get(id) ?? null;
      // The first caller that claims it in a batch gets it.
      claimed.delete(id);
      return subscription;
    });
  }, claimsPerStatement);

  const write = createBatcher(
    async (entries: { state: SubscriptionState; outcome: DeliveryOutcome | null }[]) => {
      const outcomes = entries.flatMap(({ outcome }) => outcome ?? []);
      // The newest state of each subscription counts.
      const states = new Map(entries.map(({ state }) => [state.id, state]));
      const live = await recordAttempts(database, outcomes, [...states.values()], { claimSeconds });
      return entries.map(({ state }) => live.has(state.id));
    },
    recordsPerStatement,
    recordIntervalMs,
  );

  const stateOf = (id: string, { hasSucceeded, failingSince, failuresInARow }: ReceiverHealth) => ({
    id,
    hasSucceeded,
    failing: failingSince !== null,
    failuresInARow,
  });
  /** Ends the claim. Retries for some seconds if the database fails. */
  async function release(id: string, health: ReceiverHealth): Promise<void> {
    const entry = { state: { ...stateOf(id, health), released: true }, outcome: null };
    // Later, the claim may have expired and be another process's.
    const lastTryAt = performance.now() + releaseWithinMs;
    for (const pauseMs of releasePausesMs) {
      try {
        await write(entry);
        return;
      } catch (error) {
        if (performance.now() + pauseMs > lastTryAt) throw error;
        await delay(pauseMs);
      }
    }
    await write(entry);
  }

  return {
    claim,
    /**
     * Prolongs or ends the claim. Resolves when the outcome and the health are committed, with whether the
     * subscription is still live.
     */
    record: (id: string, outcome: DeliveryOutcome, health: ReceiverHealth, released: boolean) =>
      write({ state: { ...stateOf(id, health), released }, outcome }),
    release,
  };
}
