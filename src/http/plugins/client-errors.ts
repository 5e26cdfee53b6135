import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errors, ServiceError, type ErrorCode } from '../../errors.js';
import type { Logger } from '../../log.js';
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
    const { status, log: sentence } = errors[code];
    const requestId = randomUUID();
    log.debug({ code, request_id: requestId }, sentence);
    const body = JSON.stringify(
      errorView(
        new ServiceError(
          code,
          code === 'invalid_request'
            ? { details: [{ path: 'request', message: 'must be well-formed HTTP/1.1' }] }
            : {},
        ),
        requestId,
      ),
    );
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        'cache-control: no-store',
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  };
}
