import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { maxBodyBytes } from '../../config/limits.js';
import { ServiceError } from '../../errors.js';

/** The size that the proxies of the examples pass. */
const maxDiscardedBytes = 2 * maxBodyBytes;

/** In characters. */
const maxUrlLength = 4 * 1024;

/**
 * Headers that must not be repeated. Of two, Node keeps the first or joins them with a comma, while
 * a proxy may read the second.
 */
const singleHeaders = new Set([
  'host',
  'authorization',
  'content-type',
  'idempotency-key',
  'last-event-id',
]);

/**
 * Fastify's `rewriteUrl`: turns every request target into a path that the router can parse. Otherwise
 * the router answers before any hook runs, without a budget and without security headers. In a path
 * with malformed escapes the percent signs are taken literally; a target such as `*` becomes a path
 * that no route matches.
 */
export function toRoutablePath({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]+/i, '');
  const path = target.startsWith('/') ? target : `/${target}`;
  return path.includes('%') ? path.replace(/^[^?#]+/, escapeUnlessDecodable) : path;
}

function escapeUnlessDecodable(path: string): string {
  try {
    decodeURI(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}

/**
 * Refuses requests with too long a URL, without a Host header or with two (RFC 9112, 3.2), with a
 * repeated single-value header, or with a JSON body that is not UTF-8 (RFC 8259, 8.1). Node itself
 * would refuse a missing Host and an unknown Expect with an empty response; therefore the app sets
 * `requireHostHeader: false`, and unknown expectations are ignored (RFC 9110, 10.1.1).
 */
export function registerRequestChecks(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  app.addHook('onRequest', (request, _reply, done) => {
    done(checkRequest(request));
  });
  // A connection that is closed with unread bytes is reset, and a proxy then answers 502 instead of
  // passing the refusal on. So a body that is a little too long is read before it is refused; after
  // others the connection stays open, and Node discards the rest.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const bytes = Number(request.headers['content-length']);
    if (bytes > maxDiscardedBytes && request.method === 'POST') {
      done(new ServiceError('payload_too_large'), payload);
    } else if (bytes > maxBodyBytes && bytes <= maxDiscardedBytes) {
      finished(payload.resume(), () => done(null, payload));
    } else done(null, payload);
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

function checkRequest({ originalUrl, headers, raw }: FastifyRequest): ServiceError | undefined {
  if (originalUrl.length > maxUrlLength) return new ServiceError('uri_too_long');
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return headerError('host', 'is required and missing');
  }
  const repeated = repeatedHeader(raw);
  return repeated === null ? undefined : headerError(repeated, 'must be sent once');
}

function repeatedHeader({ headers, rawHeaders }: IncomingMessage): string | null {
  // Fast path: most requests repeat no header.
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

function headerError(name: string, message: string): ServiceError {
  const details = [{ path: `header.${name}`, message }];
  return new ServiceError('invalid_request', { details });
}

/**
 * Warns once when a peer that TRUST_PROXY does not list sends X-Forwarded-For: if it is a proxy, all
 * callers behind it share one budget.
 */
export function warnOfUnlistedProxy(app: FastifyInstance): void {
  let warned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (
      !warned &&
      request.headers['x-forwarded-for'] !== undefined &&
      request.ip === request.socket.remoteAddress
    ) {
      warned = true;
      request.log.warn(
        'X-Forwarded-For came from a peer that TRUST_PROXY does not list, and was not believed; if that is your proxy, list it, or all callers share one budget',
      );
    }
    done();
  });
}
