import { parseIdempotencyKey } from '../../domain/hold-request.js';
import { placeHold } from '../../domain/holds.js';
import { holdView } from '../../views/hold.js';
import type { HandlerFactory } from '../handler.js';

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
