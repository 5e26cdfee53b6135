import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { errors, ServiceError, type ErrorCode } from '../../errors.js';
import type { Logger } from '../../platform/log.js';
import { errorView } from '../../views/error.js';
import { isApi, privatePageHeaders } from '../send-page.js';

/** Errors of Node's HTTP parser, and their codes in the catalogue. */
const parserErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Sends the error envelope to a client whose request could not be parsed, and closes the connection. A
 * browser with too many headers gets a page, if the last bytes show that it is one.
 */
export function createClientErrorHandler(log: Logger) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = parserErrors[error.code ?? ''] ?? 'invalid_request';
    const facts =
      code === 'invalid_request'
        ? { details: [{ path: 'request', message: 'must be well-formed HTTP/1.1' }] }
        : {};
    const isShown = code === 'headers_too_large' && showsPages(error);
    endWith(socket, new ServiceError(code, facts), log, [], isShown ? tooManyCookies : undefined);
  };
}

function showsPages(error: object): boolean {
  const { rawPacket } = error as { rawPacket?: Buffer };
  const head = rawPacket?.toString('latin1') ?? '';
  const [, url] = /^[A-Z]+ (\/\S*) HTTP/.exec(head) ?? [];
  return url !== undefined && !isApi(url) && /^accept:.*text\/html/im.test(head);
}

/** The page has no styles: a request for them would carry the same cookies. */
const tooManyCookies = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Your browser sent too much</title>
<h1>Your browser sent too much</h1>
<p>It keeps more cookies for this website than we can read. Delete the cookies of this website in your
browser’s settings, then load the page again. Your bookings are not affected.</p>
`;

/**
 * Answers CONNECT with 405. Without a listener Node closes the connection without a response; with
 * one it passes on a socket without an error listener.
 */
export function registerConnect(app: FastifyInstance, log: Logger): void {
  app.server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    const allow = 'allow: DELETE, GET, HEAD, OPTIONS, POST';
    endWith(socket, new ServiceError('method_not_allowed'), log, [allow]);
  });
}

function endWith(
  socket: Duplex,
  failure: ServiceError,
  log: Logger,
  fields: string[] = [],
  page?: string,
): void {
  const { status, log: sentence } = errors[failure.code];
  const requestId = randomUUID();
  log.debug({ code: failure.code, request_id: requestId }, sentence);
  const body = page ?? JSON.stringify(errorView(failure, requestId));
  const type = page === undefined ? 'application/json' : 'text/html';
  const headers = page === undefined ? { 'cache-control': 'no-store' } : privatePageHeaders;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${type}; charset=utf-8`,
      `content-length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...fields,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
