import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { errors, ServiceError, type ErrorCode } from '../../errors.js';
import type { Logger } from '../../platform/log.js';
import { errorView } from '../../views/error.js';

/** What Node's HTTP parser refuses before there is a request, as the catalogue names it. */
const parserErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers below the router with the same envelope, then ends the connection. */
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
    endWith(socket, new ServiceError(code, facts), log);
  };
}

/**
 * Answers CONNECT, whose target is a host and no address of the service. Without a listener Node closes
 * the connection without an answer; with one it hands the connection over with no listener on it.
 */
export function registerConnect(app: FastifyInstance, log: Logger): void {
  app.server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    const allow = 'allow: DELETE, GET, HEAD, OPTIONS, POST';
    endWith(socket, new ServiceError('method_not_allowed'), log, [allow]);
  });
}

function endWith(socket: Duplex, failure: ServiceError, log: Logger, fields: string[] = []): void {
  const { status, log: sentence } = errors[failure.code];
  const requestId = randomUUID();
  log.debug({ code: failure.code, request_id: requestId }, sentence);
  const body = JSON.stringify(errorView(failure, requestId));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      ...fields,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
