import canonicalizeModule from 'canonicalize';
import type { HoldRequest } from '../../../generated/schemas.js';
import type { Caller } from '../../access/caller.js';
import type { AccessServices } from '../../access/services.js';
import type { CalendarState } from '../../board/board.js';
import type { Config, ConfirmationProof } from '../../config/config.js';
import { pendingHoldsOfPlatform } from '../../config/limits.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { expireDueHolds } from '../../repositories/booking-transitions.js';
import type { HoldCaps } from '../../repositories/caps.js';
import type { NewHold } from '../../repositories/holds.js';
import { longestSessionHours, type Slot, slotKey } from '../../schedule/slots.js';
import { type Keyring, sha256 } from '../../secrets/keyring.js';
import { sealCheckoutToken } from '../../secrets/links.js';
import { bookedSlot } from './booked-slot.js';
import { liveBookingsPerCaller } from './caps.js';
import { type HoldDetails, holdDetails } from './person.js';

/** The row of a hold in the slot of the request, as `state` has it. */
export function newHold(
  { config, keyring }: Pick<AccessServices, 'config' | 'keyring'>,
  caller: Caller,
  request: HoldRequest,
  state: CalendarState,
  idempotencyKey: IdempotencyKey | null,
  checkoutToken: string,
  choice: RequestedPerson & Pick<NewHold, 'replaced' | 'artistId' | 'artistCap' | 'language'>,
): NewHold {
  const [requestHash] = requestFingerprints(keyring, request);
  if (requestHash === undefined) throw new Error('a keyring has at least one key');
  return {
    ...bookedSlot(state, { date: request.date, timeSlot: request.time_slot }, choice.artistId),
    lifetimeSeconds: config.holdLifetimeSeconds,
    channel: caller.channel,
    platform: caller.platform?.name ?? null,
    apiKeyId: caller.apiKeyId,
    checkoutTokenHash: sha256(checkoutToken),
    checkoutTokenSealed: sealCheckoutToken(keyring, checkoutToken),
    idempotencyKey: idempotencyKey?.key ?? null,
    idempotencyScope: idempotencyKey?.scopes[0] ?? null,
    requestHash,
    formNonceHash: idempotencyKey?.formNonceHash ?? null,
    isOnlyArtist: state.artists.length === 1,
    handover: { city: state.studio.city, proof: state.mode.confirmation },
    ...choice,
  };
}

/** Who placed a booking that is held again, and whether its person had chosen the artist. */
export type Placement = Pick<BookingRow, 'caller_network_hash' | 'api_key_id' | 'is_artist_chosen'>;

/** The columns of a hold that say who its person and its caller are. */
export type RequestedPerson = Pick<NewHold, keyof HoldDetails | 'callerNetworkHashes' | 'placers'>;

/** `follows`: the booking that is held again, whoever placed it. */
export function personOfRequest(
  keyring: Keyring,
  caller: Caller,
  request: HoldRequest,
  follows: Placement | null,
): RequestedPerson {
  const { network, platform, personHashes, apiKeyId } = caller;
  // At a platform, the caller is its person; if it names none, only the platform's caps count.
  const callerNetworkHashes =
    platform === null ? keyring.fingerprints(network, 'caller network') : (personHashes ?? []);
  const placers = {
    networkHashes: [...callerNetworkHashes, follows?.caller_network_hash ?? null],
    apiKeyIds: [apiKeyId, follows?.api_key_id ?? null],
  };
  return { ...holdDetails(request), callerNetworkHashes, placers };
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

/**
 * HMACs of the canonical JSON (RFC 8785) of the request, one per known secret key, the current one
 * first.
 */
export function requestFingerprints(keyring: Keyring, request: HoldRequest): Buffer[] {
  return keyring.fingerprints(canonicalize(request), 'hold request');
}

/** An Idempotency-Key as it is stored: unique within its scope. */
export interface IdempotencyKey {
  key: string;
  /** The scope under each known secret key, current first. */
  scopes: Buffer[];
  /** The nonce of the form that is the scope: the browser that has it finds its hold. */
  formNonceHash?: Buffer;
}

/** A key sent by a caller. Its scope is the API key or, without one, the e-mail of the request. */
export function idempotencyKeyOf(
  keyring: Keyring,
  apiKeyId: string | null,
  request: HoldRequest,
  key: string,
): IdempotencyKey {
  const owner =
    apiKeyId === null ? `email ${request.email.trim().toLowerCase()}` : `key ${apiKeyId}`;
  return { key, scopes: keyring.fingerprints(owner, 'idempotency scope') };
}

/**
 * The key for holding an expired booking again, in a scope that no caller can use. `other`: another slot
 * than its own.
 */
export function holdAgainKey(
  keyring: Keyring,
  bookingId: string,
  other: Slot | null,
): IdempotencyKey {
  const scopes = keyring.fingerprints(`booking ${bookingId}`, 'idempotency scope');
  return { key: other === null ? 'hold again' : `hold again ${slotKey(other)}`, scopes };
}

/**
 * The key of a form, in a scope that no caller can use: sent twice, it places one hold; corrected,
 * another. `nonce`: random, of the form as it was shown.
 */
export function formKey(
  keyring: Keyring,
  nonce: string,
  request: HoldRequest,
  artistId: number | null,
): IdempotencyKey {
  const artist = artistId === null ? '' : `artist ${artistId} `;
  const scopes = keyring.fingerprints(
    `form ${nonce} ${artist}${canonicalize(request)}`,
    'idempotency scope',
  );
  return { key: 'form', scopes, formNonceHash: sha256(nonce) };
}

/** The value of an Idempotency-Key header, bare or as a quoted string (RFC 8941); null without one. */
export function parseIdempotencyKey(key: string | undefined): string | null {
  if (key === undefined) return null;
  return key.startsWith('"') && key.endsWith('"') && key.length > 2 ? key.slice(1, -1) : key;
}

// The package is CommonJS and exports the function itself; its types say `exports.default`.
const serialize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** RFC 8785: equal JSON values give equal text. */
function canonicalize(value: object): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}
