import type { FastifyInstance } from 'fastify';
import createRouter from 'find-my-way';
import { ServiceError } from '../../errors.js';

/** The methods of each URL, as routes name it. */
type Methods = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Collects the methods of each URL of a scope. Call the result after its last route: it makes all other
 * methods answer 405 with `Allow` (RFC 9110, 15.5.6) instead of Fastify's 404, after all other hooks and
 * before the body is parsed: its type and size do not matter here.
 *
 * Not with a route for each of these methods: they would be 2,500, and a tenth of the time of a start.
 */
export function collectMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  /** What a scope in this one refuses by routes. */
  const refused = new Map<string, Set<string>>();
  let router: ReturnType<typeof routerOf> | undefined;
  app.addHook('onRoute', ({ url, method, config }) => {
    if (url.endsWith('*')) return;
    const methods = config?.isRefusal === true ? refused : known;
    const seen = methods.get(url) ?? new Set();
    for (const each of [method].flat()) seen.add(each);
    methods.set(url, seen);
  });
  return () => {
    refuseShadowed(app, known, refused);
    app.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done();
      router ??= routerOf(known);
      const found = router.find('GET', request.url);
      if (found === null) return done();
      reply.header('allow', found.store as string);
      done(new ServiceError('method_not_allowed'));
    });
  };
}

/** Finds the value of `Allow` by URL: every pattern is a route for GET, whatever its methods are. */
function routerOf(known: Methods) {
  const router = createRouter({ maxParamLength: Infinity });
  for (const [url, methods] of known) router.on('GET', url, () => undefined, allow(methods));
  return router;
}

/**
 * Refuses the methods that a URL does not have where a pattern has them that it matches: the router
 * would take the end of `/webhooks/redeliver` as the id of `/webhooks/:id`.
 */
function refuseShadowed(app: FastifyInstance, known: Methods, refused: Methods): void {
  const router = createRouter();
  for (const [url, methods] of known) {
    for (const method of methods) router.on(method as 'GET', url, () => undefined);
  }
  const inUse = [...new Set([...known.values()].flatMap((methods) => [...methods]))];
  for (const [url, methods] of known) {
    if (url.includes(':')) continue;
    const shadowed = inUse.filter(
      (method) =>
        !methods.has(method) &&
        refused.get(url)?.has(method) !== true &&
        router.find(method as 'GET', url) !== null,
    );
    if (shadowed.length === 0) continue;
    app.route({
      method: shadowed,
      url: url.slice(app.prefix.length),
      exposeHeadRoute: false,
      config: { isRefusal: true },
      onRequest: (_request, reply, done) => {
        reply.header('allow', allow(methods));
        done(new ServiceError('method_not_allowed'));
      },
      handler: () => undefined,
    });
  }
}

function allow(methods: ReadonlySet<string>): string {
  return [...methods].sort().join(', ');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route refuses its methods with 405. */
    isRefusal?: boolean;
  }
}
