import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';

/**
 * Adds the strictest security headers to every response; pages override some of them. `secure`: the
 * public base URL is https.
 */
export function registerSecurityHeaders(
  app: FastifyInstance,
  { secure }: { secure: boolean },
): void {
  const headers = helmetHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: secure && { maxAge: 31_536_000, includeSubDomains: false },
    // Headers for obsolete browsers.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    originAgentCluster: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Computed once: @fastify/helmet computes the same headers for every request. */
function helmetHeaders(options: HelmetOptions): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, () => undefined);
  return response.getHeaders();
}
