import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

/** The longest address of a request. */
const addressLimitCharacters = 4 * 1024;

/**
 * Headers that the service reads and that have one value. Of two, Node keeps the first or joins them
 * with a comma, where another reader of the same request may take the second.
 */
const singleHeaders = new Set([
  'host',
  'authorization',
  'content-type',
  'idempotency-key',
  'last-event-id',
]);

/**
 * Fastify's `rewriteUrl`: turns every target into a path that the router can read. What the router
 * cannot read is answered before any hook runs, without a budget and without security headers. So a
 * path whose escapes are not UTF-8 is routed with its percent signs as text, and a target that is
 * neither a path nor an http address (`*`) as a path that names nothing.
 */
export function toRoutablePath({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]+/i, '');
  const path = target.startsWith('/') ? target : `/${target}`;
  return path.includes('%') ? path.replace(/^[^?#]+/, escapeUnlessReadable) : path;
}

function escapeUnlessReadable(path: string): string {
  try {
    decodeURI(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}

/**
 * Refuses requests that cannot be meant: with an address that is too long, without a host or with two
 * (RFC 9112, 3.2), with two values of a header that has one, or with a body that is not in UTF-8
 * (RFC 8259, 8.1), whose letters would be lost. Node itself refuses a request without a host, and an
 * expectation that it does not know, without a word; so the app takes `requireHostHeader: false`,
 * and such expectations are ignored (RFC 9110, 10.1.1).
 */
export function registerRequestForm(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  app.addHook('onRequest', (request, _reply, done) => {
    done(refusalOf(request));
  });
  app.removeContentTypeParser(['application/json', 'text/plain']);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (isUtf8(body)) void parseJson(request, body.toString(), done);
      else done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY());
    },
  );
}

function refusalOf({ originalUrl, headers, raw }: FastifyRequest): ServiceError | undefined {
  if (originalUrl.length > addressLimitCharacters) return new ServiceError('uri_too_long');
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return wrongHeader('host', 'is required and missing');
  }
  const repeated = repeatedHeader(raw);
  return repeated === null ? undefined : wrongHeader(repeated, 'must be sent once');
}

function repeatedHeader({ headers, rawHeaders }: IncomingMessage): string | null {
  // Most requests repeat none at all, and are looked at in a twentieth of the time.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return null;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

function wrongHeader(name: string, message: string): ServiceError {
  const details = [{ path: `header.${name}`, message }];
  return new ServiceError('invalid_request', { details });
}
