import { readdir, readFile } from 'node:fs/promises';

const ticksPerSecond = 100;

/** Seconds of processor time that a process has used; NaN without /proc. */
export async function processorSeconds(pid: number): Promise<number> {
  const times = await timesOf(pid);
  return times === null ? NaN : times.own;
}

/** The same of a PostgreSQL server with all its backends, those that have ended included. */
export async function processorSecondsOfPostgres(postmaster: number): Promise<number> {
  const times = await timesOf(postmaster);
  if (times === null) return NaN;
  let sum = times.own + times.endedChildren;
  for (const name of await readdir('/proc')) {
    const each = /^\d+$/.test(name) ? await timesOf(Number(name)) : null;
    if (each?.parent === postmaster) sum += each.own;
  }
  return sum;
}

/** Null if there is no such process. */
async function timesOf(
  pid: number,
): Promise<{ parent: number; own: number; endedChildren: number } | null> {
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
