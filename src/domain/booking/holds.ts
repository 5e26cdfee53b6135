import type { HoldRequest } from '../../../generated/schemas.js';
import type { Caller } from '../../access/caller.js';
import type { CalendarState } from '../../board/board.js';
import { stateOfArtist } from '../../board/calendar-state.js';
import type { ReplacedHold, ReplayableHold } from '../../database/rows/results.js';
import { ServiceError } from '../../errors.js';
import { findHoldByIdempotencyKey } from '../../repositories/bookings.js';
import { secondsUntilPlaceIsFree } from '../../repositories/caps.js';
import { insertHold, type NewHold } from '../../repositories/holds.js';
import type { PersonOfCaller } from '../../repositories/person-sessions.js';
import { slotState, type SlotState } from '../../schedule/calendar.js';
import type { Slot } from '../../schedule/slots.js';
import { openCheckoutToken } from '../../secrets/links.js';
import { createCheckoutToken } from '../../secrets/tokens.js';
import type { DomainServices } from '../deps.js';
import { bookedSlot } from './booked-slot.js';
import {
  artistCap,
  refuseBeyondArtistCap,
  reportCallerAtCap,
  reportPlatformAtCap,
  tooManyHoldsOfArtist,
  tooManyLiveBookings,
  tooManyPendingHolds,
} from './caps.js';
import {
  holdCaps,
  newHold,
  type IdempotencyKey,
  idempotencyKeyOf,
  personOfRequest,
  type Placement,
  requestFingerprints,
} from './new-hold.js';
import { stateForPerson } from './person-sessions.js';
import { expectPerson } from './person.js';
import { ownSessionThen, slotUnavailable } from './slot-unavailable.js';

export type HoldServices = Pick<
  DomainServices,
  | 'database'
  | 'connect'
  | 'board'
  | 'clock'
  | 'config'
  | 'keyring'
  | 'slotMutex'
  | 'limitStore'
  | 'log'
  | 'metrics'
>;

/** As it was placed: the person may have moved or confirmed it before a replay. */
export interface PlacedHold extends Pick<ReplayableHold, 'booking' | 'handover'> {
  /** The secret part of the checkout URL. */
  checkoutToken: string;
  /** True if an earlier request with the same Idempotency-Key placed this hold. */
  replayed: boolean;
}

/**
 * Holds a slot. Concurrent requests with one Idempotency-Key, and concurrent requests for one slot,
 * are serialized per process; those without a key that lose the slot are refused by the in-memory
 * board, without a query. A new hold is charged to the caller's `holds` budget, a replay to its base
 * budget.
 *
 * Throws `invalid_request`, `rate_limited`, `idempotency_key_reused`, `slot_unavailable`,
 * `too_many_pending_holds`.
 */
export async function placeHold(
  context: HoldServices,
  caller: Caller,
  request: HoldRequest,
  idempotencyKey: string | null,
): Promise<PlacedHold> {
  const { keyring } = context;
  const key =
    idempotencyKey === null
      ? null
      : idempotencyKeyOf(keyring, caller.apiKeyId, request, idempotencyKey);
  return placeHoldOnce(context, caller, request, key);
}

export interface HoldOptions {
  /** The caller's own hold of the slot, which the new one replaces; null if it has none any more. */
  replaced?: ReplacedHold | null | undefined;
  /** Whom the person has chosen; null: whoever is free. */
  artistId?: number | null;
  /** Whether the caller has the slot already, with any artist: then only a replay succeeds. */
  hasSlot?: boolean;
  /** The expired hold that is held again: its phone may be one that an earlier version accepted. */
  follows?: Placement | null;
}

/** Like `placeHold`, with an Idempotency-Key whose scope is already chosen. */
export async function placeHoldOnce(
  context: HoldServices,
  caller: Caller,
  request: HoldRequest,
  idempotencyKey: IdempotencyKey | null,
  options: HoldOptions = {},
): Promise<PlacedHold> {
  const { metrics } = context;
  try {
    const hold = await placeOrReplay(context, caller, request, idempotencyKey, options);
    metrics.count('holds', { outcome: hold.replayed ? 'replayed' : 'held' });
    return hold;
  } catch (error) {
    metrics.count('holds', {
      outcome: error instanceof ServiceError ? error.code : 'internal_error',
    });
    throw error;
  }
}

async function placeOrReplay(
  context: HoldServices,
  caller: Caller,
  request: HoldRequest,
  idempotencyKey: IdempotencyKey | null,
  { replaced, artistId = null, hasSlot = false, follows = null }: HoldOptions,
): Promise<PlacedHold> {
  const place = async () => {
    // Not of a replay.
    const { studio } = await context.board.read();
    const phone = follows === null ? request.phone : null;
    expectPerson({ name: request.name, phone }, studio);
    await caller.meter.chargeTo('holds');
    // Another process may have replaced it, for the same request.
    if (replaced !== undefined) await context.board.refresh();
    return context.slotMutex.run(`slot ${request.date} ${request.time_slot}`, async () => {
      const person = personOfRequest(context.keyring, caller, request, follows);
      if (hasSlot) {
        const slot = { date: request.date, timeSlot: request.time_slot };
        const state = await context.board.read();
        const reason = slotState(state.calendar, state.taken, slot, context.clock.now());
        throw await notOpen(context, state, slot, reason === 'open' ? 'held' : reason, person);
      }
      const isChosen = follows?.is_artist_chosen ?? true;
      const choice = { replaced: replaced ?? null, artistId, isChosen };
      return placeNewHold(context, caller, request, idempotencyKey, person, choice);
    });
  };
  if (idempotencyKey === null) return place();

  const { key, scopes } = idempotencyKey;
  const mutexKey = `key ${scopes[0]?.toString('base64')} ${key}`;
  return context.slotMutex.run(mutexKey, async () => {
    await caller.meter.allowLookup('holds');
    const replay = () => findReplay(context, caller, request, idempotencyKey);
    try {
      return (await replay()) ?? (await place());
    } catch (error) {
      // Since the first lookup, another process may have placed the hold that this board now shows.
      const isLost = error instanceof ServiceError && error.code === 'slot_unavailable';
      const placed = isLost ? await replay() : null;
      if (placed === null) throw error;
      return placed;
    }
  });
}

