import type { Transaction } from 'kysely';
import type { WebhookRequest } from '../../generated/schemas.js';
import type { Caller } from '../access/caller.js';
import { warnDaily } from '../access/warnings.js';
import { webhookCaps } from '../config/limits.js';
import type { RecentDelivery } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import type { WebhookSubscriptionRow } from '../database/rows/webhooks.js';
import type { DatabaseServices } from '../database/services.js';
import { ServiceError } from '../errors.js';
import {
  countLiveSubscriptions,
  deleteSubscription,
  disableSubscription,
  findOldestUnproven,
  findSubscriptionByToken,
  insertSubscription,
  listRecentDeliveries,
  listSecretsSealedByOtherKeys,
  type LiveSubscriptions,
  lockSubscriptionCreation,
  replaceSealedSecret,
} from '../repositories/webhook-subscriptions.js';
import { count } from '../schedule/words.js';
import { sha256 } from '../secrets/keyring.js';
import {
  createCredential,
  createSigningSecret,
  isCredential,
  openSigningSecret,
  sealSigningSecret,
} from '../secrets/tokens.js';
import type { DomainServices } from './deps.js';

/** The purpose of the caller's hash, also of stored ones. */
const callerPurpose = 'webhook subscriber address';

const recentDeliveriesLimit = 20;

/** A guess: nobody knows when a subscription will be deleted. */
const retryAfterCapSeconds = 3600;

/**
 * Subscribes a URL to events. An invalid URL costs a read, like every failed validation; the budget
 * `webhooks` is charged before DNS is queried.
 *
 * Throws `invalid_request`, `rate_limited` (the budget, or a cap of live subscriptions).
 */
export async function subscribe(
  context: Pick<DomainServices, 'database' | 'keyring' | 'webhookTargets' | 'limitStore' | 'log'>,
  caller: Caller,
  request: Required<WebhookRequest>,
): Promise<{ subscription: WebhookSubscriptionRow; signingSecret: string; manageToken: string }> {
  const { database, keyring, webhookTargets } = context;
  const target = webhookTargets.checkUrl(request.url);
  if (!target.allowed) throw targetRefused(target.message);
  await caller.meter.chargeTo('webhooks');
  const refusal = await webhookTargets.checkResolves(target.url);
  if (refusal !== null) {
    await caller.meter.chargeTo('reads');
    throw targetRefused(refusal.message);
  }

  const signingSecret = createSigningSecret();
  const manageToken = createCredential('tsm');
  const targetHost = target.url.hostname;
  const targetDomain = await webhookTargets.domainOf(target.url);
  const values = {
    url: request.url,
    target_host: targetHost,
    events: request.events,
    signing_secret_sealed: sealSigningSecret(keyring, signingSecret),
    manage_token_hash: sha256(manageToken),
    caller_hash: keyring.fingerprint(caller.network, callerPurpose),
  };
  // Versions up to 2.8.2 stored the hash of the address: for IPv6, of a /64.
  const callerHashes = [caller.network, caller.address].flatMap((group) =>
    keyring.fingerprints(group, callerPurpose),
  );
  const subscription = await database.transaction().execute(async (transaction) => {
    await lockSubscriptionCreation(transaction);
    const live = await countLiveSubscriptions(transaction, {
      callerHashes,
      targetHost,
      targetDomain,
    });
    checkCaps(live);
    if (live.total >= webhookCaps.total) await makeRoom(transaction);
    reportScarcity(context, Math.min(live.total + 1, webhookCaps.total));
    return insertSubscription(transaction, values);
  });
  return { subscription, signingSecret, manageToken };
}

function targetRefused(message: string): ServiceError {
  return new ServiceError('invalid_request', { details: [{ path: 'body.url', message }] });
}

