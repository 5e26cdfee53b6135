import type { Socket } from 'node:net';

/**
 * Closes a connection whose peer does not read: over TCP with a reset, so that the kernel drops the
 * unsent bytes. A socket that is already ending is destroyed instead: after a reset Node would never
 * close it, and would spin when the process exits.
 */
export function cutConnection(socket: Socket): void {
  if (socket.remoteFamily !== undefined && !socket.writableEnded) socket.resetAndDestroy();
  else socket.destroy();
}
