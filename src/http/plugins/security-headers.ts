import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import { fastify, type FastifyInstance } from 'fastify';

/**
 * Gives every answer the security headers of something that no page should embed or run; pages
 * replace what they need otherwise. `secure`: people reach the service by https.
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
    // What only matters to browsers of long ago.
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

/** The plugin works its headers out anew for every request; they are always the same. */
async function helmetHeaders(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const app = fastify();
  await app.register(helmet, options);
  app.get('/', (_request, reply) => reply.code(204).send());
  const { headers } = await app.inject('/');
  await app.close();
  const { date, connection, ...rest } = headers as Record<string, string>;
  return rest;
}
