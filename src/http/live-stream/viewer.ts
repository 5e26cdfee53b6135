import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { cutConnection } from '../../web/plugins/connection-timeouts.js';
import type { Frames } from './event-frames.js';

/** A client of the live stream. */
export interface Viewer {
  /**
   * Writes the latest event of each type unless it was already sent. While the socket is blocked,
   * nothing is written; on `drain` the latest events follow, and those in between are skipped.
   */
  send(): void;
  /** Closes the connection if its socket has been blocked for `forMs`. */
  cutIfBlocked(forMs: number): void;
  /** Writes `lastText` and ends the stream; destroys the connection after a second. */
  end(lastText: string): Promise<void>;
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
  // A new viewer needs the latest state, but no past heartbeat.
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

  // `close` follows every error.
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
    async end(lastText) {
      if (blockedSince === null) {
        response.end(lastText);
        const closed = new Promise((resolve) => response.once('close', resolve));
        const timeout = setTimeout(endWithinMs, undefined, { ref: false });
        if (!response.closed) await Promise.race([closed, timeout]);
      }
      response.destroy();
    },
  };
}
