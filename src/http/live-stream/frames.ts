import { createHash } from 'node:crypto';
import type { Availability, Heartbeat, Pulse } from '../../../generated/schemas.js';

/** One event as its bytes on the wire, made once and shared by all viewers. */
export interface Frame {
  /** Stands for the content; null where a viewer needs not remember it. */
  readonly id: string | null;
  readonly bytes: Buffer;
}

const idLength = 16;

/** Its id is a hash of the content, so that every process gives the same one. */
export function availabilityFrame(availability: Availability): Frame {
  const data = JSON.stringify(availability);
  const id = createHash('sha256').update(data).digest('base64url').slice(0, idLength);
  return { id, bytes: Buffer.from(`id: ${id}\nevent: availability\ndata: ${data}\n\n`) };
}

export function pulseFrame(pulse: Pulse): Frame {
  return { id: null, bytes: Buffer.from(`event: pulse\ndata: ${JSON.stringify(pulse)}\n\n`) };
}

export function heartbeatFrame(heartbeat: Heartbeat): Frame {
  const data = JSON.stringify(heartbeat);
  return { id: null, bytes: Buffer.from(`event: heartbeat\ndata: ${data}\n\n`) };
}

/** Tells one viewer how many milliseconds to wait before it connects again. */
export function retryField(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}
