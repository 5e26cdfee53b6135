import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { bundledProgram } from './project.js';
import { runClock } from './run-clock.js';
import { type Scope, createServiceLog } from './service-log.js';

/** No load shedding, however busy the machine is. */
export const unhurried = { MAX_EVENT_LOOP_DELAY_MS: '0' };

/**
 * The service as a process of its own, as `npm start` runs it, with nothing of our environment but
 * what it needs; resolves when it serves. Killed at the end of the test.
 */
export async function spawnService(
  t: Scope,
  environment: Record<string, string>,
  conditions: Conditions = {},
) {
  const port = await freePort();
  const program = conditions.program ?? mainProgram;
  const service = launch(t, { PORT: String(port), ...environment }, program, conditions);
  const line = createInterface({ input: service.child.stdout });
  await new Promise<void>((resolve, reject) => {
    line.on('line', (text) => {
      if (text.includes('Server listening') || text.includes('working without HTTP')) resolve();
    });
    const fail = () => reject(new Error(`it did not start:\n${service.output()}`));
    service.ended.then(fail, reject);
  });
  return { ...service, url: `http://127.0.0.1:${port}` };
}

export type ServiceProcess = Awaited<ReturnType<typeof spawnService>>;

const mainProgram = [bundledProgram('main')];

export interface Conditions {
  /** The limit of file descriptors, as `ulimit -n` sets it. */
  descriptors?: number;
  /** A module that runs in the process before the program. */
  preload?: string;
  /** Another Node than that of the run. */
  node?: string;
  /** `spawnService`: another program than the service as compiled for the tests. */
  program?: string[];
  cwd?: string;
  /** The id of another user and its group; only as root. */
  user?: number;
}

/** The same, for starts that are expected to fail: resolves at once. */
export function launch(
  t: Scope,
  environment: Record<string, string>,
  program: string[] = mainProgram,
  { descriptors, preload, node = process.execPath, cwd, user }: Conditions = {},
) {
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors} && `;
  const preloaded = preload === undefined ? [] : ['--import', preload];
  const command = ['-c', `${limit}exec "$0" "$@"`, node, ...preloaded, ...program];
  const child = spawn('/bin/sh', command, {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...runClock,
      ...unhurried,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    ...(user !== undefined && { uid: user, gid: user }),
  });
  let output = '';
  const log = createServiceLog();
  createInterface({ input: child.stdout }).on('line', log.add);
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // Not its exit: what it has printed last may be read after that.
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
    log.verify(t);
  });
  return {
    child,
    /** Everything it has printed so far. */
    output: () => output,
    /** Expects log lines at `warn` or above that match; every other one fails the test. */
    expectLog: log.expect,
    /** Resolves with the exit code (null: ended by a signal), once all its output is read. */
    ended,
    /** Sends the signal and resolves as `ended` does. */
    end(signal: NodeJS.Signals) {
      child.kill(signal);
      return ended;
    },
  };
}

/**
 * A TCP port that is free now and unlikely to be taken before the caller listens on it: it lies
 * below the ephemeral ports, which systems give to outgoing connections and to listeners on port 0.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** The path of the first of these programs that `PATH` knows, or null. */
export function findProgram(...names: string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Sets variables of this process's environment until the test has ended. */
export function setEnvironment(t: Test, variables: Record<string, string>): void {
  const names = Object.keys(variables);
  const before = names.map((name) => process.env[name]);
  t.teardown(() => {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  Object.assign(process.env, variables);
}

/** Sends a request on a new connection. Resolves with the status, or null without a response. */
export function statusFor(url: string, localAddress: string): Promise<number | null> {
  const asking = request(url, { agent: false, localAddress }).end();
  return new Promise((resolve) => {
    asking.on('response', (response) => resolve(response.resume().statusCode ?? null));
    asking.on('error', () => resolve(null));
  });
}
