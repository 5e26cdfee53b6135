import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from './error.js';

export interface Turn {
  end(): Promise<void>;
}

const retryMs = 50;

/** Does something about a cluster once nobody else does: who has the turn ends it, or dies. */
export async function inTurn(cluster: string, work: () => Promise<void>): Promise<void> {
  let turn = await takeTurn(cluster);
  for (; turn === null; turn = await takeTurn(cluster)) await delay(retryMs);
  try {
    await work();
  } finally {
    await turn.end();
  }
}

/**
 * The right to change what runs on a cluster. One start at a time looks for a server, clears away
 * what a crash has left, launches its own and locks it; or it would clear away another's. Null where
 * another start has the turn. The name is an abstract socket's, which ends with its process, however
 * that ends; elsewhere than on Linux there is none, and starts at one moment are not kept apart.
 */
export async function takeTurn(cluster: string): Promise<Turn | null> {
  if (process.platform !== 'linux') return { end: () => Promise.resolve() };
  const name = createHash('sha256').update(cluster).digest('hex');
  // Nobody has a reason to connect; whoever did could keep the server from closing.
  const server = createServer((socket) => socket.destroy()).listen(
    `\0tattoo-studio-booking ${name}`,
  );
  try {
    await once(server, 'listening');
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return null;
    throw error;
  }
  return {
    async end() {
      server.close();
      await once(server, 'close');
    },
  };
}
