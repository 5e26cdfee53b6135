import { availabilityOf } from '../../board/availability.js';
import { createBoardCache } from '../../board/board.js';
import { studioView } from '../../views/studio.js';
import { bookUrlTemplate } from '../../web/book-link.js';
import { represent, type Representation, sendRepresentation } from '../../web/representation.js';
import type { HandlerFactory } from '../handler.js';

export const getStudio: HandlerFactory<'getStudio'> = ({ board, config }) => {
  const answers = createBoardCache<Representation>(board, 1);
  return async (request, reply) => {
    const answer = await answers('studio', (state) =>
      represent({ data: studioView(state, config.holdLifetimeSeconds) }),
    );
    reply.header('cache-control', 'public, max-age=60');
    return sendRepresentation(request, reply, answer);
  };
};

/** Some 3 MB of answers. */
const maxKept = 512;

export const listAvailability: HandlerFactory<'listAvailability'> = ({ board, config }) => {
  const answers = createBoardCache<Representation>(board, maxKept);
  const link = { book_url_template: bookUrlTemplate(config.publicBaseUrl) };
  return async (request, reply) => {
    const { from, to, time_slot: timeSlot = 'any' } = request.query;
    const answer = await answers(`${from} ${to} ${timeSlot}`, (state) =>
      represent({ data: { ...availabilityOf(state, request.query), ...link } }),
    );
    reply.header('cache-control', 'no-cache');
    return sendRepresentation(request, reply, answer);
  };
};
