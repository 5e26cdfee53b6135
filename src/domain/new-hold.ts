import type { HoldRequest } from '../../generated/schemas.js';
import type { Caller } from '../access/caller.js';
import type { AccessServices } from '../access/services.js';
import type { Config, ConfirmationProof } from '../config/config.js';
import { pendingHoldsOfPlatform } from '../config/limits.js';
import type { DatabaseServices } from '../database/services.js';
import { expireDueHolds } from '../repositories/booking-transitions.js';
import type { HoldCaps, NewHold, ReplacedHold } from '../repositories/holds.js';
import type { BookedSlot } from '../repositories/slot-taking.js';
import { longestSessionHours } from '../schedule/slots.js';
import { type Keyring, sha256 } from '../secrets/keyring.js';
import { sealCheckoutToken } from '../secrets/links.js';
import { liveBookingsPerCaller } from './caps.js';
import { type IdempotencyKey, requestFingerprints } from './hold-request.js';
import { holdDetails } from './person.js';

export function newHold(
  { config, keyring }: Pick<AccessServices, 'config' | 'keyring'>,
  caller: Caller,
  request: HoldRequest,
  slot: BookedSlot,
  idempotencyKey: IdempotencyKey | null,
  checkoutToken: string,
  replaced: ReplacedHold | null,
): NewHold {
  const [requestHash] = requestFingerprints(keyring, request);
  if (requestHash === undefined) throw new Error('a keyring has at least one key');
  return {
    ...slot,
    lifetimeSeconds: config.holdLifetimeSeconds,
    channel: caller.channel,
    platform: caller.platform?.name ?? null,
    ...holdDetails(request),
    callerNetworkHashes: networkHashes(keyring, caller),
    apiKeyId: caller.apiKeyId,
    checkoutTokenHash: sha256(checkoutToken),
    checkoutTokenSealed: sealCheckoutToken(keyring, checkoutToken),
    idempotencyKey: idempotencyKey?.key ?? null,
    idempotencyScope: idempotencyKey?.scopes[0] ?? null,
    requestHash,
    formNonceHash: idempotencyKey?.formNonceHash ?? null,
    replaced,
  };
}

/** At a platform, its person is the caller; where it names none, only the platform's caps count. */
function networkHashes(
  keyring: Keyring,
  { network, platform, personHashes }: Caller,
): readonly Buffer[] {
  if (platform !== null) return personHashes ?? [];
  return keyring.fingerprints(network, 'caller network');
}

export function holdCaps(config: Config, { platform }: Caller, proof: ConfirmationProof): HoldCaps {
  return {
    pendingOfStudio: config.maxPendingHolds,
    pendingInCommon: config.maxPendingHolds - Math.floor(config.maxPendingHolds / 3),
    pendingOfCaller: config.maxPendingHoldsPerCaller,
    liveOfPerson: config.maxLiveBookingsPerPerson,
    isCodeRequired: proof === 'code',
    liveOfCaller: liveBookingsPerCaller(config, proof),
    platform:
      platform === null
        ? null
        : {
            pending: pendingHoldsOfPlatform(config, platform.pendingHoldsPercent),
            live: platform.liveBookings,
          },
    sessionHours: longestSessionHours,
  };
}

/** Records the expiry of all lapsed holds. Their slots are free already, by `expires_at`. */
export async function expireHolds({
  database,
  metrics,
}: Pick<DatabaseServices, 'database' | 'metrics'>): Promise<void> {
  let lateness: number[];
  do {
    lateness = await expireDueHolds(database);
    for (const seconds of lateness) metrics.observe('expiryLateness', {}, seconds);
  } while (lateness.length > 0);
}
