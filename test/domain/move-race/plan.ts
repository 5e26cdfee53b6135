import type { Slot } from '../../../src/calendar/slots.js';

/** What one process of the race does. */
export interface RacePlan {
  connectionString: string;
  /** For its random choices; each process has a different one. */
  seed: number;
  /** 0 or 1: of two bookings to swap across processes, each moves its own. */
  process: number;
  operations: number;
  /** How many operations are under way at once. */
  clients: number;
  slots: Slot[];
}

/** One operation and what became of it. */
export interface Attempt {
  kind: string;
  /** A result of the domain, the code of a refusal, or `unexpected: …`. */
  outcome: string;
  milliseconds: number;
  /** Of an attempt to move a booking for its person. */
  move?: { id: string; sequence: number; to: string };
  /** The booking that a hold or the studio has made. */
  made?: string;
}

/** A live booking of a board: its slot, id and sequence, and when it lapses. */
export interface BoardEntry {
  slot: string;
  id: string;
  sequence: number;
  lapsesAt: number | null;
}

/** From a process of the race to the race. */
export type Report =
  | { type: 'ready' }
  | { type: 'attempts'; attempts: Attempt[] }
  | { type: 'done' }
  | { type: 'board'; board: BoardEntry[] };

/** From the race to its processes, in this order. */
export type Command = 'start' | 'report the board' | 'stop';

/** The numbers of a seed, from 0 to below 1 (Mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
