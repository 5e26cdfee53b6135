import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/process.js';

export interface Running {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

export interface RunningService extends Running {
  dataDir: string;
  /** Milliseconds from the start of the process until it served. */
  readyMs: number;
}

/** Budgets and caps that no measurement reaches. */
const unlimited = {
  MAX_PENDING_HOLDS: '1000000',
  MAX_PENDING_HOLDS_PER_CALLER: '1000000',
  MAX_LIVE_BOOKINGS_PER_PERSON: '1000000',
  MAX_LIVE_BOOKINGS_PER_CALLER: '1000000',
  READS_PER_MINUTE_ANONYMOUS: '1000000000',
  WRITES_PER_HOUR_ANONYMOUS: '1000000000',
  BOOKING_HORIZON_DAYS: '730',
  MAX_STREAMS_PER_ADDRESS: '1000000',
  MAX_CONNECTIONS_PER_ADDRESS: '1000000',
  MAX_EVENT_LOOP_DELAY_MS: '0',
};

/** Node's options of `npm start`. */
const startArguments = (
  JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .slice(1);

const endings: (() => Promise<void>)[] = [];

/** `end` runs at the next `endAll`: it stops or removes what a measurement has made. */
export function atEnd(end: () => Promise<void>): void {
  endings.push(end);
}

/** Ends what has been started since the last call, the last first. */
export async function endAll(): Promise<void> {
  for (let end = endings.pop(); end !== undefined; end = endings.pop()) await end();
}

/** Makes a folder that is removed at the end. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the built service as `startProcess` does, without limits. */
export function startService(
  changes: Record<string, string> = {},
  keptDataDir?: string,
): Promise<RunningService> {
  return startProcess({ ...unlimited, ...changes }, keptDataDir);
}

/**
 * Starts the built service as a process, with an embedded database in a temporary folder. It logs as
 * in production, to a pipe that is read.
 */
export async function startProcess(
  environment: Record<string, string>,
  keptDataDir?: string,
): Promise<RunningService> {
  const dataDir = keptDataDir ?? (await mkdtemp(join(tmpdir(), 'bench-')));
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, startArguments, {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATA_DIR: dataDir,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    await end(child);
    if (keptDataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  keepTrack(child, stop);
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (/Server listening|working without HTTP/.test(line)) resolve();
    });
    child.once('exit', () => reject(new Error('the service did not start')));
  });
  // Drained, so that the process never blocks on its log.
  lines.close();
  child.stdout.resume();
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    dataDir,
    readyMs: performance.now() - began,
    stop,
  };
}

/** Starts a script of `programs/` with a port and `args`; it sends `ready` when it serves. */
export async function startProgram(script: string, args: string[] = []): Promise<Running> {
  const port = await freePort();
  const path = new URL(`programs/${script}`, import.meta.url);
  const execArgv = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = fork(path, [String(port), ...args], { execArgv });
  const stop = () => end(child);
  keepTrack(child, stop);
  await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, child, stop };
}

/** Sends a message to a program, and resolves with the next that it sends. */
export async function ask<Answer>({ child }: Running, message: unknown): Promise<Answer> {
  const answer = once(child, 'message');
  child.send(message as object);
  return ((await answer) as [Answer])[0];
}

/** Runs a command to its end, and resolves with its output. */
export async function outputOf(program: string, args: string[]): Promise<string> {
  const running = promisify(execFile)(program, args);
  atEnd(async () => void running.child.kill());
  return (await running).stdout;
}

/** Ends all started processes when the caller ends without `endAll`. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM');
});

function keepTrack(child: ChildProcess, stop: () => Promise<void>): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
  atEnd(stop);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
