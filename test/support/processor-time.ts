import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

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
