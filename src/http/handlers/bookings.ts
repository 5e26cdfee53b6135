import { maxWaitSeconds } from '../../config/limits.js';
import { awaitBooking, readBooking } from '../../domain/bookings.js';
import { placeHold } from '../../domain/holds.js';
import { parseIdempotencyKey } from '../../domain/new-hold.js';
import { bookingView, holdView } from '../../views/booking.js';
import type { HandlerFactory } from '../handler.js';

export const getBooking: HandlerFactory<'getBooking'> = (context) => async (request, reply) => {
  const { id } = request.params;
  const seconds = preferredWaitSeconds(request.headers.prefer);
  reply.header('cache-control', 'no-store');
  if (seconds === null) {
    return { data: bookingView(await readBooking(context, id), context.clock.now()) };
  }

  const hangUp = new AbortController();
  reply.raw.once('close', () => hangUp.abort());
  const { booking, waited } = await awaitBooking(
    context,
    request.caller,
    id,
    seconds,
    hangUp.signal,
  );
  if (waited) reply.header('preference-applied', `wait=${seconds}`);
  return { data: bookingView(booking, context.clock.now()) };
};

/**
 * The first `wait` of a Prefer header (RFC 7240, 4.3), in seconds, at most 60. Null where it is
 * missing or malformed.
 * @internal
 */
export function preferredWaitSeconds(header: string | undefined): number | null {
  if (header === undefined) return null;
  // Commas and semicolons in a quoted value are not separators.
  const unquoted = header.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_quoted, value: string) =>
    value.replaceAll(/[,;]/g, ' '),
  );
  for (const preference of unquoted.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=');
    if (name.trim().toLowerCase() !== 'wait') continue;
    return /^\d+$/.test(value.trim()) ? Math.min(Number(value), maxWaitSeconds) : null;
  }
  return null;
}

export const createHold: HandlerFactory<'createHold'> = (context) => async (request, reply) => {
  const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
  const hold = await placeHold(context, request.caller, request.body, idempotencyKey);
  if (hold.replayed) reply.header('idempotency-replayed', 'true');
  return reply
    .code(201)
    .header('location', `/api/public/bookings/${hold.booking.id}`)
    .header('cache-control', 'no-store')
    .send({ data: holdView(hold.booking, hold.checkoutToken, context.config.publicBaseUrl) });
};
