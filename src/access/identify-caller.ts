import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessServices } from './services.js';
import { type Caller, originOf } from './caller.js';
import { createRateLimiter } from './rate-limiter.js';

/**
 * Identifies the caller of each request in this scope and charges a read, unless the route charges
 * itself. The result identifies the caller of a request that failed before that hook.
 */
export async function identifyCallers(
  api: FastifyInstance,
  context: AccessServices,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<Caller>> {
  const meterOf = await createRateLimiter(api, context, 'reads');
  api.decorateRequest('caller');
  api.addHook('onRequest', async (request, reply) => {
    const { meter } = await identifyCaller(request, reply);
    if (request.routeOptions.config.chargesItself !== true) await meter.chargeTo('reads');
  });

  async function identifyCaller(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const meter = meterOf(request, reply);
    const origin = originOf(request, context.platforms);
    const token = bearerToken(request);
    const apiKeyId = token === null ? null : await context.apiKeys.identify(token, origin.address);
    request.caller = { apiKeyId, ...origin, personHashes: null, channel: 'rest', meter };
    return request.caller;
  }

  return identifyCaller;
}

/** As `identifyCallers`, for pages: API keys are ignored, and each request costs a page. */
export async function identifyVisitors(
  pages: FastifyInstance,
  context: AccessServices,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Caller> {
  const meterOf = await createRateLimiter(pages, context, 'pages');
  pages.decorateRequest('caller');
  pages.addHook('onRequest', async (request, reply) => {
    await identifyVisitor(request, reply).meter.chargeTo('pages');
  });

  function identifyVisitor(request: FastifyRequest, reply: FastifyReply): Caller {
    const meter = meterOf(request, reply);
    const origin = originOf(request, context.platforms);
    request.caller = { apiKeyId: null, ...origin, personHashes: null, channel: 'page', meter };
    return request.caller;
  }

  return identifyVisitor;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of requests to the public interface, and to the pages. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The handler charges the request; it costs nothing on arrival. */
    chargesItself?: boolean;
  }
}

const pattern = /^bearer +(\S+)$/i;

/** The token of `Authorization: Bearer <token>` (RFC 6750, 2.1), or null. */
export function bearerToken({ headers }: FastifyRequest): string | null {
  const { authorization } = headers;
  return authorization === undefined ? null : (pattern.exec(authorization)?.[1] ?? null);
}
