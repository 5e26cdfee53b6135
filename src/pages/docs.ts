import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { document } from '../../generated/document.js';
import type { Context } from '../context.js';
import { todayInZone } from '../domain/slots.js';
import { agentGuide } from './guide.js';

/**
 * Scalar's page brings one inline script and sets styles itself, which a policy must allow; nothing
 * may be fetched from anywhere else.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/docs`: the guide for agents, and below it the interactive reference, all from this machine. */
export function registerDocs(app: FastifyInstance, { config, clock }: Context): void {
  const describe = () => ({
    ...document,
    info: { ...document.info, description: agentGuide(config, todayInZone('UTC', clock.now())) },
    servers: [{ url: config.publicBaseUrl, description: 'This service.' }],
  });
  const configuration = {
    content: describe,
    pageTitle: document.info.title,
    telemetry: false,
    withDefaultFonts: false,
    showDeveloperTools: 'never' as const,
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  void app.register(async (docs) => {
    docs.addHook('onSend', (_request, reply, payload, done) => {
      reply.header('content-security-policy', contentSecurityPolicy);
      reply.header('referrer-policy', 'same-origin');
      reply.header('x-content-type-options', 'nosniff');
      done(null, payload);
    });
    await docs.register(apiReference, { routePrefix: '/docs', configuration });
  });
}
