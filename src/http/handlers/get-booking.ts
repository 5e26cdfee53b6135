import { readBooking } from '../../domain/bookings.js';
import type { HandlerFactory } from '../handler.js';

export const getBooking: HandlerFactory<'getBooking'> = (context) => async (request, reply) => {
  const data = await readBooking(context, request.params.id);
  reply.header('cache-control', 'no-store');
  return { data };
};
