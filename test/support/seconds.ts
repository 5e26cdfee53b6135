import { setTimeout } from 'node:timers/promises';

/** Resolves after the delay: for tests whose subject is time, never to wait for something. */
export function later(milliseconds: number): Promise<void> {
  return setTimeout(milliseconds);
}
