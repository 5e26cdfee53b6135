import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '../../support/scope.js';

const batchSize = 100;

/** Half of them say nothing, half stop in the middle of a header. Ends when all are closed. */
export async function openHalf(scope: Scope, port: number, total: number): Promise<string> {
  const began = performance.now();
  const closed: Promise<unknown>[] = [];
  const sockets: Socket[] = [];
  scope.teardown(() => sockets.forEach((socket) => socket.destroy()));
  for (let count = 0; count < total; count += batchSize) {
    const batch = Array.from({ length: batchSize }, () => connect(port, '127.0.0.1'));
    for (const [index, socket] of batch.entries()) {
      socket.on('error', () => undefined).resume();
      closed.push(once(socket, 'close'));
      if (index % 2 === 0) socket.write('GET /api/public/studio HTTP/1.1\r\nX-Slow: ');
    }
    sockets.push(...batch);
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
  }
  const opened = Math.round((performance.now() - began) / 1000);
  const leftAfter = await Promise.race([
    Promise.all(closed).then(() => 0),
    delay(30_000).then(() => sockets.filter(({ closed: isClosed }) => !isClosed).length),
  ]);
  const seconds = Math.round((performance.now() - began) / 1000);
  sockets.forEach((socket) => socket.destroy());
  return leftAfter === 0
    ? `opened in ${opened} s, all closed by the service after ${seconds} s`
    : `${leftAfter} still open after ${seconds} s`;
}
