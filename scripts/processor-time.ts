import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** What this process and all that it has started took: `2 min 3 s, 3 min 50 s of processor`. */
export function timesSoFar(): string {
  const { user, system } = process.cpuUsage();
  const processor = (user + system) / 1e6 + endedProcessesSeconds();
  return `${inMinutes(process.uptime())}, ${inMinutes(processor)} of processor`;
}

/**
 * The processor seconds of all processes that this one has started, and those below them, which
 * have ended; 0 where there is no /proc (proc_pid_stat(5): cutime and cstime).
 */
export function endedProcessesSeconds(): number {
  try {
    const [, afterName = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const fields = afterName.split(' ');
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return 0;
  }
}

function inMinutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
