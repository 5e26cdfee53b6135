import { listAvailability as listOpenSlots } from '../../domain/availability.js';
import { represent, sendRepresentation } from '../conditional.js';
import type { HandlerFactory } from '../handler.js';

export const listAvailability: HandlerFactory<'listAvailability'> =
  (context) => async (request, reply) => {
    const data = await listOpenSlots(context, request.query);
    reply.header('cache-control', 'no-cache');
    return sendRepresentation(request, reply, represent({ data }));
  };
