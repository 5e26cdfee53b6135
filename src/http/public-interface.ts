import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { HttpServices } from './services.js';
import { ServiceError } from '../errors.js';
import { identifyCallers } from '../access/identify-caller.js';
import { exposedHeaders, publicPrefix } from './cross-origin.js';
import { sendError, toServiceError } from './plugins/errors.js';
import { registerRoutes } from './routes.js';
import { chargeFailedRequest } from './charge-failure.js';

/** All origins are allowed: no cookies or other ambient credentials are used. */
const crossOrigin: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'DELETE'],
  exposedHeaders,
  // Every OPTIONS request is answered, not only a browser's.
  strictPreflight: false,
  maxAge: 86_400,
};

/** Registers everything under /api/public. `registerMore` adds the routes of other entrances. */
export function registerPublicInterface(
  app: FastifyInstance,
  context: HttpServices,
  registerMore: (api: FastifyInstance, context: HttpServices) => void,
): void {
  app.register(
    async (api) => {
      await api.register(cors, crossOrigin);
      api.addHook('onRequest', (_request, reply, done) => {
        reply.header('cross-origin-resource-policy', 'cross-origin');
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

      registerRoutes(api, context);
      registerMore(api, context);
    },
    { prefix: publicPrefix },
  );
}
