import { unsubscribe } from '../../domain/webhooks.js';
import { bearerToken } from '../../access/bearer-token.js';
import type { HandlerFactory } from '../handler.js';

export const deleteWebhook: HandlerFactory<'deleteWebhook'> =
  (context) => async (request, reply) => {
    const id = await unsubscribe(context, bearerToken(request));
    reply.header('cache-control', 'no-store');
    return { data: { id, deleted: true } };
  };
