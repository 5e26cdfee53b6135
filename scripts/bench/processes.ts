import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.js';

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
  keepTrack(child);
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
    async stop() {
      await end(child);
      if (keptDataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a script of `baselines/`, which sends `ready` when it serves. */
export async function startBaseline(script: string, args: string[]): Promise<Running> {
  const port = await freePort();
  const path = new URL(`baselines/${script}`, import.meta.url);
  const child = fork(path, [String(port), ...args], { execArgv: ['--import', 'tsx'] });
  keepTrack(child);
  await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, child, stop: () => end(child) };
}

/** Ends all started processes when the bench ends. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM');
});

function keepTrack(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
