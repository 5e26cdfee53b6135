import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { HttpServices } from './services.js';
import { ServiceError } from '../errors.js';
import { identifyCallers } from '../access/identify-caller.js';
import { exposedHeaders, publicPrefix } from './cross-origin.js';
import { sendError, toServiceError } from './plugins/errors.js';
import { collectMethods } from './plugins/method-not-allowed.js';
import { registerRoutes } from './routes.js';
import { chargeFailedRequest } from './charge-failure.js';

/** Open to the pages of every origin: nothing here relies on what a browser adds by itself. */
const crossOrigin: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'DELETE'],
  exposedHeaders,
  // Every OPTIONS request is answered, not only a browser's.
  strictPreflight: false,
  maxAge: 86_400,
};

/** Everything under /api/public. `registerMore` adds what other entrances answer there. */
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
      const refuseOtherMethods = collectMethods(api);

      // Every failure but a 404 of the router leaves here, so that none is left uncharged.
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
      api.after(refuseOtherMethods);
    },
    { prefix: publicPrefix },
  );
}
