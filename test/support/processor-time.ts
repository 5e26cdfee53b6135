import { readFileSync } from 'node:fs';

/** Of every Linux that Node runs on. */
export const ticksPerSecond = 100;

export interface ProcessTimes {
  parent: number;
  /** In seconds, as are those of the children that have ended, with all below them. */
  own: number;
  endedChildren: number;
}

/** Null if there is no such process, or no /proc. */
export function timesOf(pid: number | 'self'): ProcessTimes | null {
  const stat = readStat(pid);
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

function readStat(pid: number | 'self'): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
}

/** What this process and all that it has started took: `2 min 3 s, 3 min 50 s of processor`. */
export function timesSoFar(): string {
  const { user, system } = process.cpuUsage();
  const processor = (user + system) / 1e6 + (timesOf('self')?.endedChildren ?? 0);
  return `${inMinutes(process.uptime())}, ${inMinutes(processor)} of processor`;
}

function inMinutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
