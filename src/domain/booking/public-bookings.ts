import type { Kysely } from 'kysely';
import type { Caller } from '../../access/caller.js';
import type { BookingWait, Waiter } from '../../board/booking-waits.js';
import type { PublicBookingRow, Database } from '../../database/rows/schema.js';
import { ServiceError } from '../../errors.js';
import { createBatcher } from '../../platform/concurrency.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { shedRequest } from '../../platform/shed.js';
import { findPublicBookings } from '../../repositories/bookings.js';
import { statusAt } from '../../schedule/slots.js';
import type { DomainServices } from '../deps.js';

type ReadServices = Pick<DomainServices, 'publicBookings' | 'clock'>;

/** The public columns of a booking. Throws `booking_not_found`. */
export async function readBooking(
  { publicBookings }: Pick<ReadServices, 'publicBookings'>,
  id: string,
): Promise<PublicBookingRow> {
  const booking = await publicBookings(id);
  if (booking === null) throw new ServiceError('booking_not_found');
  return booking;
}

/**
 * Resolves with the booking as soon as it is no longer pending or has another start, by a move or
 * newer data of its time zone, or after `seconds`. Aborting the signal (the client has disconnected)
 * ends the wait. `waited` is false where the limit of waits is reached and the booking is returned at
 * once. Throws `booking_not_found`.
 */
export async function awaitBooking(
  context: ReadServices & Pick<DomainServices, 'bookingWaits'>,
  caller: Caller,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<{ booking: PublicBookingRow; waited: boolean }> {
  const wait = context.bookingWaits.begin(id, waiterOf(caller, id));
  if (wait === null) return { booking: await readBooking(context, id), waited: false };
  const end = () => wait.end();
  signal.addEventListener('abort', end);
  try {
    if (signal.aborted) end();
    return { booking: await awaitChange(context, wait, id, seconds * 1_000), waited: true };
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** The limits of a wait: one network of a platform calls for many people. */
function waiterOf({ platform, personHashes, apiKeyId, network }: Caller, id: string): Waiter {
  if (platform === null) return { caller: apiKeyId ?? network, network };
  const person = `${platform.name} ${personHashes?.[0]?.toString('base64') ?? id}`;
  return { caller: person, network: person };
}

async function awaitChange(
  context: ReadServices,
  wait: BookingWait,
  id: string,
  milliseconds: number,
): Promise<PublicBookingRow> {
  const { clock } = context;
  const endsAt = performance.now() + milliseconds;
  const first = await readBooking(context, id);
  let booking = first;
  while (
    statusAt(booking, clock.now()) === 'pending' &&
    booking.starts_at_text === first.starts_at_text
  ) {
    const remainingMs = endsAt - performance.now();
    const lapseMs = booking.expires_at.getTime() - clock.now() + 1;
    const outcome = await wait.next(Math.max(Math.min(remainingMs, lapseMs), 0));
    if (outcome === 'end' || (outcome === 'time' && remainingMs <= lapseMs)) break;
    booking = await readBooking(context, id);
    // A change that was committed before the first read would not differ from it.
    if (outcome === 'change') break;
  }
  return booking;
}

/** The most waiting reads; also the size of a batch: a read waits for two queries at most. */
const maxWaiting = 1_000;

/**
 * Concurrent reads share one query. Throws `service_unavailable` when too many reads wait for a slow
 * database.
 */
export function createPublicBookings(
  database: Kysely<Database>,
  metrics: Metrics,
): DomainServices['publicBookings'] {
  const find = createBatcher((ids: string[]) => findPublicBookings(database, ids), maxWaiting);
  let waiting = 0;
  return async (id) => {
    if (waiting >= maxWaiting) throw shedRequest(metrics, 'database_pool');
    waiting += 1;
    try {
      return await find(id);
    } finally {
      waiting -= 1;
    }
  };
}
