import { awaitBooking, readBooking } from '../../domain/bookings.js';
import { bookingView } from '../../views/booking.js';
import type { HandlerFactory } from '../handler.js';
import { preferredWaitSeconds } from '../prefer.js';

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
