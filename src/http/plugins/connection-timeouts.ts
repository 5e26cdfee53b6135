import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { cutConnection } from '../cut-connection.js';

/** How long a connection may stay open unused, in milliseconds. */
export interface ConnectionDeadlines {
  /** From the connection to the end of its first request. */
  firstRequestMs: number;
  /** While bytes of an answer wait and the peer takes none. */
  unreadAnswerMs: number;
  /** From the moment at which the service has closed its side. */
  closingMs: number;
  checkEveryMs: number;
}

interface Connection {
  firstRequest: IncomingMessage | null;
  state: 'silent' | 'unread' | 'closing' | 'in use';
  /** Bytes of an unread answer that the kernel has accepted. */
  taken: number;
  /** When `state` or `taken` last changed. */
  since: number;
}

const standardDeadlines: ConnectionDeadlines = {
  firstRequestMs: 10_000,
  unreadAnswerMs: 30_000,
  closingMs: 1_000,
  checkEveryMs: 1_000,
};

/**
 * Closes idle and stalled connections, which occupy file descriptors. Node's timeouts restart with
 * the first byte of a request, ignore responses, and wait for the peer to close after an error. A late
 * first request gets 408; a connection whose peer does not read, or does not close, is reset.
 */
export function registerConnectionDeadlines(
  app: FastifyInstance,
  deadlines = standardDeadlines,
): void {
  const { server } = app;
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const since = performance.now();
    connections.set(socket, { firstRequest: null, state: 'silent', taken: 0, since });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.firstRequest ??= request;
  });
  server.once('listening', () => {
    const checking = setInterval(check, deadlines.checkEveryMs).unref();
    server.once('close', () => clearInterval(checking));
  });

  function check(): void {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      observe(socket, connection, now);
      const { state, since } = connection;
      const passedMs = now - since;
      if (state === 'silent' && passedMs >= deadlines.firstRequestMs) {
        server.emit('clientError', lateRequestError(), socket);
      } else if (
        (state === 'unread' && passedMs >= deadlines.unreadAnswerMs) ||
        (state === 'closing' && passedMs >= deadlines.closingMs)
      ) {
        cutConnection(socket);
      }
    }
  }
}

function observe(socket: Socket, connection: Connection, now: number): void {
  const state = stateOf(socket, connection);
  const taken = state === 'unread' ? takenBytes(socket) : 0;
  if (state === connection.state && taken === connection.taken) return;
  Object.assign(connection, { state, taken, since: now });
}

function stateOf(socket: Socket, { firstRequest }: Connection): Connection['state'] {
  if (socket.writableLength > 0) return 'unread';
  if (socket.writableEnded) return 'closing';
  return firstRequest?.complete === true ? 'in use' : 'silent';
}

/**
 * `socket.bytesWritten` does not advance during one large write; the counters of the handle do, and
 * Node's own socket timeout reads them as well.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    _handle: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle === null ? 0 : handle.bytesWritten - handle.writeQueueSize;
}

/** As Node's own check of requests reports it. */
function lateRequestError(): Error {
  return Object.assign(new Error('the first request is late'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  });
}
