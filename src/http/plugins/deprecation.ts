import type { FastifyInstance } from 'fastify';
import { document, type JsonObject } from '../../../generated/document.js';

/**
 * Lets every answer of an operation that is to end say so: since when that is announced
 * (`Deprecation`, RFC 9745), and when it stops to work (`Sunset`, RFC 8594). The dates are those of
 * openapi.yaml, `x-deprecated-since` and `x-sunset`, and mean midnight in UTC.
 */
export function announceEnds(api: FastifyInstance): void {
  const announcements = new Map(
    Object.values(document.paths)
      .flatMap((item) => Object.values(item) as JsonObject[])
      .filter(({ deprecated }) => deprecated === true)
      .map((operation) => [operation['operationId'], announcementOf(operation)]),
  );
  api.addHook('onRequest', (request, reply, done) => {
    const headers = announcements.get(request.routeOptions.config.operationId);
    if (headers !== undefined) reply.headers(headers);
    done();
  });
}

function announcementOf(operation: JsonObject): Record<string, string> {
  const instant = (name: string) => new Date(operation[name] as string);
  return {
    deprecation: `@${instant('x-deprecated-since').getTime() / 1000}`,
    sunset: instant('x-sunset').toUTCString(),
  };
}
