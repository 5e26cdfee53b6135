import { setTimeout } from 'node:timers/promises';
import type { Test } from 'tap';

/**
 * Less than any polling interval or timeout that would hide a lost notification: the board and the
 * sweeper poll every 30 s, a webhook times out after 15 s.
 */
const soonMs = 5_000;

/**
 * Asserts that something takes less than a second, of a few measurements. The fastest counts; the
 * others may include other work of the machine, and must only stay below `soonMs`.
 */
export function withinASecond(t: Test, milliseconds: number[]): void {
  const shown = `${milliseconds.map(Math.round).join(', ')} ms`;
  t.ok(Math.min(...milliseconds) < 1_000, shown);
  t.ok(Math.max(...milliseconds) < soonMs, shown);
}

/** Resolves after the delay: for tests whose subject is time, never to wait for something. */
export function later(milliseconds: number): Promise<void> {
  return setTimeout(milliseconds);
}
