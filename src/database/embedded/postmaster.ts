import type { ChildProcess } from 'node:child_process';
import { readFile, readlink, rm, stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/log.js';
import type { Binaries } from './binaries.js';
import { createSocketFolder, failureReason } from './data-folder.js';
import { EmbeddedPostgresError } from './error.js';
import { collectOutput, type Identity, ourselves, runAs, spawnAs } from './identity.js';
import { isListening } from './lock.js';

/** The address at which a server listens: a folder with its socket, or a loopback address. */
export interface Endpoint {
  host: string;
  port: number;
}

export interface ServerSetup {
  cluster: string;
  binaries: Binaries;
  identity: Identity;
  endpoint: Endpoint;
  settings: Readonly<Record<string, string>>;
  log: Logger;
}

/** A server that runs on a cluster, as its `postmaster.pid` describes it. */
export interface Postmaster extends Endpoint {
  pid: number;
  isReady: boolean;
  /** Whether it runs on this machine, and the process that started it has ended. */
  isOrphan: boolean;
}

/** A server that this process has started. */
export interface ServerProcess {
  process: ChildProcess;
  ended: Promise<unknown>;
  /** The end of its output before its own log began. */
  output(): string;
}

const startTimeoutMs = 60_000;
const pollMs = 5;
const firstPauseMs = 50;
const longestPauseMs = 5_000;
const fastStopMs = 5_000;

/** Settings for a small machine. The log has nothing that a client sent. */
const defaultSettings = {
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
  // One file per weekday, overwritten a week later.
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

/**
 * Starts a server on the cluster, and resolves when it is ready. The caller has the lock. A server that a
 * killed service has left is stopped: what runs is a child of this process, with the programs and
 * settings of this version.
 */
export async function startServer(
  setup: ServerSetup,
  signal: AbortSignal,
  onLaunch?: () => void,
): Promise<ServerProcess> {
  const { cluster, log } = setup;
  const deadline = performance.now() + startTimeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    await clearCluster(setup);
    const server = launch(setup);
    log.info({ cluster }, 'starting PostgreSQL');
    onLaunch?.();
    while (!hasEnded(server)) {
      const running = await readPostmaster(cluster);
      if (running?.pid === server.process.pid && running?.isReady === true) return server;
      if (signal.aborted || performance.now() > deadline) {
        await stopServer(server, setup);
        signal.throwIfAborted();
        throw new EmbeddedPostgresError(
          `PostgreSQL on ${cluster} was not ready within ${startTimeoutMs / 1_000} seconds.`,
        );
      }
      await delay(pollMs);
    }
    await server.ended;
    if (!isPassing(server.process.signalCode, server.output()) || performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL did not start on ${cluster} (its log is in ${cluster}/log): ${await failureReason(cluster, server.output())}`,
      );
    }
    await delay(pauseMs, undefined, { signal });
  }
}

/**
 * Whether a server that ended by the signal, or with the output, may start a moment later: it was killed
 * from outside, or the processes of a killed server still have its lock file or its memory.
 * @internal
 */
export function isPassing(signal: NodeJS.Signals | null, output: string): boolean {
  const isOccupied =
    /lock file ".*" (already exists|is empty)|shared memory block .* is still in use/.test(output);
  return signal === 'SIGKILL' || isOccupied;
}

/** Stops a server of this process, and removes the folder of its socket. */
export async function stopServer(server: ServerProcess, setup: ServerSetup): Promise<void> {
  const { pid } = server.process;
  if (pid !== undefined) await stopProcess(pid, () => Promise.resolve(!hasEnded(server)), setup);
  if (isAbsolute(setup.endpoint.host)) {
    await rm(setup.endpoint.host, { recursive: true, force: true });
  }
}

export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster === null) return null;
  const { pid, host, port } = postmaster;
  // A crash leaves the file, and its pid may by now be another process's.
  if (await worksIn(pid, cluster)) return { ...postmaster, isOrphan: !(await hasSupervisor(pid)) };
  const address = isAbsolute(host) ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
  return (await isListening(address)) ? { ...postmaster, isOrphan: false } : null;
}

async function readPostmaster(cluster: string): Promise<Omit<Postmaster, 'isOrphan'> | null> {
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , port, folder, address, , status = ''] = file.split('\n');
  if (!(Number(pid) > 0)) return null;
  return {
    pid: Number(pid),
    host: folder || address || '',
    port: Number(port),
    isReady: status.trim() === 'ready',
  };
}

/**
 * Stops a server that a killed service has left, and removes what a crash has left. Throws where the
 * server belongs to a process whose lock is not visible here: a previous version, or one in another
 * container or network namespace.
 */
async function clearCluster(setup: ServerSetup): Promise<void> {
  const { cluster, endpoint, identity, log } = setup;
  const running = await findPostmaster(cluster);
  if (running?.isOrphan === false) {
    throw new EmbeddedPostgresError(
      `Another process runs a database server (process ${running.pid}) on ${cluster}: a previous version of the service, or one in another container. Stop it first.`,
    );
  }
  if (running !== null) {
    log.warn({ pid: running.pid }, 'stopping the database server that a killed service left');
    await stopProcess(running.pid, () => worksIn(running.pid, cluster), setup);
  }
  // PostgreSQL does not start if the pid in the file is by now another process's.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  if (isAbsolute(endpoint.host)) await createSocketFolder(endpoint.host, identity);
}

function launch({ cluster, endpoint, binaries, identity, settings }: ServerSetup): ServerProcess {
  const all = { ...defaultSettings, ...settings, ...listenSettings(endpoint) };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnAs(
    identity,
    binaries.postgres,
    ['-D', cluster, ...args],
    ['ignore', 'ignore', 'pipe'],
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  return { process: child, ended, output: collectOutput(child) };
}

function hasEnded({ process: { exitCode, signalCode } }: ServerProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function listenSettings({ host, port }: Endpoint): Record<string, string> {
  const [address, folder] = isAbsolute(host) ? ['', `"${host.replaceAll('"', '""')}"`] : [host, ''];
  return { listen_addresses: address, unix_socket_directories: folder, port: `${port}` };
}

// A fast shutdown ends the sessions and keeps what is committed. A server that takes too long is shut
// down at once, and recovers at its next start.
async function stopProcess(
  pid: number,
  isRunning: () => Promise<boolean>,
  { cluster, binaries, identity }: ServerSetup,
): Promise<void> {
  if (process.platform === 'win32') {
    await runAs(identity, binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w']);
    return;
  }
  const immediateAt = performance.now() + fastStopMs;
  let sent: NodeJS.Signals | undefined;
  while (await isRunning()) {
    const signal = performance.now() < immediateAt ? 'SIGINT' : 'SIGQUIT';
    if (signal !== sent) sendSignal(pid, signal);
    sent = signal;
    await delay(pollMs);
  }
}

/** Whether the process is a server on the cluster: its working directory is the cluster's. */
async function worksIn(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'win32') return sendSignal(pid, 0);
  if (process.platform !== 'linux') return (await ps(pid, 'command')).includes(cluster);
  const [its, ours] = await Promise.all([
    stat(`/proc/${pid}/cwd`).catch(() => null),
    stat(cluster).catch(() => null),
  ]);
  return its !== null && ours !== null && its.ino === ours.ino && its.dev === ours.dev;
}

/**
 * Whether the process that started the server still runs. The parent of an orphan is init, or another
 * process that adopts orphans on Linux, which Node.js cannot. Windows does not say.
 */
async function hasSupervisor(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false;
  if (process.platform !== 'linux') return Number(await ps(pid, 'ppid')) > 1;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const parent = Number(status.slice(status.lastIndexOf(')')).split(' ')[2]);
  const program = await readlink(`/proc/${parent}/exe`).catch(() => '');
  return parent > 1 && basename(program).startsWith(basename(process.execPath));
}

async function ps(pid: number, column: string): Promise<string> {
  return (await runAs(ourselves, 'ps', ['-o', `${column}=`, '-p', `${pid}`])).output;
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
