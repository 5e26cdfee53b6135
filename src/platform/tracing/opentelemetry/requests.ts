import { FastifyOtelInstrumentation } from '@fastify/otel';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { ReadSpans } from './read-spans.js';

/** Probes, and the stream, whose response has no end. */
const untracedRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/api/public/events']);

const readMethods: readonly string[] = ['GET', 'HEAD'];

/**
 * Traces each request with this probability (0 to 1). A caller's own `traceparent` is ignored. A request
 * to a route that only reads has one span, made after its response, and none if its client leaves before;
 * any other is active while it is handled, and has others below it.
 */
export async function traceRequests(
  app: FastifyInstance,
  share: number,
  readSpans: ReadSpans,
): Promise<void> {
  app.addHook('onRoute', (route: RouteOptions) => {
    const onlyReads = [route.method].flat().every((method) => readMethods.includes(method));
    if (onlyReads || untracedRoutes.has(route.url)) {
      route.config = { ...route.config, otel: false };
    }
  });
  app.addHook('onResponse', (request, reply, next) => {
    if (Math.random() < share) addRead(readSpans, request, reply);
    next();
  });
  const { setNotFoundHandler } = Object.getOwnPropertyDescriptors(app);
  await app.register(new SampledInstrumentation(share).plugin());
  // The plugin's method would make a span of each handler, named after files of the code.
  Object.defineProperties(app, { setNotFoundHandler });
}

function addRead(
  readSpans: ReadSpans,
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): void {
  const { url: route, config } = routeOptions;
  if (route === undefined || config.otel !== false || untracedRoutes.has(route)) return;
  const endedAt = performance.now();
  const startedAt = endedAt - reply.elapsedTime;
  readSpans.add({ method, route, statusCode: reply.statusCode, startedAt, endedAt });
}

/** The first check of each request: an untraced one costs nothing more. */
class SampledInstrumentation extends FastifyOtelInstrumentation {
  readonly #share: number;

  constructor(share: number) {
    super({
      instrumentHooks: false,
      instrumentHandler: false,
      recordExceptions: false,
      requestHook: (span, { method, raw, routeOptions: { url } }) => {
        span.updateName(url === undefined ? method : `${method} ${url}`);
        // A request without a route would be ended by a response only.
        if (url === undefined) raw.once('close', () => span.isRecording() && span.end());
      },
    });
    this.#share = share;
  }

  override isEnabled(): boolean {
    return Math.random() < this.#share;
  }
}
