import type { ServerResponse } from 'node:http';
import type { Clock } from '../../platform/clock.js';
import type { Config } from '../../config.js';
import { ServiceError } from '../../errors.js';
import type { Board, CalendarState } from '../../calendar/board.js';
import { createFrameMaker, retryFrame } from './event-frames.js';
import { createPlaces } from './stream-limits.js';
import { createRounds } from './broadcaster.js';
import { createViewer, type Viewer } from './viewer.js';

/**
 * The live stream of this process (contract, "Live stream"). It has states, not a log: what a viewer
 * has not taken yet is replaced by what is newest, so that a slow one costs no memory. Only the
 * serializer of fastify-sse-v2 is used: its plugin frames each event once per viewer, which takes
 * twelve times the CPU and three times the memory of a plain Node server with 5,000 viewers.
 */
export interface LiveStream {
  viewerCount(): number;
  /**
   * Takes a place for a viewer from this address, and resolves when there is a state to show.
   * Throws `rate_limited`, `service_unavailable`.
   */
  admit(address: string): Promise<Admission>;
  /** Admits nobody any more, tells each viewer to return at another moment, and ends all streams. */
  drain(): Promise<void>;
}

export interface Admission {
  /** Writes the stream into a response whose head is written, until either side ends it. */
  serve(response: ServerResponse, lastEventId: string | undefined): void;
}

export interface LiveStreamOptions {
  board: Board;
  clock: Clock;
  limits: Pick<Config, 'maxStreams' | 'maxStreamsPerAddress'>;
  /** Milliseconds that only grow. */
  monotonic?: () => number;
}

const tickMs = 1_000;
const heartbeatMs = 15_000;
const cutAfterBlockedMs = 30_000;
/** Viewers return within so many milliseconds, more where there are more of them. */
const retry = { fromMs: 1_000, leastMs: 3_000, perViewerMs: 2, mostMs: 60_000 };

export function createLiveStream(options: LiveStreamOptions): LiveStream {
  const { board, clock, limits, monotonic = () => performance.now() } = options;
  const places = createPlaces(limits);
  const viewers = new Set<Viewer>();
  const maker = createFrameMaker(clock);
  let state: CalendarState | null = null;
  let ticking: NodeJS.Timeout | undefined;
  let pulseRound: NodeJS.Timeout | undefined;
  let beatAt = -Infinity;
  let isDraining = false;

  const askForRound = createRounds(viewers, prepareRound, (viewer) => viewer.send());
  board.subscribe((next) => {
    state = next;
    askForRound();
  });

  function prepareRound(): void {
    if (state === null) return;
    maker.show(state);
    // Figures that may be wrong by now are not told again under a new time.
    if (board.isFresh()) makePulse(state, false);
  }

  /** A pulse that comes too early is made as soon as the second is over. Returns whether it was made. */
  function makePulse(shown: CalendarState, wanted: boolean): boolean {
    const pauseMs = maker.pulsePauseMs(monotonic());
    if (pauseMs === 0) return maker.pulse(shown, viewers.size, monotonic(), wanted);
    clearTimeout(pulseRound);
    pulseRound = setTimeout(askForRound, Math.ceil(pauseMs)).unref();
    return false;
  }

  function tick(): void {
    for (const viewer of viewers) viewer.cutIfBlocked(cutAfterBlockedMs);
    if (monotonic() - beatAt >= heartbeatMs) {
      beatAt = monotonic();
      maker.beat();
    }
    askForRound();
  }

  function enter(response: ServerResponse, lastEventId: string | undefined): Viewer {
    if (viewers.size === 0) {
      beatAt = monotonic();
      ticking = setInterval(tick, tickMs);
    }
    const viewer = createViewer(response, maker.frames, lastEventId, monotonic);
    viewers.add(viewer);
    response.write(retryField());
    if (state !== null) {
      maker.show(state);
      if (makePulse(state, true)) askForRound();
    }
    viewer.send();
    return viewer;
  }

  function leave(viewer: Viewer): void {
    viewers.delete(viewer);
    if (viewers.size > 0) return;
    clearInterval(ticking);
    clearTimeout(pulseRound);
  }

  function retryField(): string {
    const { fromMs, leastMs, perViewerMs, mostMs } = retry;
    const spreadMs = Math.min(Math.max(viewers.size * perViewerMs, leastMs), mostMs);
    return retryFrame(fromMs + Math.floor(Math.random() * spreadMs));
  }

  return {
    viewerCount: () => viewers.size,
    async admit(address) {
      if (isDraining) throw new ServiceError('service_unavailable', { retryAfterSeconds: 1 });
      const giveBack = places.take(address);
      try {
        const read = await board.read();
        if (state === null || read.version > state.version) state = read;
      } catch (error) {
        giveBack();
        throw error;
      }
      return {
        serve(response, lastEventId) {
          // It may have left while the state was read.
          if (response.destroyed || isDraining) {
            giveBack();
            response.destroy();
            return;
          }
          const viewer = enter(response, lastEventId);
          response.on('close', () => {
            giveBack();
            leave(viewer);
          });
        },
      };
    },
    async drain() {
      isDraining = true;
      const leaving = [...viewers].map((viewer) => viewer.end(retryField()));
      for (const viewer of viewers) leave(viewer);
      await Promise.all(leaving);
    },
  };
}
