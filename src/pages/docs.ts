import apiReference, { type ApiReferenceConfiguration } from '@scalar/fastify-api-reference';
import { fastify, type FastifyInstance } from 'fastify';
import { document } from '../../generated/document.js';
import type { PlatformServices } from '../platform/services.js';
import { todayInZone } from '../calendar/slots.js';
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

const addresses = ['/docs/', '/docs/js/scalar.js', '/docs/openapi.json', '/docs/openapi.yaml'];

/** `/docs`: the guide for agents, and below it the interactive reference, all from this machine. */
export function registerDocs(
  app: FastifyInstance,
  { config, clock }: Pick<PlatformServices, 'config' | 'clock'>,
): void {
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
    const answers = await keepAnswers(configuration, () => todayInZone('UTC', clock.now()));
    docs.addHook('onClose', answers.close);
    docs.addHook('onSend', (_request, reply, payload, done) => {
      reply.header('content-security-policy', contentSecurityPolicy);
      reply.header('referrer-policy', 'same-origin');
      reply.header('x-content-type-options', 'nosniff');
      done(null, payload);
    });
    docs.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));
    for (const address of addresses) {
      docs.get(address, async (_request, reply) => {
        const { headers, rawPayload } = await answers.at(address);
        return reply.headers(headers).send(rawPayload);
      });
    }
  });
}

/**
 * The plugin makes every answer anew, which takes up to 20 ms and no budget counts, and fails where
 * a Host header is no host; so it is asked once a day for each, in an app of its own.
 */
async function keepAnswers(configuration: Partial<ApiReferenceConfiguration>, today: () => string) {
  const reference = fastify();
  await reference.register(apiReference, { routePrefix: '/docs', configuration });
  await reference.ready();
  const kept = new Map<string, ReturnType<typeof ask>>();
  let day = '';

  async function ask(address: string) {
    const { statusCode, headers, rawPayload } = await reference.inject(address);
    if (statusCode !== 200) throw new Error(`the reference has no ${address} (${statusCode})`);
    const { date, connection, ...rest } = headers;
    return { headers: rest, rawPayload };
  }

  return {
    at(address: string): ReturnType<typeof ask> {
      if (day !== today()) kept.clear();
      day = today();
      const answer = kept.get(address) ?? ask(address);
      kept.set(address, answer);
      answer.catch(() => kept.delete(address));
      return answer;
    },
    close: () => reference.close(),
  };
}
