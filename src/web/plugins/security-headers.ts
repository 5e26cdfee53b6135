import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import { fastify, type FastifyInstance } from 'fastify';

/**
 * Adds the strictest security headers to every response; pages override some of them. `secure`: the
 * public base URL is https.
 */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  { secure }: { secure: boolean },
): Promise<void> {
  const headers = await helmetHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    hsts: secure && { maxAge: 31_536_000, includeSubDomains: false },
    // Headers for obsolete browsers.
    dnsPrefetchControl: false,
    ieNoOpen: false,
    originAgentCluster: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Computed once: the plugin computes the same headers for every request. */
async function helmetHeaders(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const app = fastify();
  await app.register(helmet, options);
  app.get('/', (_request, reply) => reply.code(204).send());
  const { headers } = await app.inject('/');
  await app.close();
  const { date, connection, ...rest } = headers as Record<string, string>;
  return rest;
}
