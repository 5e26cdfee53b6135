import { createHash } from 'node:crypto';
import { serializeSSEEvent } from 'fastify-sse-v2/lib/sse.js';
import type { Clock } from '../../platform/clock.js';
import { comingAvailability } from '../../calendar/availability.js';
import { studioFigures } from '../../calendar/pulse.js';
import type { CalendarState } from '../../calendar/board.js';

/** One event as its bytes on the wire, made once and shared by all viewers. */
export interface Frame {
  /** Equal for equal content, on every process. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** The newest event of each kind: all that a viewer may be told. */
export interface Frames {
  availability: Frame | null;
  pulse: Buffer | null;
  heartbeat: Buffer | null;
}

/** Makes the events. Times are milliseconds of one monotonic clock. */
export interface FrameMaker {
  readonly frames: Readonly<Frames>;
  /** Makes of a state what is new in it. */
  show(state: CalendarState): void;
  /** How long no pulse may be made: there is at most one a second. */
  pulsePauseMs(now: number): number;
  /**
   * Makes a pulse where a figure has changed, or one is `wanted` that is up to date. Returns whether
   * it did. Not during the pause.
   */
  pulse(state: CalendarState, viewers: number, now: number, wanted: boolean): boolean;
  beat(): void;
}

const idLength = 16;
const leastMsBetweenPulses = 1_000;

export function createFrameMaker(clock: Clock): FrameMaker {
  const frames: Frames = { availability: null, pulse: null, heartbeat: null };
  let shownVersion = 0;
  let figures = '';
  let pulseAt = -Infinity;
  const serverTime = () => new Date(clock.now()).toISOString();

  return {
    frames,
    show(state) {
      if (state.version === shownVersion) return;
      shownVersion = state.version;
      const data = JSON.stringify(comingAvailability(state));
      const id = createHash('sha256').update(data).digest('base64url').slice(0, idLength);
      if (id === frames.availability?.id) return;
      frames.availability = { id, bytes: eventBytes('availability', data, id) };
    },
    pulsePauseMs: (now) => Math.max(pulseAt + leastMsBetweenPulses - now, 0),
    pulse(state, viewers, now, wanted) {
      const present = { ...studioFigures(state), viewers };
      const text = JSON.stringify(present);
      if (text === figures && !wanted) return false;
      figures = text;
      pulseAt = now;
      const data = JSON.stringify({ ...present, server_time: serverTime() });
      frames.pulse = eventBytes('pulse', data);
      return true;
    },
    beat() {
      frames.heartbeat = eventBytes('heartbeat', JSON.stringify({ server_time: serverTime() }));
    },
  };
}

/** A `retry` field: how long a client waits before it connects again. */
export function retryFrame(retry: number): string {
  return serializeSSEEvent({ retry });
}

/** `data` is JSON on one line, without the carriage return that the serializer lets through. */
function eventBytes(event: string, data: string, id?: string): Buffer {
  return Buffer.from(serializeSSEEvent({ id, event, data }));
}
