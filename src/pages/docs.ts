import type { ApiReferenceConfiguration } from '@scalar/fastify-api-reference';
import { fastify, type FastifyInstance } from 'fastify';
import { document } from '../../generated/document.js';
import type { Config } from '../config/config.js';
import { lazily } from '../platform/concurrency.js';
import type { Guide } from './guide/guide.js';
import { integrationsGuide } from './guide/integrations.js';

/** Scalar's page needs inline scripts and styles; everything it loads comes from this origin. */
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

const addresses = ['/docs/', '/docs/js/scalar.js', '/docs/openapi.json', '/docs/openapi.yaml'];

/** `/docs`: both guides and the interactive API reference, without a CDN. */
export function registerDocs(
  app: FastifyInstance,
  { config }: { config: Config },
  guide: Guide,
): void {
  const integrations = integrationsGuide(config);
  let description = '';
  const describe = () => ({
    ...document,
    info: { ...document.info, description: `${description}\n\n${integrations}` },
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
  void app.register((docs, _options, done) => {
    const responses = lazily(() => cacheResponses(configuration));
    docs.addHook('onSend', (_request, reply, payload, done) => {
      reply.header('content-security-policy', contentSecurityPolicy);
      reply.header('referrer-policy', 'same-origin');
      reply.header('x-content-type-options', 'nosniff');
      done(null, payload);
    });
    docs.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));
    for (const address of addresses) {
      docs.get(address, async (_request, reply) => {
        const [cache, latest] = await Promise.all([responses(), guide()]);
        if (latest !== description) cache.clear();
        description = latest;
        const { headers, rawPayload } = await cache.get(address);
        return reply.headers(headers).send(rawPayload);
      });
    }
    done();
  });
}

/**
 * Caches each response until the guide changes. The plugin renders every response again, which takes
 * up to 20 ms outside any rate limit, and fails on a malformed `Host` header; so it runs in an app of
 * its own, which never listens and so need not be closed. Its package exports nothing but the plugin.
 */
async function cacheResponses(configuration: Partial<ApiReferenceConfiguration>) {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const reference = fastify();
  await reference.register(apiReference, { routePrefix: '/docs', configuration });
  await reference.ready();
  const cached = new Map<string, ReturnType<typeof render>>();

  async function render(address: string) {
    const { statusCode, headers, rawPayload } = await reference.inject(address);
    if (statusCode !== 200) throw new Error(`the reference has no ${address} (${statusCode})`);
    const { date, connection, ...rest } = headers;
    return { headers: rest, rawPayload };
  }

  return {
    get(address: string): ReturnType<typeof render> {
      const response = cached.get(address) ?? render(address);
      cached.set(address, response);
      response.catch(() => cached.delete(address));
      return response;
    },
    clear: () => cached.clear(),
  };
}
