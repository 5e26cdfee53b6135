import { studioView } from '../../views/studio.js';
import { createBoardCache } from '../../board/board-cache.js';
import { represent, sendRepresentation, type Representation } from '../../web/representation.js';
import type { HandlerFactory } from '../handler.js';

export const getStudio: HandlerFactory<'getStudio'> = ({ board, config }) => {
  const answers = createBoardCache<Representation>(board, 1);
  return async (request, reply) => {
    const answer = await answers('studio', ({ studio, openingHours }) =>
      represent({ data: studioView(studio, openingHours, config.holdLifetimeSeconds) }),
    );
    reply.header('cache-control', 'public, max-age=60');
    return sendRepresentation(request, reply, answer);
  };
};
