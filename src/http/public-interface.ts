import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import type { Caller } from '../domain/caller.js';
import { errors, ServiceError } from '../errors.js';
import { limitHeaders } from '../limits/meter.js';
import { addressOf } from './caller.js';
import { createMeters } from './meter.js';
import { sendError, toServiceError } from './plugins/errors.js';
import { collectMethods } from './plugins/method-not-allowed.js';
import { registerRoutes } from './routes.js';

export const publicPrefix = '/api/public';

/**
 * Everything under /api/public: who asks is told apart, and every request is charged. It costs a
 * read on its arrival, unless its route says that it charges itself.
 */
export function registerPublicInterface(app: FastifyInstance, context: Context): void {
  app.register(
    async (api) => {
      const createMeter = await createMeters(api, context);
      const refuseOtherMethods = collectMethods(api);

      api.decorateRequest('caller');
      api.addHook('onRequest', async (request) => {
        const meter = createMeter(request);
        request.caller = { apiKeyId: null, address: addressOf(request), meter };
        if (request.routeOptions.config.chargesItself !== true) await meter.chargeTo('reads');
      });
      api.addHook('onSend', (request, reply, payload, done) => {
        const charge = callerIn(request)?.meter.charge;
        if (charge != null) reply.headers(limitHeaders(charge));
        done(null, payload);
      });
      api.setErrorHandler(async (error: FastifyError, request, reply) =>
        sendError(request, reply, await settle(callerIn(request), toServiceError(error))),
      );
      api.setNotFoundHandler((request, reply) => {
        sendError(request, reply, new ServiceError('not_found'));
      });

      registerRoutes(api, context);
      api.after(refuseOtherMethods);
    },
    { prefix: publicPrefix },
  );
}

/** What the answer to a failed request is, after it was charged for. */
async function settle(caller: Caller | undefined, failure: ServiceError): Promise<ServiceError> {
  if (caller === undefined) return failure;
  if (errors[failure.code].status >= 500) {
    await caller.meter.giveBack();
    return failure;
  }
  if (caller.meter.charge !== null) return failure;
  try {
    await caller.meter.chargeTo('reads');
    return failure;
  } catch (refusal) {
    return toServiceError(refusal as Error);
  }
}

/** Undefined where a request failed before it was known who asks. */
function callerIn(request: FastifyRequest): Caller | undefined {
  return request.caller as Caller | undefined;
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
