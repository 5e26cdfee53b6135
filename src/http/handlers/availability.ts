import { availabilityOf } from '../../board/availability.js';
import { createBoardCache } from '../../board/board-cache.js';
import { represent, sendRepresentation, type Representation } from '../../web/representation.js';
import type { HandlerFactory } from '../handler.js';

/** Some 3 MB of answers. */
const maxKept = 512;

export const listAvailability: HandlerFactory<'listAvailability'> = ({ board }) => {
  const answers = createBoardCache<Representation>(board, maxKept);
  return async (request, reply) => {
    const { from, to, time_slot: timeSlot = 'any' } = request.query;
    const answer = await answers(`${from} ${to} ${timeSlot}`, (state) =>
      represent({ data: availabilityOf(state, request.query) }),
    );
    reply.header('cache-control', 'no-cache');
    return sendRepresentation(request, reply, answer);
  };
};
