import { readSubscription } from '../../domain/webhooks.js';
import { bearerToken } from '../../access/bearer-token.js';
import type { HandlerFactory } from '../handler.js';

export const getWebhook: HandlerFactory<'getWebhook'> = (context) => async (request, reply) => {
  const data = await readSubscription(context, bearerToken(request));
  reply.header('cache-control', 'no-store');
  return { data };
};
