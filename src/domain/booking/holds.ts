import type { HoldRequest } from '../../../generated/schemas.js';
import type { Caller } from '../../access/caller.js';
import type { CalendarState } from '../../board/board.js';
import { stateOfArtist } from '../../board/calendar-state.js';
import type { ReplacedHold, ReplayableHold } from '../../database/rows/results.js';
import { ServiceError } from '../../errors.js';
import { findHoldByIdempotencyKey } from '../../repositories/bookings.js';
import {
  exceedsArtistCap,
  type HoldCaps,
  secondsUntilPlaceIsFree,
} from '../../repositories/caps.js';
import { type HoldOutcome, insertHold, type NewHold } from '../../repositories/holds.js';
import { openFor, type SlotState } from '../../schedule/calendar.js';
import type { Slot } from '../../schedule/slots.js';
import { openCheckoutToken } from '../../secrets/links.js';
import { createCheckoutToken } from '../../secrets/tokens.js';
import type { DomainServices } from '../deps.js';
import {
  artistCap,
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
  type RequestedPerson,
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

/** The booking as it was placed: the person may have moved or confirmed it before a replay. */
export interface PlacedHold extends Pick<ReplayableHold, 'booking' | 'handover'> {
  /** The secret part of the checkout URL. */
  checkoutToken: string;
  /** True if an earlier request with the same Idempotency-Key placed this hold. */
  replayed: boolean;
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
  /** In which the person posted the form (`chosenTag`). */
  language?: string | null;
}

/**
 * Holds a slot: replays what an earlier request with the same Idempotency-Key has placed, or else
 * decides and inserts. Concurrent requests for one key or slot are serialized per process; those without
 * a key that lose the slot are refused from memory. A new hold is charged to the caller's `holds` budget,
 * a replay to its base budget. `idempotencyKey`: as the caller sent it, or with its scope.
 *
 * Throws `invalid_request`, `rate_limited`, `idempotency_key_reused`, `slot_unavailable`,
 * `too_many_pending_holds`.
 */
export async function placeHold(
  context: HoldServices,
  caller: Caller,
  request: HoldRequest,
  idempotencyKey: IdempotencyKey | string | null,
  options: HoldOptions = {},
): Promise<PlacedHold> {
  const { keyring, metrics, slotMutex } = context;
  const key =
    typeof idempotencyKey === 'string'
      ? idempotencyKeyOf(keyring, caller.apiKeyId, request, idempotencyKey)
      : idempotencyKey;
  const decide = () => decideHold(context, caller, request, key, options);
  const replayOrDecide = async (known: IdempotencyKey) => {
    await caller.meter.allowLookup('holds');
    const replay = () => findReplay(context, caller, request, known);
    try {
      return (await replay()) ?? (await decide());
    } catch (error) {
      // After the first lookup, another process may have placed the hold that this board now shows.
      const isLost = error instanceof ServiceError && error.code === 'slot_unavailable';
      const placed = isLost ? await replay() : null;
      if (placed === null) throw error;
      return placed;
    }
  };
  try {
    const hold =
      key === null
        ? await decide()
        : await slotMutex.run(`key ${key.scopes[0]?.toString('base64')} ${key.key}`, () =>
            replayOrDecide(key),
          );
    metrics.count('holds', { outcome: hold.replayed ? 'replayed' : 'held' });
    return hold;
  } catch (error) {
    const outcome = error instanceof ServiceError ? error.code : 'internal_error';
    metrics.count('holds', { outcome });
    throw error;
  }
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

/**
 * Decides from memory whether a hold can be placed and which row it is, inserts it, and finds out why
 * nothing was inserted.
 */
async function decideHold(
  context: HoldServices,
  caller: Caller,
  request: HoldRequest,
  key: IdempotencyKey | null,
  { replaced, artistId = null, hasSlot = false, follows = null, language = null }: HoldOptions,
): Promise<PlacedHold> {
  const { board, clock, config, database, keyring } = context;
  const { studio } = await board.read();
  expectPerson({ name: request.name, phone: follows === null ? request.phone : null }, studio);
  await caller.meter.chargeTo('holds');
  // Another process may have replaced it, for the same request.
  if (replaced !== undefined) await board.refresh();
  const slot = { date: request.date, timeSlot: request.time_slot };
  const decide = async (): Promise<PlacedHold> => {
    const person = personOfRequest(keyring, caller, request, follows);
    const wanted = { slot, artistId: hasSlot ? null : artistId, person };
    const state = await expectOpen(context, wanted, replaced ?? null);
    if (hasSlot) throw await notOpen(context, state, wanted, 'held');
    const isChosen = follows?.is_artist_chosen ?? true;
    const cap = isChosen ? artistCap(state, { ...slot, artistId }, clock.now()) : null;
    if (replaced && cap !== null && (await exceedsArtistCap(database, replaced.id, cap))) {
      throw tooManyHoldsOfArtist(config);
    }
    const checkoutToken = createCheckoutToken();
    const row = newHold(context, caller, request, state, key, checkoutToken, {
      replaced: replaced ?? null,
      artistId,
      artistCap: cap,
      language,
      ...person,
    });
    const caps = holdCaps(config, caller, state.mode.confirmation);
    const outcome = await insertHold(database, context.connect, row, caps);
    if (outcome.booking !== null) {
      board.applyLocalChange(outcome.booking);
      const { handover } = row;
      return { booking: outcome.booking, handover, checkoutToken, replayed: false };
    }
    const earlier = key && (await findReplay(context, caller, request, key));
    if (earlier !== null) return earlier;
    await refuseHold(context, caller, wanted, { row, caps, outcome });
    // A second artist was added after the board was read.
    return decide();
  };
  return context.slotMutex.run(`slot ${request.date} ${request.time_slot}`, decide);
}

/** What a request wants. */
interface Wanted {
  slot: Slot;
  /** Null: whoever is free. */
  artistId: number | null;
  person: RequestedPerson;
}

/** A hold that was not inserted. */
interface Refused {
  row: NewHold;
  caps: HoldCaps;
  outcome: HoldOutcome;
}

/**
 * Throws why nothing was inserted: a cap is reached, the person has a session then, or another process
 * has just committed a booking or a closure of this slot, or the last hold of a cap. Returns if the
 * studio has several artists by now.
 */
async function refuseHold(
  context: HoldServices,
  caller: Caller,
  wanted: Wanted,
  { row, caps, outcome }: Refused,
): Promise<void> {
  const { isPersonAtCap, isCallerAtCap, platformAtCap } = outcome;
  if (caller.platform !== null && platformAtCap !== null) {
    reportPlatformAtCap(context, caller.platform, platformAtCap);
  }
  await context.board.refresh();
  const state = await expectOpen(context, wanted);
  if (row.isOnlyArtist && state.artists.length > 1) return;
  if (outcome.ownSession !== null) {
    const free = await stateFor(context, state, wanted);
    throw ownSessionThen(context, free, wanted.slot, outcome.ownSession);
  }
  if (outcome.isArtistAtCap) throw tooManyHoldsOfArtist(context.config);
  // Caps of pending holds are reported first: the error must not reveal a person's bookings.
  const retryAfterSeconds = await secondsUntilPlaceIsFree(context.database, row, caps);
  const isLiveAtCap = isPersonAtCap || isCallerAtCap || platformAtCap === 'live_bookings';
  if (retryAfterSeconds === null && isLiveAtCap) {
    if (isCallerAtCap) reportCallerAtCap(context, row, caps.liveOfCaller);
    throw tooManyLiveBookings();
  }
  if (retryAfterSeconds === null && !outcome.isPendingAtCap) {
    // The slot was taken or closed, and is open again.
    throw await notOpen(context, state, wanted, 'taken');
  }
  throw tooManyPendingHolds(context.config, retryAfterSeconds ?? 1);
}

/**
 * Reads the board. Throws `slot_unavailable` if the slot is not open there, unless the hold to be
 * replaced has it.
 */
async function expectOpen(
  context: HoldServices,
  wanted: Wanted,
  replaced: ReplacedHold | null = null,
): Promise<CalendarState> {
  const { slot, artistId } = wanted;
  const state = await context.board.read();
  const reason = openFor(state, slot, artistId, context.clock.now());
  const isOwn = [null, replaced?.artist_id].includes(artistId);
  const isOpen = reason === 'open' || (replaced !== null && isOwn && reason === 'held');
  if (!isOpen) throw await notOpen(context, state, wanted, reason);
  return state;
}

/** `slot_unavailable`, with alternatives for the person of the request. */
async function notOpen(
  context: HoldServices,
  state: CalendarState,
  wanted: Wanted,
  reason: Exclude<SlotState, 'open'>,
): Promise<ServiceError> {
  const free = await stateFor(context, state, wanted);
  return slotUnavailable(context, free, wanted.slot, reason);
}

/** The board of the wanted artist, without the times of the person's other sessions. */
function stateFor(
  context: HoldServices,
  state: CalendarState,
  { artistId, person }: Wanted,
): Promise<CalendarState> {
  return stateForPerson(context, stateOfArtist(state, artistId), { ...person, ...person.placers });
}
