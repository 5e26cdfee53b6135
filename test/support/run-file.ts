import { spawn } from 'node:child_process';
import { timesOf } from '../../scripts/processor-time.js';
import { bundledTest } from './project.js';
import { readResults } from './results.js';

/** Within which a process reports its own timeout. */
const timeoutReportSeconds = 30;
const stopPatienceMs = 5_000;

const endedSeconds = () => timesOf('self')?.endedChildren ?? 0;
let counted = endedSeconds();

/** Runs a test file in a process of its own, which is stopped, with all it started, on abort. */
export async function runFile(
  file: string,
  environment: Record<string, string>,
  interruption: AbortSignal,
) {
  const began = performance.now();
  const child = spawn(process.execPath, [bundledTest(file, environment['TEST_RUN_FOLDER'])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Programs that prompt would colour their output by the terminal of the run.
    env: { ...process.env, NO_COLOR: '1', ...environment },
    timeout: (Number(environment['TAP_TIMEOUT']) + timeoutReportSeconds) * 1_000,
    killSignal: 'SIGKILL',
    // A process group, which is stopped with all that the file has started.
    detached: true,
  });
  let processorSeconds = 0;
  // Processes that end at one moment are counted as one: rare enough for a list of the slowest.
  child.once('exit', () => {
    const now = endedSeconds();
    processorSeconds = now - counted;
    counted = now;
  });
  const stop = (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal);
  let insist: NodeJS.Timeout | undefined;
  const interrupt = () => {
    stop('SIGTERM');
    insist = setTimeout(() => stop('SIGKILL'), stopPatienceMs);
  };
  interruption.addEventListener('abort', interrupt);
  const results = await readResults(file, child);
  interruption.removeEventListener('abort', interrupt);
  clearTimeout(insist);
  return {
    ...results,
    file,
    /** Elapsed. */
    seconds: (performance.now() - began) / 1000,
    /** Of the processor, without what the servers of the run did for the file. */
    processorSeconds,
  };
}

export type FileRun = Awaited<ReturnType<typeof runFile>>;
