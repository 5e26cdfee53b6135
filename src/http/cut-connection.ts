import type { Socket } from 'node:net';

/**
 * Ends a connection whose peer does not read: over TCP with a reset, so that the kernel drops what
 * it still keeps for the peer. Not a connection that is ending already: Node then never closes it,
 * and spins when the process should exit.
 */
export function cutConnection(socket: Socket): void {
  if (socket.remoteFamily !== undefined && !socket.writableEnded) socket.resetAndDestroy();
  else socket.destroy();
}
