import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a connection may stay open unused, in milliseconds. */
export interface ConnectionTimeouts {
  /** From the connection to the end of its first request. */
  firstRequestMs: number;
  /** While unsent bytes of a response wait and the peer reads none. */
  unreadResponseMs: number;
  /** From the moment the service closed its side. */
  closingMs: number;
  checkEveryMs: number;
}

interface Connection {
  firstRequest: IncomingMessage | null;
  state: 'first request' | 'response unread' | 'closing' | 'in use';
  /** Bytes of an unread response that the kernel has accepted. */
  accepted: number;
  /** When `state` or `accepted` last changed. */
  since: number;
}

const defaultTimeouts: ConnectionTimeouts = {
  firstRequestMs: 10_000,
  unreadResponseMs: 30_000,
  closingMs: 1_000,
  checkEveryMs: 1_000,
};

/**
 * Closes idle and stalled connections, which occupy file descriptors. Node's timeouts restart with
 * the first byte of a request, ignore responses, and wait for the peer to close after an error. A late
 * first request gets 408; a connection whose peer does not read, or does not close, is reset.
 */
export function registerConnectionTimeouts(app: FastifyInstance, timeouts = defaultTimeouts): void {
  const { server } = app;
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const since = performance.now();
    connections.set(socket, { firstRequest: null, state: 'first request', accepted: 0, since });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.firstRequest ??= request;
  });
  server.once('listening', () => {
    const checking = setInterval(check, timeouts.checkEveryMs).unref();
    server.once('close', () => clearInterval(checking));
  });

  function check(): void {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      observe(socket, connection, now);
      const { state, since } = connection;
      const elapsedMs = now - since;
      if (state === 'first request' && elapsedMs >= timeouts.firstRequestMs) {
        server.emit('clientError', lateRequestError(), socket);
      } else if (
        (state === 'response unread' && elapsedMs >= timeouts.unreadResponseMs) ||
        (state === 'closing' && elapsedMs >= timeouts.closingMs)
      ) {
        cutConnection(socket);
      }
    }
  }
}

function observe(socket: Socket, connection: Connection, now: number): void {
  const state = stateOf(socket, connection);
  const accepted = state === 'response unread' ? acceptedBytes(socket) : 0;
  if (state === connection.state && accepted === connection.accepted) return;
  Object.assign(connection, { state, accepted, since: now });
}

function stateOf(socket: Socket, { firstRequest }: Connection): Connection['state'] {
  if (socket.writableLength > 0) return 'response unread';
  if (socket.writableEnded) return 'closing';
  return firstRequest?.complete === true ? 'in use' : 'first request';
}

/**
 * `socket.bytesWritten` does not advance during one large write; the counters of the handle do, and
 * Node's own socket timeout reads them as well.
 */
function acceptedBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    _handle: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle === null ? 0 : handle.bytesWritten - handle.writeQueueSize;
}

/** The error that Node's own request timeout emits. */
function lateRequestError(): Error {
  return Object.assign(new Error('the first request is late'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  });
}

/**
 * Closes a connection whose peer does not read: over TCP with a reset, so that the kernel drops the
 * unsent bytes. A socket that is already ending is destroyed instead: after a reset Node would never
 * close it, and would spin when the process exits.
 */
export function cutConnection(socket: Socket): void {
  if (socket.remoteFamily !== undefined && !socket.writableEnded) socket.resetAndDestroy();
  else socket.destroy();
}
