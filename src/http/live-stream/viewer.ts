import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { cutConnection } from '../cut-connection.js';
import type { Frames } from './event-frames.js';

/** One who is told the newest state, as fast as it takes it. */
export interface Viewer {
  /** Writes what it has not got, unless its socket takes no more: then it gets what is newest later. */
  send(): void;
  /** Cuts the stream if its socket has taken nothing for so long. */
  cutIfBlocked(forMs: number): void;
  /** Ends the stream after a last word, and cuts it where the socket is slow to take that. */
  end(lastWord: string): Promise<void>;
}

const endWithinMs = 1_000;

/** Times are milliseconds of the given monotonic clock. */
export function createViewer(
  response: ServerResponse,
  frames: Readonly<Frames>,
  lastEventId: string | undefined,
  monotonic: () => number,
): Viewer {
  let availabilityId = lastEventId;
  let pulse: Buffer | null = null;
  // Only what comes from now on: a beat is no state.
  let { heartbeat } = frames;
  let blockedSince: number | null = null;

  function write(bytes: Buffer): void {
    if (!response.write(bytes)) blockedSince = monotonic();
  }

  function send(): void {
    if (frames.availability !== null && frames.availability.id !== availabilityId) {
      if (blockedSince !== null) return;
      availabilityId = frames.availability.id;
      write(frames.availability.bytes);
    }
    if (frames.pulse !== null && frames.pulse !== pulse) {
      if (blockedSince !== null) return;
      pulse = frames.pulse;
      write(pulse);
    }
    if (frames.heartbeat !== null && frames.heartbeat !== heartbeat) {
      if (blockedSince !== null) return;
      heartbeat = frames.heartbeat;
      write(heartbeat);
    }
  }

  // Whatever fails there, `close` follows.
  response.on('error', () => undefined);
  response.on('drain', () => {
    blockedSince = null;
    send();
  });

  return {
    send,
    cutIfBlocked(forMs) {
      if (blockedSince === null || monotonic() - blockedSince < forMs) return;
      if (response.socket === null) response.destroy();
      else cutConnection(response.socket);
    },
    async end(lastWord) {
      if (blockedSince === null) {
        response.end(lastWord);
        const closed = new Promise((resolve) => response.once('close', resolve));
        const patience = setTimeout(endWithinMs, undefined, { ref: false });
        if (!response.closed) await Promise.race([closed, patience]);
      }
      response.destroy();
    },
  };
}
