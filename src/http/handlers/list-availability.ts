import { availabilityOf } from '../../domain/availability.js';
import { keepWhileBoardHolds } from '../board-representations.js';
import { sendRepresentation } from '../conditional.js';
import type { HandlerFactory } from '../handler.js';

export const listAvailability: HandlerFactory<'listAvailability'> = ({ board }) => {
  const answers = keepWhileBoardHolds(board);
  return async (request, reply) => {
    const { from, to, time_slot: timeSlot = 'any' } = request.query;
    const answer = await answers(`${from} ${to} ${timeSlot}`, (state) => ({
      data: availabilityOf(state, request.query),
    }));
    reply.header('cache-control', 'no-cache');
    return sendRepresentation(request, reply, answer);
  };
};
