import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyError, FastifyInstance } from 'fastify';
import { identifyCallers } from '../access/identify-caller.js';
import type { AccessServices } from '../access/services.js';
import { ServiceError } from '../errors.js';
import { chargeFailedRequest } from './charge-failure.js';
import { exposedHeaders, openToEveryOrigin } from './origins.js';
import { sendError, toServiceError } from './plugins/errors.js';

/** All origins are allowed: no cookies or other ambient credentials are used. */
const crossOrigin: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'DELETE'],
  exposedHeaders,
  // Every OPTIONS request is answered, not only a browser's.
  strictPreflight: false,
  maxAge: 86_400,
};

/**
 * Prepares the scope of the public interface: its callers are identified and charged, and every
 * failure is answered with the error envelope.
 */
export async function preparePublicScope(
  api: FastifyInstance,
  context: AccessServices,
): Promise<void> {
  // In a scope of its own, it answers preflights only: other requests need the same headers each.
  await api.register(async (preflights) => {
    await preflights.register(cors, crossOrigin);
  });
  api.addHook('onRequest', (_request, reply, done) => {
    reply.headers(openToEveryOrigin);
    done();
  });
  const identifyCaller = await identifyCallers(api, context);

  // Handles every failure but the router's 404, and charges it.
  api.setErrorHandler(async (error: FastifyError, request, reply) => {
    const failure = toServiceError(error);
    const identify = () => identifyCaller(request, reply);
    return sendError(request, reply, await chargeFailedRequest(request, failure, identify));
  });
  api.setNotFoundHandler((request, reply) => {
    sendError(request, reply, new ServiceError('not_found'));
  });
}
