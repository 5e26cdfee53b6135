import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { codeOf, EmbeddedPostgresError } from './error.js';
import { collectOutput, type Identity, ourselves, runAs, spawnAs } from './identity.js';

/** Where a server listens: a folder with its socket, or a loopback address. */
export interface Endpoint {
  host: string;
  port: number;
}

/** A server that runs on a cluster, as its `postmaster.pid` tells. */
export interface Postmaster extends Endpoint {
  pid: number;
  ready: boolean;
}

/** A server that this process has started. */
export interface LaunchedServer {
  pid: number | undefined;
  hasExited(): boolean;
  /** Whether it ended because someone wanted it to. */
  wasStopped(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** The end of what it wrote before its own log began. */
  output(): string;
}

const pollMs = 5;
const fastStopMs = 5_000;

/** For a small machine. Nothing that a client sent is written to the log. */
const settings = {
  shared_buffers: '64MB',
  max_connections: '100',
  max_wal_size: '256MB',
  // After a checkpoint, a hold among 100,000 bookings touches pages that are logged whole: 4.3 kB
  // instead of 8 kB each.
  wal_compression: 'on',
  fsync: 'on',
  synchronous_commit: 'on',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  unix_socket_permissions: '0700',
  lc_messages: 'C',
  // One file per weekday, begun anew a week later.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'server-%a.log',
  log_file_mode: '0600',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Starts a server on the cluster. Returns at once: `findPostmaster` tells when it is ready. */
export function launchPostmaster(
  cluster: string,
  endpoint: Endpoint,
  binaries: Binaries,
  identity: Identity,
  ownSettings: Readonly<Record<string, string>>,
): LaunchedServer {
  const all = { ...settings, ...ownSettings, ...listenSettings(endpoint) };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnAs(
    identity,
    binaries.postgres,
    ['-D', cluster, ...args],
    ['ignore', 'ignore', 'pipe'],
  );
  const output = collectOutput(child);
  let failure = '';
  let exited = false;
  child.once('error', (error) => (failure = error.message));
  child.once('close', () => (exited = true));
  return {
    pid: child.pid,
    hasExited: () => exited,
    wasStopped: () => exited && (child.exitCode === 0 || child.signalCode !== null),
    signal: (signal) => void child.kill(signal),
    output: () => failure || output(),
  };
}

function listenSettings({ host, port }: Endpoint): Record<string, string> {
  return host.startsWith('/')
    ? {
        listen_addresses: '',
        port: `${port}`,
        unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
      }
    : { listen_addresses: host, port: `${port}`, unix_socket_directories: '' };
}

/**
 * The server that runs on a cluster, or null. A `postmaster.pid` that a crash has left names a
 * process that may be another one by now: it counts only where that process works in the cluster's
 * folder, or where its socket answers.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const file = await read(join(cluster, 'postmaster.pid'));
  const [pid, , , port, socketFolder, address, , status = ''] = file.split('\n');
  const postmaster = {
    pid: Number(pid),
    host: socketFolder || address || '',
    port: Number(port),
    ready: status.trim() === 'ready',
  };
  if (!(postmaster.pid > 0)) return null;
  const lives = (await worksIn(postmaster.pid, cluster)) || (await answers(postmaster));
  return lives ? postmaster : null;
}

/**
 * Removes the lock files of a server that is gone: where their process number is another process's
 * now, or a zombie's, PostgreSQL would take that one for a server and refuse to start. Only what was
 * there before the server was looked for goes: another start may write its own at any moment.
 */
export async function dropStaleLocks(cluster: string, { host, port }: Endpoint): Promise<void> {
  const paths = [join(cluster, 'postmaster.pid')];
  if (host.startsWith('/')) paths.push(`${socketPath({ host, port })}.lock`);
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await read(path) })));
  if ((await findPostmaster(cluster)) !== null) return;
  for (const { path, text } of files) {
    if (text !== '') await removeUnlessNew(path, text);
  }
}

/** Nothing can be compared and removed in one step, so the file is taken aside and looked at. */
async function removeUnlessNew(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if ((await read(aside)) !== text) await link(aside, path).catch(() => undefined);
  await rm(aside);
}

function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** Stops a server that this process has started. */
export function stopLaunched(
  server: LaunchedServer,
  cluster: string,
  binaries: Binaries,
  identity: Identity,
): Promise<void> {
  const isRunning = () => Promise.resolve(!server.hasExited());
  return stopServer(isRunning, (signal) => server.signal(signal), cluster, binaries, identity);
}

/** Stops a server that another process has left. Throws where it is out of our reach. */
export async function stopOrphan(
  pid: number,
  cluster: string,
  binaries: Binaries,
  identity: Identity,
): Promise<void> {
  const isRunning = () => worksIn(pid, cluster);
  if (!(await isRunning())) {
    throw new EmbeddedPostgresError(
      `A database server outside of this machine or container runs on ${cluster}. Stop it first.`,
    );
  }
  await stopServer(isRunning, (signal) => sendSignal(pid, signal), cluster, binaries, identity);
}

// Clients are cut off, and what is committed is kept. A server for which that takes too long is
// made to stop at once, and repairs itself at its next start.
async function stopServer(
  isRunning: () => Promise<boolean>,
  send: (signal: NodeJS.Signals) => void,
  cluster: string,
  binaries: Binaries,
  identity: Identity,
): Promise<void> {
  if (process.platform === 'win32') {
    await runAs(identity, binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w']);
    return;
  }
  const stopAtOnce = performance.now() + fastStopMs;
  let sent: NodeJS.Signals | undefined;
  while (await isRunning()) {
    const signal = performance.now() < stopAtOnce ? 'SIGINT' : 'SIGQUIT';
    if (signal !== sent) send(signal);
    sent = signal;
    await delay(pollMs);
  }
}

/**
 * Whether that process is a server on the cluster, and not a later one with the same number: the
 * former works in the cluster's folder, and names it in its arguments.
 */
async function worksIn(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'win32') return sendSignal(pid, 0);
  if (process.platform !== 'linux') {
    return (await runAs(ourselves, 'ps', ['-o', 'command=', '-p', `${pid}`])).output.includes(
      cluster,
    );
  }
  const [its, ours] = await Promise.all([
    stat(`/proc/${pid}/cwd`).catch(() => null),
    stat(cluster).catch(() => null),
  ]);
  return its !== null && ours !== null && its.ino === ours.ino && its.dev === ours.dev;
}

function socketPath({ host, port }: Endpoint): string {
  return join(host, `.s.PGSQL.${port}`);
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function answers({ host, port }: Endpoint): Promise<boolean> {
  if (host === '' || !(port > 0)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = host.startsWith('/')
      ? connect(socketPath({ host, port }))
      : connect({ host, port });
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}
