import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

/** The longest address of a request. */
const addressLimitCharacters = 4 * 1024;

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
 * Refuses requests that cannot be meant: with an address that is too long, without a host
 * (RFC 9112, 3.2), or with a body that is not in UTF-8 (RFC 8259, 8.1), whose letters would be lost. Node itself refuses a request without a host, and an
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
    const details = [{ path: 'header.host', message: 'is required and missing' }];
    return new ServiceError('invalid_request', { details });
  }
  return undefined;
}
