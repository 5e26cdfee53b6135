import { studioView } from '../../views/studio.js';
import { represent, sendRepresentation } from '../conditional.js';
import type { HandlerFactory } from '../handler.js';

export const getStudio: HandlerFactory<'getStudio'> =
  ({ board, config }) =>
  async (request, reply) => {
    const { studio, openingHours } = await board.read();
    reply.header('cache-control', 'public, max-age=60');
    const data = studioView(studio, openingHours, config.holdLifetimeSeconds);
    return sendRepresentation(request, reply, represent({ data }));
  };
