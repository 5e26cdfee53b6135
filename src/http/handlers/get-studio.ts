import { studioView } from '../../views/studio.js';
import type { HandlerFactory } from '../handler.js';

export const getStudio: HandlerFactory<'getStudio'> =
  ({ board, config }) =>
  async (_request, reply) => {
    const { studio, openingHours } = await board.read();
    reply.header('cache-control', 'public, max-age=60');
    return { data: studioView(studio, openingHours, config.holdLifetimeSeconds) };
  };
