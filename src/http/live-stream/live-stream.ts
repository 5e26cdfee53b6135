import type { ServerResponse } from 'node:http';
import type { Board, CalendarState } from '../../board/board.js';
import type { Config } from '../../config/config.js';
import { ServiceError } from '../../errors.js';
import type { Clock } from '../../platform/clock.js';
import { createKeyedCounter } from '../../platform/concurrency.js';
import { createBroadcaster } from './broadcaster.js';
import { createFrameMaker, retryFrame } from './event-frames.js';
import { createViewer, type Viewer } from './viewer.js';

/**
 * The live stream of this process. It carries states, not a log: a slow viewer skips to the latest state
 * and costs no memory (src/decisions.md).
 */
export interface LiveStream {
  viewerCount(): number;
  /**
   * Reserves a place for a viewer from this network and reads the state to show. Throws
   * `rate_limited`, `service_unavailable`; while draining, serves by cutting the connection.
   */
  admit(network: string): Promise<Admission>;
  /** Admits no more viewers and ends all streams, with reconnection times spread at random. */
  drain(): Promise<void>;
}

export interface Admission {
  /** Writes the stream to a response whose head is sent, until either side closes it. */
  serve(response: ServerResponse, lastEventId: string | undefined): void;
}

export interface LiveStreamOptions {
  board: Board;
  clock: Clock;
  publicBaseUrl: string;
  limits: Pick<Config, 'maxStreams' | 'maxStreamsPerAddress'>;
  monotonic?: () => number;
}

const tickMs = 1_000;
const heartbeatMs = 15_000;
const cutAfterBlockedMs = 30_000;
/** Reconnection times are random in a range that grows with the number of viewers. */
const retry = { fromMs: 1_000, minMs: 3_000, perViewerMs: 2, maxMs: 60_000 };

const retryAfterAddressLimitSeconds = 30;
/** Random in this range, so that refused clients do not return together. */
const retryAfterProcessLimitSeconds = { from: 5, to: 30 };

export function createLiveStream(options: LiveStreamOptions): LiveStream {
  const { board, clock, limits, publicBaseUrl, monotonic = () => performance.now() } = options;
  const openStreams = createKeyedCounter();
  const viewers = new Set<Viewer>();
  const frameMaker = createFrameMaker(clock, publicBaseUrl);
  let state: CalendarState | null = null;
  let ticking: NodeJS.Timeout | undefined;
  let pulseTimer: NodeJS.Timeout | undefined;
  let beatAt = -Infinity;
  let isDraining = false;

  const scheduleBroadcast = createBroadcaster(viewers, prepareBroadcast, (viewer) => viewer.send());
  board.subscribe((next) => {
    state = next;
    scheduleBroadcast();
  });

  function prepareBroadcast(): void {
    if (state === null) return;
    frameMaker.updateAvailability(state);
    // Stale figures are not sent with a new timestamp.
    if (board.isFresh()) updatePulse(state, false);
  }

  /** Postpones a pulse that comes too early. Returns whether it was made. */
  function updatePulse(shown: CalendarState, force: boolean): boolean {
    const pauseMs = frameMaker.pulsePauseMs(monotonic());
    if (pauseMs === 0) return frameMaker.updatePulse(shown, viewers.size, monotonic(), force);
    clearTimeout(pulseTimer);
    pulseTimer = setTimeout(scheduleBroadcast, Math.ceil(pauseMs)).unref();
    return false;
  }

  function tick(): void {
    for (const viewer of viewers) viewer.cutIfBlocked(cutAfterBlockedMs);
    if (monotonic() - beatAt >= heartbeatMs) {
      beatAt = monotonic();
      frameMaker.updateHeartbeat();
    }
    scheduleBroadcast();
  }

  function addViewer(response: ServerResponse, lastEventId: string | undefined): Viewer {
    if (viewers.size === 0) {
      beatAt = monotonic();
      ticking = setInterval(tick, tickMs);
    }
    const viewer = createViewer(response, frameMaker.frames, lastEventId, monotonic);
    viewers.add(viewer);
    response.write(retryField());
    if (state !== null) {
      frameMaker.updateAvailability(state);
      if (updatePulse(state, true)) scheduleBroadcast();
    }
    viewer.send();
    return viewer;
  }

  function removeViewer(viewer: Viewer): void {
    viewers.delete(viewer);
    if (viewers.size > 0) return;
    clearInterval(ticking);
    clearTimeout(pulseTimer);
  }

  function retryField(): string {
    const { fromMs, minMs, perViewerMs, maxMs } = retry;
    const spreadMs = Math.min(Math.max(viewers.size * perViewerMs, minMs), maxMs);
    return retryFrame(fromMs + Math.floor(Math.random() * spreadMs));
  }

  /** Returns what releases the place. Throws `rate_limited` or `service_unavailable`. */
  function reservePlace(network: string): () => void {
    const count = openStreams.get(network);
    if (count >= limits.maxStreamsPerAddress) {
      throw new ServiceError('rate_limited', {
        message: `Your IPv4 address or IPv6 network (/48) has ${count} streams open, and may have no more. Close one, or try again after retry_after_seconds.`,
        retryAfterSeconds: retryAfterAddressLimitSeconds,
      });
    }
    if (openStreams.total() >= limits.maxStreams) {
      const { from, to } = retryAfterProcessLimitSeconds;
      const retryAfterSeconds = from + Math.floor(Math.random() * (to - from + 1));
      throw new ServiceError('service_unavailable', { retryAfterSeconds });
    }
    return openStreams.increment(network);
  }

  return {
    viewerCount: () => viewers.size,
    async admit(network) {
      // EventSource gives up for good at any response but a stream, and tries again without one.
      if (isDraining) return { serve: (response) => response.destroy() };
      const release = reservePlace(network);
      try {
        const read = await board.read();
        if (state === null || read.version > state.version) state = read;
      } catch (error) {
        release();
        throw error;
      }
      return {
        serve(response, lastEventId) {
          // The client may have disconnected while the state was read.
          if (response.destroyed || isDraining) {
            release();
            response.destroy();
            return;
          }
          const viewer = addViewer(response, lastEventId);
          response.on('close', () => {
            release();
            removeViewer(viewer);
          });
        },
      };
    },
    async drain() {
      isDraining = true;
      const leaving = [...viewers].map((viewer) => viewer.end(retryField()));
      for (const viewer of viewers) removeViewer(viewer);
      await Promise.all(leaving);
    },
  };
}
