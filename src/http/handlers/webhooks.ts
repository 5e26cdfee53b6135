import { bearerToken } from '../../access/identify-caller.js';
import { readSubscription, subscribe, unsubscribe } from '../../domain/webhooks.js';
import { createdWebhookView, publicEventTypes, webhookView } from '../../views/webhook.js';
import type { HandlerFactory } from '../handler.js';

export const createWebhook: HandlerFactory<'createWebhook'> =
  (context) => async (request, reply) => {
    const { url, events = [...publicEventTypes] } = request.body;
    const { subscription, ...secrets } = await subscribe(context, request.caller, { url, events });
    const data = createdWebhookView(subscription, secrets);
    return reply.code(201).header('cache-control', 'no-store').send({ data });
  };

export const getWebhook: HandlerFactory<'getWebhook'> = (context) => async (request, reply) => {
  const { subscription, recentDeliveries } = await readSubscription(context, bearerToken(request));
  reply.header('cache-control', 'no-store');
  return { data: webhookView(subscription, recentDeliveries) };
};

export const deleteWebhook: HandlerFactory<'deleteWebhook'> =
  (context) => async (request, reply) => {
    const id = await unsubscribe(context, bearerToken(request));
    reply.header('cache-control', 'no-store');
    return { data: { id, deleted: true } };
  };