function checkCaps({ ofCaller, ofDomain, total }: LiveSubscriptions): void {
  const isScarce = total >= webhookCaps.scarceFrom;
  const capOf = (cap: number) => (isScarce ? 1 : cap);
  const rule = isScarce
    ? `Since ${webhookCaps.scarceFrom} of the ${webhookCaps.total} that the service takes are live, a network and a domain may each have one.`
    : 'That is the most it may have.';
  const remedy =
    'Delete what you do not need (DELETE /api/public/webhooks with its manage token), then subscribe again.';
  if (ofCaller >= capOf(webhookCaps.perNetwork)) {
    throw atCap(
      `Your IPv4 address or IPv6 network (/48) has ${count(ofCaller, 'live webhook subscription')} already. ${rule} ${remedy}`,
    );
  }
  if (ofDomain >= capOf(webhookCaps.perDomain)) {
    throw atCap(
      `The domain of url is the target of ${count(ofDomain, 'live webhook subscription')} already. ${rule} ${remedy}`,
    );
  }
}

/** Disables the oldest subscription that never succeeded. Throws `rate_limited` where there is none. */
async function makeRoom(transaction: Transaction<Database>): Promise<void> {
  const oldest = await findOldestUnproven(transaction);
  if (oldest === null) {
    throw atCap(
      `The service has ${count(webhookCaps.total, 'live webhook subscription')} already, the most it takes. Try again later, and read GET /api/public/bookings/{id} meanwhile.`,
    );
  }
  await disableSubscription(transaction, oldest, 'never_succeeded');
}

function atCap(message: string): ServiceError {
  return new ServiceError('rate_limited', { message, retryAfterSeconds: retryAfterCapSeconds });
}

/** Warns the operator once a day about few free subscriptions. */
function reportScarcity(
  services: Pick<DomainServices, 'limitStore' | 'log'>,
  subscriptions: number,
): void {
  if (subscriptions < webhookCaps.warnFrom) return;
  warnDaily(services, 'webhook subscriptions', {
    facts: { subscriptions, max_webhooks: webhookCaps.total },
    message:
      'most places for webhook subscriptions are taken; once all are, a new one replaces the oldest that never succeeded; "studio webhooks list" shows them, "studio webhooks disable" frees a place (logged at most once a day)',
  });
}

/** Throws `manage_token_missing`, `manage_token_invalid`. */
export async function readSubscription(
  { database }: Pick<DatabaseServices, 'database'>,
  manageToken: string | null,
): Promise<{ subscription: WebhookSubscriptionRow; recentDeliveries: RecentDelivery[] }> {
  if (manageToken === null) throw new ServiceError('manage_token_missing');
  const subscription = await findByToken(database, manageToken);
  if (subscription === null) throw new ServiceError('manage_token_invalid');
  return {
    subscription,
    recentDeliveries: await listRecentDeliveries(database, subscription.id, recentDeliveriesLimit),
  };
}

/** Returns the id of the deleted subscription. Throws `manage_token_missing`, `subscription_not_found`. */
export async function unsubscribe(
  { database }: Pick<DatabaseServices, 'database'>,
  manageToken: string | null,
): Promise<string> {
  if (manageToken === null) throw new ServiceError('manage_token_missing');
  const row = await findByToken(database, manageToken);
  if (row === null) throw new ServiceError('subscription_not_found');
  const deleted = await database
    .transaction()
    .execute((transaction) => deleteSubscription(transaction, row.id));
  if (!deleted) throw new ServiceError('subscription_not_found');
  return row.id;
}

async function findByToken(
  database: DatabaseServices['database'],
  manageToken: string,
): Promise<WebhookSubscriptionRow | null> {
  if (!isCredential('tsm', manageToken)) return null;
  return findSubscriptionByToken(database, sha256(manageToken));
}

/** Reseals the signing secrets under the current key, so that SECRET_KEY_PREVIOUS can be removed. */
export async function resealSigningSecrets({
  database,
  keyring,
}: Pick<DatabaseServices, 'database' | 'keyring'>): Promise<void> {
  if (keyring.previousKeyId === null) return;
  for (const row of await listSecretsSealedByOtherKeys(database, keyring.currentKeyId)) {
    const secret = openSigningSecret(keyring, row.signing_secret_sealed);
    await replaceSealedSecret(database, row.id, sealSigningSecret(keyring, secret));
  }
}
