import { setTimeout } from 'node:timers/promises';
import type { Test } from 'tap';

/**
 * Sooner than whatever was not told is found by those who look by themselves: a board after 30 s, a
 * sweeper after 30 s, a sender that gives up a receiver after 15 s.
 */
export const soonMs = 5_000;

/**
 * Judges what must take less than a second, done a few times. The fastest shows what it takes; the
 * others also show what else the machine had to do, and are only judged by what they must not need.
 */
export function withinASecond(t: Test, milliseconds: number[]): void {
  const told = `${milliseconds.map(Math.round).join(', ')} ms`;
  t.ok(Math.min(...milliseconds) < 1_000, told);
  t.ok(Math.max(...milliseconds) < soonMs, told);
}

/** Resolves so much later: for a test whose subject is time itself, never to wait for something. */
export function later(milliseconds: number): Promise<void> {
  return setTimeout(milliseconds);
}
