import type { WebhookRequest } from '../../generated/schemas.js';
import type { Caller } from '../access/caller.js';
import { webhookCaps } from '../config/limits.js';
import type { DatabaseServices } from '../database/services.js';
import type { WebhookSubscriptionRow } from '../database/webhook-tables.js';
import { ServiceError } from '../errors.js';
import {
  countLiveSubscriptions,
  deleteSubscription,
  findSubscriptionByToken,
  insertSubscription,
  listRecentDeliveries,
  listSecretsSealedByOtherKeys,
  type LiveSubscriptions,
  lockSubscriptionCreation,
  type RecentDelivery,
  replaceSealedSecret,
} from '../repositories/webhook-subscriptions.js';
import { sha256 } from '../secrets/keyring.js';
import {
  createCredential,
  createSigningSecret,
  isCredential,
  openSigningSecret,
  sealSigningSecret,
} from '../secrets/tokens.js';
import type { DomainServices } from './deps.js';

/** Also that of the hashes that are stored already. */
const callerPurpose = 'webhook subscriber address';

const recentDeliveriesLimit = 20;

/** When a subscription will be deleted is unknown. */
const retryAfterCapSeconds = 3600;

/**
 * Subscribes a URL to events. An invalid URL costs a read, as all that fails validation does; the
 * budget `webhooks` is charged before DNS is queried.
 *
 * Throws `invalid_request`, `rate_limited` (the budget, or a cap of live subscriptions).
 */
export async function subscribe(
  {
    database,
    keyring,
    webhookTargets,
  }: Pick<DomainServices, 'database' | 'keyring' | 'webhookTargets'>,
  caller: Caller,
  request: Required<WebhookRequest>,
): Promise<{ subscription: WebhookSubscriptionRow; signingSecret: string; manageToken: string }> {
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
    checkCaps(
      await countLiveSubscriptions(transaction, { callerHashes, targetHost, targetDomain }),
    );
    return insertSubscription(transaction, values);
  });
  return { subscription, signingSecret, manageToken };
}

function targetRefused(message: string): ServiceError {
  return new ServiceError('invalid_request', { details: [{ path: 'body.url', message }] });
}

function checkCaps(live: LiveSubscriptions): void {
  const { perNetwork, perDomain, total } = webhookCaps;
  const remedy =
    'Delete one (DELETE /api/public/webhooks with its manage token), then subscribe again.';
  let message: string;
  if (live.ofCaller >= perNetwork) {
    message = `Your IPv4 address or IPv6 network (/48) has ${perNetwork} live webhook subscriptions already, the most it may have. ${remedy}`;
  } else if (live.ofDomain >= perDomain) {
    message = `The domain of url is the target of ${perDomain} live webhook subscriptions already, the most it may be. ${remedy}`;
  } else if (live.total >= total) {
    message = `The service has ${total} live webhook subscriptions already, the most it takes. Try again later, and read GET /api/public/bookings/{id} meanwhile.`;
  } else {
    return;
  }
  throw new ServiceError('rate_limited', { message, retryAfterSeconds: retryAfterCapSeconds });
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
