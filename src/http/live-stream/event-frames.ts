import { createHash } from 'node:crypto';
import { serializeSSEEvent } from 'fastify-sse-v2/lib/sse.js';
import { comingAvailability } from '../../board/availability.js';
import type { CalendarState } from '../../board/board.js';
import { studioFigures } from '../../board/pulse.js';
import type { Clock } from '../../platform/clock.js';
import { bookUrlTemplate } from '../../web/book-link.js';

/** A serialized event, made once and shared by all viewers. */
export interface Frame {
  /** Equal for equal content, on every process. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** The latest event of each type. */
export interface Frames {
  availability: Frame | null;
  pulse: Buffer | null;
  heartbeat: Buffer | null;
}

/** Serializes events. Times are milliseconds of one monotonic clock. */
export interface FrameMaker {
  readonly frames: Readonly<Frames>;
  /** Serializes the availability if it has changed. */
  updateAvailability(state: CalendarState): void;
  /** The time until the next pulse is allowed: there is at most one per second. */
  pulsePauseMs(now: number): number;
  /**
   * Makes a pulse if a figure has changed, or if `force` is set. Returns whether it did. Must not be
   * called during the pause.
   */
  updatePulse(state: CalendarState, viewers: number, now: number, force: boolean): boolean;
  updateHeartbeat(): void;
}

const idLength = 16;
const minMsBetweenPulses = 1_000;

export function createFrameMaker(clock: Clock, publicBaseUrl: string): FrameMaker {
  const frames: Frames = { availability: null, pulse: null, heartbeat: null };
  let shownVersion = 0;
  let figures = '';
  let pulseAt = -Infinity;
  const serverTime = () => new Date(clock.now()).toISOString();

  return {
    frames,
    updateAvailability(state) {
      if (state.version === shownVersion) return;
      shownVersion = state.version;
      const link = { book_url_template: bookUrlTemplate(publicBaseUrl, state) };
      const data = JSON.stringify({ ...comingAvailability(state), ...link });
      const id = createHash('sha256').update(data).digest('base64url').slice(0, idLength);
      if (id === frames.availability?.id) return;
      frames.availability = { id, bytes: eventBytes('availability', data, id) };
    },
    pulsePauseMs: (now) => Math.max(pulseAt + minMsBetweenPulses - now, 0),
    updatePulse(state, viewers, now, force) {
      const present = { ...studioFigures(state), viewers };
      const text = JSON.stringify(present);
      if (text === figures && !force) return false;
      figures = text;
      pulseAt = now;
      const data = JSON.stringify({ ...present, server_time: serverTime() });
      frames.pulse = eventBytes('pulse', data);
      return true;
    },
    updateHeartbeat() {
      frames.heartbeat = eventBytes('heartbeat', JSON.stringify({ server_time: serverTime() }));
    },
  };
}

/** A `retry` field: the reconnection time of the client, in milliseconds. */
export function retryFrame(retry: number): string {
  return serializeSSEEvent({ retry });
}

/** `data` is JSON on one line; the serializer does not escape carriage returns. */
function eventBytes(event: string, data: string, id?: string): Buffer {
  return Buffer.from(serializeSSEEvent({ id, event, data }));
}
