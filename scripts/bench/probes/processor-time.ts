import { readdir, readFile } from 'node:fs/promises';

/** Of every Linux that Node runs on. */
export const ticksPerSecond = 100;

/** Seconds of processor time that a process has used; NaN without /proc. */
export async function processorSeconds(pid: number): Promise<number> {
  const times = await timesOf(pid);
  return times === null ? NaN : times.own;
}

/**
 * The same of a process with all its descendants; of those that have ended, what their parents have
 * collected.
 */
export async function processorSecondsOfTree(root: number): Promise<number> {
  const processes = new Map<number, ProcessTimes>();
  for (const name of await readdir('/proc').catch(() => [])) {
    const times = /^\d+$/.test(name) ? await timesOf(Number(name)) : null;
    if (times !== null) processes.set(Number(name), times);
  }
  return secondsOfTree(root, processes);
}

export interface ProcessTimes {
  parent: number;
  /** In seconds, as are those of the children that have ended. */
  own: number;
  endedChildren: number;
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

/** Null if there is no such process. */
async function timesOf(pid: number): Promise<ProcessTimes | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The fields after the name, which is in parentheses; see proc_pid_stat(5).
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [
    1, 11, 12, 13, 14,
  ].map((index) => fields[index]);
  return {
    parent,
    own: (user + system) / ticksPerSecond,
    endedChildren: (endedUser + endedSystem) / ticksPerSecond,
  };
}
