import { readdir } from 'node:fs/promises';
import { timesOf, type ProcessTimes } from '../../test/support/processor-time.js';

/** Seconds of processor time that a process has used; NaN without /proc. */
export function processorSeconds(pid: number): number {
  return timesOf(pid)?.own ?? NaN;
}

/**
 * The same of a process with all its descendants; of those that have ended, what their parents have
 * collected.
 */
export async function processorSecondsOfTree(root: number): Promise<number> {
  const processes = new Map<number, ProcessTimes>();
  for (const name of await readdir('/proc').catch(() => [])) {
    const times = /^\d+$/.test(name) ? timesOf(Number(name)) : null;
    if (times !== null) processes.set(Number(name), times);
  }
  return secondsOfTree(root, processes);
}

/** NaN if the root is not among the processes. */
function secondsOfTree(root: number, processes: ReadonlyMap<number, ProcessTimes>): number {
  const times = processes.get(root);
  if (times === undefined) return NaN;
  let sum = times.own + times.endedChildren;
  for (const [pid, { parent }] of processes) {
    if (parent === root) sum += secondsOfTree(pid, processes);
  }
  return sum;
}
