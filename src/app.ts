import { randomUUID } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { maxBodyBytes } from './config/limits.js';
import { registerConsole } from './console/routes.js';
import type { Context } from './context.js';
import { registerHttpMetrics, registerRoutes } from './http/routes.js';
import { registerConnector } from './mcp/routes.js';
import { registerCatalogs } from './mcp/server-card.js';
import { registerPages } from './pages/routes.js';
import { publicPrefix } from './web/origins.js';
import { preparePageScope } from './web/page-scope.js';
import { createClientErrorHandler, registerConnect } from './web/plugins/client-errors.js';
import { registerConnectionLimits } from './web/plugins/connection-limits.js';
import { registerConnectionTimeouts } from './web/plugins/connection-timeouts.js';
import { errorsPlugin, sendError, toServiceError } from './web/plugins/errors.js';
import { registerHealth } from './web/plugins/health.js';
import { registerLoadShedding } from './web/plugins/load-shedding.js';
import { refuseOtherMethods } from './web/plugins/method-not-allowed.js';
import {
  registerRequestChecks,
  toRoutablePath,
  warnOfUnlistedProxy,
} from './web/plugins/request-checks.js';
import { registerRequestLog } from './web/plugins/request-log.js';
import { registerSecurityHeaders } from './web/plugins/security-headers.js';
import { preparePublicScope } from './web/public-scope.js';
import { createSerializerCompiler, createValidatorCompiler } from './web/validation.js';

const headerLimitBytes = 16 * 1024;
const requestTimeoutMs = 10_000;
const keepAliveTimeoutMs = 72_000;
const closeIdleEveryMs = 50;

export async function createApp(context: Context): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: () => randomUUID(),
    trustProxy: context.config.trustProxy.length > 0 ? context.config.trustProxy : false,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      maxHeaderSize: headerLimitBytes,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    rewriteUrl: toRoutablePath,
    // Effectively unlimited: a hook checks the length of the whole URL.
    routerOptions: { maxParamLength: headerLimitBytes },
    return503OnClosing: false,
    clientErrorHandler: createClientErrorHandler(context.log),
    // `rewriteUrl` should prevent these errors. Fastify's default response would lack the error
    // envelope.
    frameworkErrors: (error, request, reply) => {
      sendError(request, reply, toServiceError(error));
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(createValidatorCompiler());
  app.setSerializerCompiler(createSerializerCompiler());

  await context.tracing.traceRequests(app);
  registerConnectionLimits(app, context);
  registerConnectionTimeouts(app);
  registerSecurityHeaders(app, { secure: context.config.publicBaseUrl.startsWith('https:') });
  warnOfUnlistedProxy(app);
  registerRequestChecks(app);
  registerConnect(app, context.log);
  app.addHook('preClose', async () => {
    // Without this, a connection whose request ends during the close would stay open until its keep-alive
    // timeout.
    const closing = setInterval(() => app.server.closeIdleConnections(), closeIdleEveryMs).unref();
    app.server.once('close', () => clearInterval(closing));
    context.bookingWaits.drain();
    await context.liveStream.drain();
  });
  const refuseMethods = refuseOtherMethods(app);
  await app.register(errorsPlugin);
  registerLoadShedding(app, context);
  registerRequestLog(app, context);
  registerHealth(app, context);
  app.register(
    async (api) => {
      await preparePublicScope(api, context);
      registerRoutes(api, context);
      registerConnector(api, context);
    },
    { prefix: publicPrefix },
  );
  app.register(async (pages) => {
    const assets = await preparePageScope(pages, context);
    registerPages(pages, context, assets);
    registerCatalogs(pages, context);
    registerConsole(pages, context, assets);
  });
  app.after(refuseMethods);
  registerHttpMetrics(context, app);
  await app.ready();
  return app;
}
