import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.js';
import type { Caller } from '../domain/caller.js';
import { bearerToken } from './bearer-token.js';
import { addressOf } from './caller.js';
import { createMeters } from './meter.js';

/**
 * Tells apart who asks, and charges every request of this part of the app: a read on its arrival,
 * unless its route says that it charges itself.
 */
export async function registerCallers(api: FastifyInstance, context: Context): Promise<void> {
  const createMeter = await createMeters(api, context);
  api.decorateRequest('caller');
  api.addHook('onRequest', async (request, reply) => {
    const meter = createMeter(request, reply);
    const address = addressOf(request);
    const token = bearerToken(request);
    const apiKeyId = token === null ? null : await context.apiKeys.identify(token, address);
    request.caller = { apiKeyId, address, meter };
    if (request.routeOptions.config.chargesItself !== true) await meter.chargeTo('reads');
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of requests to the public interface. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The handler charges the request; it costs nothing on arrival. */
    chargesItself?: boolean;
  }
}
