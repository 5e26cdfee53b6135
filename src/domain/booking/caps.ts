import type { Platform } from '../../access/caller.js';
import type { AccessServices } from '../../access/services.js';
import { warnDaily } from '../../access/warnings.js';
import type { CalendarState } from '../../board/board.js';
import type { Config, ConfirmationProof } from '../../config/config.js';
import type { DatabaseServices } from '../../database/services.js';
import { ServiceError } from '../../errors.js';
import type { ArtistCap } from '../../repositories/caps.js';
import type { HoldOutcome, NewHold } from '../../repositories/holds.js';
import { readPlatformUse } from '../../repositories/platforms.js';
import type { SlotOfArtist } from '../../schedule/artists.js';
import { openFor } from '../../schedule/calendar.js';
import { addDays, weekdayOf } from '../../schedule/dates.js';
import { longestSessionHours, timeSlots } from '../../schedule/slots.js';

const retryAfterSeconds = 3600;

/**
 * How many bookings a caller may place within 24 hours. Where a code proves who confirms, a caller that
 * names strangers cannot confirm in their names.
 */
export function liveBookingsPerCaller(
  { maxLiveBookingsPerCaller }: Pick<Config, 'maxLiveBookingsPerCaller'>,
  proof: ConfirmationProof,
): number {
  return maxLiveBookingsPerCaller ?? (proof === 'code' ? 40 : 12);
}

/**
 * The cap of an artist in the week (Monday to Sunday) of the slot: a third of their times that nobody has
 * confirmed. Null where nobody chooses an artist.
 */
export function artistCap(
  state: Pick<CalendarState, 'artists' | 'calendar' | 'taken'>,
  { artistId = null, date }: SlotOfArtist,
  now: number,
): ArtistCap | null {
  if (artistId === null || state.artists.length === 1) return null;
  const from = addDays(date, 1 - weekdayOf(date));
  const days = [0, 1, 2, 3, 4, 5, 6].map((day) => addDays(from, day));
  const states = days.flatMap((day) =>
    timeSlots.map((timeSlot) => openFor(state, { date: day, timeSlot }, artistId, now)),
  );
  const times = states.filter((state) => state === 'open' || state === 'held').length;
  return { artistId, from, to: addDays(from, 6), holds: Math.max(1, Math.floor(times / 3)) };
}

/** The error at the cap of an artist. Pages only: agents choose none. */
export function tooManyHoldsOfArtist({
  holdLifetimeSeconds,
}: Pick<Config, 'holdLifetimeSeconds'>): ServiceError {
  return new ServiceError('rate_limited', {
    message:
      'Nothing was held: your network holds a third of the open times of this artist in that week already.',
    retryAfterSeconds: holdLifetimeSeconds,
    limit: 'artist',
  });
}

/** The error at a cap of pending holds. Retry-After is random, so that not all callers return at once. */
export function tooManyPendingHolds(
  { holdLifetimeSeconds }: Pick<Config, 'holdLifetimeSeconds'>,
  seconds: number,
): ServiceError {
  const spread = Math.min(Math.max(seconds, 60), Math.floor(holdLifetimeSeconds / 2));
  return new ServiceError('too_many_pending_holds', {
    retryAfterSeconds: seconds + Math.floor(Math.random() * (spread + 1)),
  });
}

/**
 * The error at a cap of live bookings. It is the same for the caps by e-mail, phone and caller, so
 * that it reveals nothing about other people's bookings.
 */
export function tooManyLiveBookings(): ServiceError {
  return new ServiceError('rate_limited', {
    message:
      'Nothing was held: this person or this caller has as many live bookings as are allowed at once (operation getCapabilities has the limits). Try again after retry_after_seconds, or once one of them is cancelled, has expired or is over.',
    retryAfterSeconds,
    limit: 'bookings',
  });
}

/**
 * Warns the operator, once a day per caller, that a caller has reached its cap: it may serve many people.
 * `reportPlatformAtCap` reports a listed platform.
 */
export function reportCallerAtCap(
  services: Pick<AccessServices, 'limitStore' | 'log'>,
  { callerNetworkHashes: [hash], platform }: Pick<NewHold, 'callerNetworkHashes' | 'platform'>,
  cap: number,
): void {
  if (platform !== null) return;
  warnDaily(services, `at cap ${hash?.toString('base64')}`, {
    facts: { max_live_bookings_per_caller: cap },
    message:
      'a caller has as many live bookings as one may place within 24 hours, and is refused more; "studio doctor" counts such callers',
  });
}

/** Counts a refusal by a cap of the platform as a whole; warns once a day about live bookings. */
export function reportPlatformAtCap(
  services: Pick<AccessServices, 'limitStore' | 'log' | 'metrics'>,
  { name, liveBookings }: Platform,
  limit: NonNullable<HoldOutcome['platformAtCap']>,
): void {
  services.metrics.count('platformRefusals', { platform: name, limit });
  if (limit !== 'live_bookings') return;
  warnDaily(services, `at cap platform ${name}`, {
    facts: { platform: name, live_bookings: liveBookings },
    message:
      'a platform has as many live bookings as it may place within 24 hours, and is refused more; "studio platforms set" changes its limits',
  });
}

/** Registers the gauge of what counts towards the caps of each platform. */
export function registerPlatformMetrics({
  metrics,
  database,
}: Pick<DatabaseServices, 'metrics' | 'database'>): void {
  metrics.addGauge({
    name: 'booking_platform_bookings',
    help: 'Pending holds of each platform, and its live bookings placed within 24 hours.',
    labels: ['platform', 'cap'],
    async read() {
      const uses = await readPlatformUse(database, longestSessionHours);
      return uses.flatMap(({ name: platform, pendingHolds, liveBookings }) => [
        { labels: { platform, cap: 'pending_holds' }, value: pendingHolds },
        { labels: { platform, cap: 'live_bookings' }, value: liveBookings },
      ]);
    },
  });
}
