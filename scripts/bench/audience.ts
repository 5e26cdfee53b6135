import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { Running } from './processes.js';

/** Connections to a server that sends the same events to all of them. */
export interface Audience {
  /** Milliseconds from the change until the last connection has received the next availability. */
  timeUntilHeard(change: () => void): Promise<number>;
  /** The last availability, as its bytes without the chunk around them. */
  lastEvent(): string;
  /** Since they were opened, over all connections. */
  bytesReceived(): number;
  leave(): void;
}

/** Both servers send an event as one HTTP chunk, which ends like this. */
const eventEnd = Buffer.from('\n\n\r\n');

/** Opens `count` streams, one after the other. */
export async function gather(server: Running, path: string, size: number): Promise<Audience> {
  const { port } = new URL(server.url);
  const sockets: Socket[] = [];
  let heard = 0;
  let report: () => void = () => undefined;
  let lastEvent = '';

  const listen = (socket: Socket, isFirst: boolean): void => {
    let parts: Buffer[] | null = null;
    socket.on('data', (bytes) => {
      if (parts === null && bytes.includes('event: availability')) parts = [];
      if (parts === null) return;
      if (isFirst) parts.push(bytes);
      if (!bytes.subarray(-eventEnd.length).equals(eventEnd)) return;
      if (isFirst) lastEvent = /id: [^]*?\n\n/.exec(Buffer.concat(parts).toString())?.[0] ?? '';
      parts = null;
      heard += 1;
      if (heard === size) report();
    });
  };

  for (let index = 0; index < size; index += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    // Servers that end before their viewers reset the connections.
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    listen(socket, index === 0);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
    await once(socket, 'data');
    sockets.push(socket);
  }
  return {
    async timeUntilHeard(change) {
      heard = 0;
      const everyone = new Promise<void>((resolve) => (report = resolve));
      const began = performance.now();
      change();
      await everyone;
      return performance.now() - began;
    },
    lastEvent: () => lastEvent,
    bytesReceived: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    leave() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The resident set size in MB; NaN without /proc. */
export async function memoryOf({ child }: Running): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
