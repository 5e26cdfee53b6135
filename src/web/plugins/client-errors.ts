import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { errors, ServiceError, type ErrorCode } from '../../errors.js';
import type { Logger } from '../../platform/log.js';
import { errorView } from '../../views/error.js';

/** Errors of Node's HTTP parser, and their codes in the catalogue. */
const parserErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Sends the error envelope to a client whose request could not be parsed, and closes the connection. */
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
