import { FastifyOtelInstrumentation } from '@fastify/otel';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** Probes, and the stream, whose response has no end. */
const untracedRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/api/public/events']);

/** Traces each request with this probability (0 to 1). A caller's own `traceparent` is ignored. */
export async function traceRequests(app: FastifyInstance, share: number): Promise<void> {
  app.addHook('onRoute', (route: RouteOptions) => {
    if (untracedRoutes.has(route.url)) route.config = { ...route.config, otel: false };
  });
  const instrumentation = new SampledInstrumentation(share);
  await app.register(instrumentation.plugin());
}

/** Asked first for each request: for those that are not traced, nothing else is done. */
class SampledInstrumentation extends FastifyOtelInstrumentation {
  readonly #share: number;

  constructor(share: number) {
    super({
      instrumentHooks: false,
      instrumentHandler: false,
      recordExceptions: false,
      requestHook: (span, { method, routeOptions: { url = '' } }) => {
        span.updateName(`${method} ${url}`.trim());
      },
    });
    this.#share = share;
  }

  override isEnabled(): boolean {
    return Math.random() < this.#share;
  }
}
