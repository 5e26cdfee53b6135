import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

/** Opens idle connections from `address`. They stay half-open when the server closes its side. */
export async function openIdle(
  t: Test,
  url: string,
  address: string,
  count: number,
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  t.teardown(() => sockets.forEach((socket) => socket.destroy()));
  for (let index = 0; index < count; index += 1) {
    const port = Number(new URL(url).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress: address, allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  }
  return sockets;
}

/** Sends a request on a new connection. Resolves with the status, or null without a response. */
export function statusFor(url: string, localAddress: string): Promise<number | null> {
  const asking = request(url, { agent: false, localAddress }).end();
  return new Promise((resolve) => {
    asking.on('response', (response) => resolve(response.resume().statusCode ?? null));
    asking.on('error', () => resolve(null));
  });
}
