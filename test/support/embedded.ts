import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Test } from 'tap';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/database/embedded/server.js';
import { createLogger } from '../../src/platform/log.js';
import { compiledFile } from './project.js';
import type { Scope } from './service-log.js';

/** A folder of mode 700, removed at the end of the test after the processes that use it. */
export async function temporaryFolder(t: Scope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

let initialised: Promise<string> | null = null;

/** A data folder that a server has initialised and left; only the first one of a file takes a second. */
export async function initialisedFolder(t: Test, name = 'data'): Promise<string> {
  initialised ??= initialise();
  const dataDir = join(await temporaryFolder(t), name);
  await cp(await initialised, dataDir, { recursive: true });
  return dataDir;
}

async function initialise(): Promise<string> {
  // Of the whole file. The fault suite must not load it: without a runner it ends a process after 30 s.
  const { default: tap } = await import('tap');
  const dataDir = join(await temporaryFolder(tap), 'data');
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  await server.stop();
  return dataDir;
}

/** Without fsync: no test cuts the power, and synchronised files are slow to remove. */
export const settings = { fsync: 'off' };

/** Starts the embedded server in this process, and stops it at the test's end. */
export async function startServer(
  t: Test,
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const log = createLogger('silent');
  // An interrupted run exits, which stops the server.
  const exit = () => process.exit(1);
  process.once('SIGTERM', exit);
  t.teardown(() => process.off('SIGTERM', exit));
  const server = await startEmbeddedPostgres({ dataDir, log, settings, ...options });
  t.teardown(() => server.stop());
  return server;
}

/**
 * Starts a service in a process of its own on that folder, and waits for its first line: `ready …`, or
 * why it does not run. `prefix` is a command that runs the rest of its arguments.
 */
export async function startService(t: Test, dataDir: string, prefix: readonly string[] = []) {
  const child = spawnService(t, dataDir, prefix);
  let line = '';
  for await (line of createInterface({ input: child.stdout! })) break;
  return { process: child, line };
}

export type Service = Awaited<ReturnType<typeof startService>>;

export function spawnService(
  t: Test,
  dataDir: string,
  prefix: readonly string[] = [],
): ChildProcess {
  const script = compiledFile('test/support/embedded-service.ts');
  const [command = '', ...args] = [...prefix, process.execPath, script, dataDir];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, SECRET_OF_THE_SERVICE: 'not for the database' },
  });
  t.teardown(() => end(child, 'SIGTERM'));
  return child;
}

/** Sends the signal and waits for the exit. Returns the exit code. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

/** Runs one statement. Returns its rows. */
export async function query<Row extends object>(
  connectionString: string,
  statement: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The pid of the server on that data folder. */
export async function serverPid(dataDir: string): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}

/** Whether that server process runs (a zombie does not). */
export function isServing(pid: number): Promise<boolean> {
  return stat(`/proc/${pid}/cwd`).then(
    () => true,
    () => false,
  );
}

export async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

/** Polls until the condition is true. The pause leaves the processor to what is waited for. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await delay(5);
}
