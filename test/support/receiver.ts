import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What a receiver does with a request once it has read it. */
export type Behaviour =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string | Buffer }
  | { kind: 'late answer'; status: number; afterMs: number }
  | { kind: 'held answer'; status: number; until: Promise<void> }
  /** Never answers. */
  | { kind: 'hang' }
  /** Endless headers, a byte at a time. */
  | { kind: 'drip head'; everyMs: number }
  /** The status at once, then an endless body, a byte at a time. */
  | { kind: 'drip body'; status: number; everyMs: number }
  /** A body of a gigabyte, as fast as the sender reads it. */
  | { kind: 'gigabyte'; status: number }
  /** Resets the TCP connection. */
  | { kind: 'reset' }
  /** Bytes that need not be HTTP, then the end of the connection. */
  | { kind: 'raw'; bytes: string };

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Names and values alternate, as received. */
  rawHeaders: string[];
  body: Buffer;
  /** `performance.now()` when the last byte of the request was read. */
  receivedAt: number;
  /** Resolves when the connection that carried it is closed, by either side. */
  closed: Promise<void>;
}

export function answer(
  status: number,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Behaviour {
  return { kind: 'answer', status, headers, body };
}

/** Starts an HTTP receiver on loopback, on a free port; answers 204 by default. */
export async function startReceiver(...behaviours: Behaviour[]) {
  const requests: ReceivedRequest[] = [];
  const waiting = new Map<number, ((request: ReceivedRequest) => void)[]>();
  const closings = new WeakMap<Socket, Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let remaining: Behaviour[] = behaviours.length > 0 ? behaviours : [answer(204)];
  let connectionCount = 0;
  let lateAnswers = 0;
  let mostAtOnce = 0;
  let bodyBytesSent = 0;

  const drip = (socket: Socket, everyMs: number, write: () => void): void => {
    const timer = setInterval(write, everyMs);
    timers.add(timer);
    socket.once('close', () => {
      clearInterval(timer);
      timers.delete(timer);
    });
  };

  const pour = (response: ServerResponse, status: number): void => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const total = 2 ** 30;
    response.writeHead(status, { 'content-length': total });
    const write = (): void => {
      while (bodyBytesSent < total && !response.destroyed) {
        const hasRoom = response.write(chunk);
        bodyBytesSent += chunk.length;
        if (!hasRoom) {
          response.once('drain', write);
          return;
        }
      }
    };
    write();
  };

  const act = (behaviour: Behaviour, socket: Socket, response: ServerResponse): void => {
    switch (behaviour.kind) {
      case 'answer':
        response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
        return;
      case 'late answer': {
        lateAnswers += 1;
        mostAtOnce = Math.max(mostAtOnce, lateAnswers);
        const timer = setTimeout(() => {
          timers.delete(timer);
          lateAnswers -= 1;
          response.writeHead(behaviour.status).end();
        }, behaviour.afterMs);
        timers.add(timer);
        return;
      }
      case 'held answer':
        void behaviour.until.then(() => response.writeHead(behaviour.status).end());
        return;
      case 'hang':
        return;
      case 'drip head':
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
        drip(socket, behaviour.everyMs, () => socket.write('x'));
        return;
      case 'drip body':
        response.writeHead(behaviour.status).flushHeaders();
        drip(socket, behaviour.everyMs, () => response.write('x'));
        return;
      case 'gigabyte':
        pour(response, behaviour.status);
        return;
      case 'reset':
        socket.resetAndDestroy();
        return;
      case 'raw':
        socket.end(behaviour.bytes);
    }
  };

  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (body === null) return;
      const { socket } = request;
      const received: ReceivedRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        rawHeaders: request.rawHeaders,
        body,
        receivedAt: performance.now(),
        closed: closings.get(socket) ?? Promise.resolve(),
      };
      const count = requests.push(received);
      const [behaviour = answer(204)] = remaining;
      if (remaining.length > 1) remaining = remaining.slice(1);
      act(behaviour, socket, response);
      for (const resolve of waiting.get(count) ?? []) resolve(received);
      waiting.delete(count);
    });
  });
  server.on('connection', (socket) => {
    connectionCount += 1;
    closings.set(socket, new Promise((resolve) => socket.once('close', () => resolve())));
    // Many tests let the sender close the connection.
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    connectionCount: () => connectionCount,
    /** The most requests with a late answer that were in flight at once. */
    mostAtOnce: () => mostAtOnce,
    /** Bytes of gigabyte bodies handed to the kernel so far. */
    bodyBytesSent: () => bodyBytesSent,
    /** Sets the behaviour for each request from now on; the last one is for all the rest. */
    behave(...next: [Behaviour, ...Behaviour[]]) {
      remaining = next;
    },
    /** Resolves with the n-th request (from 1) when it has arrived. */
    request(n: number): Promise<ReceivedRequest> {
      const present = requests[n - 1];
      if (present) return Promise.resolve(present);
      return new Promise((resolve) => waiting.set(n, [...(waiting.get(n) ?? []), resolve]));
    },
    /** Closes all connections and stops listening. */
    close() {
      for (const timer of timers) clearInterval(timer);
      return new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The whole body, or null if the sender closed the connection before its end. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
