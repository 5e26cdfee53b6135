import { subscribe, readSubscription, unsubscribe } from '../../domain/webhooks.js';
import type { HandlerFactory } from '../handler.js';
import { bearerToken } from '../../access/bearer-token.js';

export const createWebhook: HandlerFactory<'createWebhook'> =
  (context) => async (request, reply) => {
    const data = await subscribe(context, request.caller, request.body);
    return reply.code(201).header('cache-control', 'no-store').send({ data });
  };

export const getWebhook: HandlerFactory<'getWebhook'> = (context) => async (request, reply) => {
  const data = await readSubscription(context, bearerToken(request));
  reply.header('cache-control', 'no-store');
  return { data };
};

export const deleteWebhook: HandlerFactory<'deleteWebhook'> =
  (context) => async (request, reply) => {
    const id = await unsubscribe(context, bearerToken(request));
    reply.header('cache-control', 'no-store');
    return { data: { id, deleted: true } };
  };
