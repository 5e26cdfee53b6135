import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { Parser, type FinalResults, type Result } from 'tap-parser';
import { timesOf } from './processor-time.js';
import { bundledTest, projectRoot } from './project.js';

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

type TapProcess = ChildProcessByStdio<null, Readable, null>;

/**
 * Reads the TAP output of the process of a test file until it ends, and counts its assertions. `report`:
 * the details of each failure.
 */
export async function readResults(file: string, child: TapProcess) {
  const parser = new Parser({ name: file });
  const failures: Result[] = [];
  let passed = 0;
  let skipped = 0;
  parser.on('pass', () => (passed += 1));
  parser.on('skip', () => (skipped += 1));
  parser.on('todo', () => (skipped += 1));
  parser.on('fail', (failure: Result) => failures.push(failure));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const completed = once(parser, 'complete') as Promise<[FinalResults]>;
  child.stdout.pipe(parser);
  const [[results], [code]] = await Promise.all([completed, closed]);
  const report = inSources(failures.map(describe).join(''));
  if (failures.length > 0 || (results.ok && code === 0)) {
    return { passed, failed: failures.length, skipped, report };
  }
  // Such as a crash after the last assertion, a broken plan or a bail-out.
  const reasons = results.failures.map(({ tapError }) => tapError);
  const reason = [`exit code ${code}`, ...reasons, results.bailout || ''].join('\n    ').trimEnd();
  return { passed, failed: 1, skipped, report: `\n  not ok: ${file}\n    ${reason}\n` };
}

function describe(failure: Result): string {
  const details = failure.diag === null ? '' : formatDetails(failure.diag);
  return `\n  not ok: ${failure.fullname || failure.name}\n${details}\n`;
}

function formatDetails(details: Record<string, unknown>): string {
  // `at` repeats the first line of `stack`.
  const { at: _, ...others } = details;
  const lines = Object.entries(others).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value);
    return text.includes('\n')
      ? [`${name}:`, ...text.split('\n').map((line) => `  ${line}`)]
      : [`${name}: ${text}`];
  });
  return lines.map((line) => `    ${line}\n`).join('');
}

/**
 * Names the sources for places in the bundles. Here, where a file has failed: with
 * `--enable-source-maps`, a process reads the maps of all it loads, which takes 0.15 s of processor.
 */
function inSources(report: string): string {
  const places = /(dist\/tests\/[^\s():]+\.js):(\d+):(\d+)/g;
  return report.replace(places, (place, file: string, line: string, column: string) => {
    const path = join(projectRoot, file);
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMapPayload);
    const origin = map.findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return place;
    const source = relative(projectRoot, join(dirname(path), origin.fileName));
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
