import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock } from '../../clock.js';
import type { Config } from '../../config.js';
import { comingAvailability } from '../../domain/availability.js';
import { studioFigures } from '../../domain/pulse.js';
import { ServiceError } from '../../errors.js';
import type { Board, CalendarState } from '../../events/board.js';
import { availabilityFrame, heartbeatFrame, pulseFrame, retryField, type Frame } from './frames.js';
import { createPlaces } from './places.js';

/**
 * The live stream of this process (contract, "Live stream"). It has states, not a log: whatever a
 * viewer has not taken yet is replaced by the newest state, so that a slow one costs no memory.
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

interface Viewer {
  readonly response: ServerResponse;
  /** Id of the availability that it has. */
  availability: string | null;
  pulse: Frame | null;
  heartbeat: Frame | null;
  /** Since when its socket takes no more, on the monotonic clock. */
  blockedSince: number | null;
}

const tickMs = 1_000;
const pulsePauseMs = 1_000;
const heartbeatMs = 15_000;
const cutAfterBlockedMs = 30_000;
/** So many viewers are served before other requests get their turn. */
const viewersPerTurn = 250;
/** Rounds take at most about a fifth of the time, and come at least twice a second. */
const roundPauses = { least: 50, perMsOfRound: 4, most: 500 };
/** Viewers return within so long, more where there are more of them. */
const retrySpread = { from: 1_000, least: 3_000, perViewer: 2, most: 60_000 };
const drainMs = 1_000;

export function createLiveStream(options: LiveStreamOptions): LiveStream {
  const { board, clock, limits, monotonic = () => performance.now() } = options;
  const places = createPlaces(limits);
  const viewers = new Set<Viewer>();
  let state: CalendarState | null = null;
  let shownVersion = 0;
  let availability: Frame | null = null;
  let pulse: Frame | null = null;
  let pulseAt = -Infinity;
  let figures = '';
  let heartbeat: Frame | null = null;
  let isDelivering = false;
  let isRoundDue = false;
  let nextRoundAt = -Infinity;
  let isDraining = false;
  let timers: NodeJS.Timeout[] = [];

  board.subscribe((next) => {
    state = next;
    if (viewers.size > 0) deliver();
  });

  function tick(): void {
    for (const { response, blockedSince } of viewers) {
      if (blockedSince === null || monotonic() - blockedSince < cutAfterBlockedMs) continue;
      // A reset: what the kernel still holds for this viewer is dropped with it.
      response.socket?.resetAndDestroy();
    }
    deliver();
  }

  function beat(): void {
    heartbeat = heartbeatFrame({ server_time: new Date(clock.now()).toISOString() });
    deliver();
  }

  function renewFrames(known: CalendarState, isArrival: boolean): void {
    if (availability === null || known.version !== shownVersion) {
      shownVersion = known.version;
      availability = availabilityFrame(comingAvailability(known));
    }
    if (monotonic() - pulseAt < pulsePauseMs) return;
    const present = { ...studioFigures(known), viewers: viewers.size };
    const text = JSON.stringify(present);
    if (text === figures && !isArrival) return;
    figures = text;
    pulseAt = monotonic();
    pulse = pulseFrame({ ...present, server_time: new Date(clock.now()).toISOString() });
    if (isArrival) deliver();
  }

  /** Sees to it that every viewer gets the newest state, soon and with all changes until then. */
  function deliver(): void {
    isRoundDue = true;
    if (isDelivering) return;
    isDelivering = true;
    void deliverRounds();
  }

  async function deliverRounds(): Promise<void> {
    while (isRoundDue && state !== null && viewers.size > 0) {
      const waitMs = nextRoundAt - monotonic();
      // Not at once: the answer to whoever made the change leaves first.
      await (waitMs > 0 ? setTimeout(waitMs, undefined, { ref: false }) : setImmediate());
      isRoundDue = false;
      renewFrames(state, false);
      const tookMs = await deliverRound();
      const { least, perMsOfRound, most } = roundPauses;
      nextRoundAt = monotonic() + Math.min(Math.max(tookMs * perMsOfRound, least), most);
    }
    isDelivering = false;
  }

  /** Resolves with the milliseconds that it took. */
  async function deliverRound(): Promise<number> {
    const beganAt = performance.now();
    let served = 0;
    for (const viewer of viewers) {
      send(viewer);
      served += 1;
      if (served % viewersPerTurn === 0) await setImmediate();
    }
    return performance.now() - beganAt;
  }

  /** Writes what the viewer has not got, as far as its socket takes it. */
  function send(viewer: Viewer): void {
    if (availability !== null && viewer.availability !== availability.id) {
      if (viewer.blockedSince !== null) return;
      viewer.availability = availability.id;
      write(viewer, availability.bytes);
    }
    if (pulse !== null && viewer.pulse !== pulse) {
      if (viewer.blockedSince !== null) return;
      viewer.pulse = pulse;
      write(viewer, pulse.bytes);
    }
    if (heartbeat !== null && viewer.heartbeat !== heartbeat) {
      if (viewer.blockedSince !== null) return;
      viewer.heartbeat = heartbeat;
      write(viewer, heartbeat.bytes);
    }
  }

  function write(viewer: Viewer, bytes: Buffer): void {
    if (!viewer.response.write(bytes)) viewer.blockedSince = monotonic();
  }

  function retryMs(): number {
    const { from, least, perViewer, most } = retrySpread;
    const spread = Math.min(Math.max(viewers.size * perViewer, least), most);
    return from + Math.floor(Math.random() * spread);
  }

  function serve(response: ServerResponse, lastEventId: string | undefined): Viewer {
    const viewer: Viewer = {
      response,
      availability: lastEventId ?? null,
      pulse: null,
      heartbeat,
      blockedSince: null,
    };
    viewers.add(viewer);
    response.on('drain', () => {
      viewer.blockedSince = null;
      send(viewer);
    });
    response.write(retryField(retryMs()));
    if (state !== null) renewFrames(state, true);
    send(viewer);
    return viewer;
  }

  function startTimers(): void {
    timers = [setInterval(tick, tickMs), setInterval(beat, heartbeatMs)];
  }

  function stopTimers(): void {
    for (const timer of timers) clearInterval(timer);
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
          if (viewers.size === 0) startTimers();
          const viewer = serve(response, lastEventId);
          response.on('close', () => {
            giveBack();
            viewers.delete(viewer);
            if (viewers.size === 0) stopTimers();
          });
        },
      };
    },
    async drain() {
      isDraining = true;
      stopTimers();
      const leaving = [...viewers].map(async ({ response, blockedSince }) => {
        if (blockedSince !== null) response.destroy();
        else response.end(retryField(retryMs()));
        const patience = setTimeout(drainMs, undefined, { ref: false });
        if (!response.closed) await Promise.race([once(response, 'close'), patience]);
        response.destroy();
      });
      viewers.clear();
      await Promise.all(leaving);
    },
  };
}