/**
 * Returns the hold that an earlier request with this key placed, and charges the base budget; null
 * if there is none. Throws `idempotency_key_reused` if that request had a different body.
 */
async function findReplay(
  context: HoldServices,
  caller: Caller,
  request: HoldRequest,
  { key, scopes }: IdempotencyKey,
): Promise<PlacedHold | null> {
  const hold = await findHoldByIdempotencyKey(context.database, scopes, key);
  if (hold === null) return null;
  await caller.meter.chargeTo(caller.meter.base);
  const fingerprints = requestFingerprints(context.keyring, request);
  if (!fingerprints.some((fingerprint) => hold.requestHash?.equals(fingerprint))) {
    throw new ServiceError('idempotency_key_reused');
  }
  const checkoutToken = openCheckoutToken(context.keyring, hold.checkoutTokenSealed);
  return { booking: hold.booking, handover: hold.handover, checkoutToken, replayed: true };
}

async function placeNewHold(
  context: HoldServices,
  caller: Caller,
  request: HoldRequest,
  idempotencyKey: IdempotencyKey | null,
  person: PersonOfCaller,
  choice: Pick<NewHold, 'replaced' | 'artistId'> & { isChosen: boolean },
): Promise<PlacedHold> {
  const { artistId, replaced, isChosen } = choice;
  const slot = { date: request.date, timeSlot: request.time_slot, artistId };
  const state = await expectOpen(context, slot, person, replaced);
  const isOnlyArtist = state.artists.length === 1;
  const checkoutToken = createCheckoutToken();
  const handover = { city: state.studio.city, proof: state.mode.confirmation };
  const cap = isChosen ? artistCap(state, slot, context.clock.now()) : null;
  if (replaced !== null) await refuseBeyondArtistCap(context, replaced.id, cap);
  const hold = newHold(
    context,
    caller,
    request,
    bookedSlot(state, slot),
    idempotencyKey,
    checkoutToken,
    { replaced, artistId, isOnlyArtist, artistCap: cap, placers: person, handover },
  );
  const caps = holdCaps(context.config, caller, state.mode.confirmation);
  const outcome = await insertHold(context.database, context.connect, hold, caps);
  if (outcome.booking !== null) {
    context.board.applyLocalChange(outcome.booking);
    return { booking: outcome.booking, handover, checkoutToken, replayed: false };
  }

  // Nothing was inserted: a cap is reached, the person has a session then, or another process has just
  // committed a hold with this key, a booking or a closure of this slot, or the last hold that a cap allows.
  if (idempotencyKey !== null) {
    const replay = await findReplay(context, caller, request, idempotencyKey);
    if (replay !== null) return replay;
  }
  if (caller.platform !== null && outcome.platformAtCap !== null) {
    reportPlatformAtCap(context, caller.platform, outcome.platformAtCap);
  }
  await context.board.refresh();
  const present = await expectOpen(context, slot, person);
  if (isOnlyArtist && present.artists.length > 1) {
    // A second artist was added after the board was read.
    return placeNewHold(context, caller, request, idempotencyKey, person, choice);
  }
  if (outcome.ownSession !== null) {
    const free = await stateForPerson(context, present, person);
    throw ownSessionThen(context, free, slot, outcome.ownSession);
  }
  if (outcome.isArtistAtCap) throw tooManyHoldsOfArtist(context.config);
  // Caps of pending holds are reported first: the error must not reveal a person's bookings.
  const retryAfterSeconds = await secondsUntilPlaceIsFree(context.database, hold, caps);
  const isLiveAtCap =
    outcome.isPersonAtCap || outcome.isCallerAtCap || outcome.platformAtCap === 'live_bookings';
  if (retryAfterSeconds === null && isLiveAtCap) {
    if (outcome.isCallerAtCap) reportCallerAtCap(context, hold, caps.liveOfCaller);
    throw tooManyLiveBookings();
  }
  if (retryAfterSeconds === null && !outcome.isPendingAtCap) {
    // The slot was taken or closed, and is open again.
    throw await notOpen(context, present, slot, 'taken', person);
  }
  throw tooManyPendingHolds(context.config, retryAfterSeconds ?? 1);
}

/**
 * Reads the board. Throws `slot_unavailable` if the slot is not open there, unless the hold that is given
 * up has it.
 */
async function expectOpen(
  context: HoldServices,
  { artistId, ...slot }: Slot & { artistId: number | null },
  person: PersonOfCaller,
  replaced: ReplacedHold | null = null,
): Promise<CalendarState> {
  const state = stateOfArtist(await context.board.read(), artistId);
  const reason = slotState(state.calendar, state.taken, slot, context.clock.now());
  const isOwn = [null, replaced?.artist_id].includes(artistId);
  const isOpen = reason === 'open' || (replaced !== null && isOwn && reason === 'held');
  if (!isOpen) throw await notOpen(context, state, slot, reason, person);
  return state;
}

/** `slot_unavailable`, with alternatives for the person of the request. */
async function notOpen(
  context: HoldServices,
  state: CalendarState,
  slot: Slot,
  reason: Exclude<SlotState, 'open'>,
  person: PersonOfCaller,
): Promise<ServiceError> {
  return slotUnavailable(context, await stateForPerson(context, state, person), slot, reason);
}
