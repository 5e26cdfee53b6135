import { subscribe } from '../../domain/webhooks.js';
import type { HandlerFactory } from '../handler.js';

export const createWebhook: HandlerFactory<'createWebhook'> =
  (context) => async (request, reply) => {
    const data = await subscribe(context, request.caller, request.body);
    return reply.code(201).header('cache-control', 'no-store').send({ data });
  };
