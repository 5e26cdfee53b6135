import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/log.js';
import { clusterPath, fitsSocket } from './data-folder.js';
import { AlreadyRunningError, codeOf, EmbeddedPostgresError } from './error.js';

/** The purpose of a server: the service, or one command while no service runs. */
export type Purpose = 'service' | 'command';

export interface Lock {
  release(): Promise<void>;
}

export interface LockHolder {
  purpose: Purpose;
  pid: number;
}

const pollMs = 50;
const serviceEndTimeoutMs = 1_000;
const lockTimeoutMs = 60_000;
const answerTimeoutMs = 1_000;

/**
 * Takes the lock on a data folder, which one process at a time has, before anything in it is read. Waits
 * up to a minute for a command, and a second for a service that may be ending; then throws
 * `EmbeddedPostgresError`, or `AlreadyRunningError` for a service.
 */
export async function acquireLock(dataDir: string, purpose: Purpose, log: Logger): Promise<Lock> {
  const startedAt = performance.now();
  let waitsFor: number | undefined;
  for (;;) {
    const lock = await tryLock(dataDir, purpose);
    if (lock !== null) return lock;
    const holder = await findLockHolder(dataDir);
    const waitedMs = performance.now() - startedAt;
    if (holder?.purpose === 'service' && waitedMs > serviceEndTimeoutMs) {
      throw new AlreadyRunningError(
        `The service is already running (process ${holder.pid}) on ${dataDir}.`,
      );
    }
    const by = holder === null ? 'another process' : `a ${holder.purpose} (process ${holder.pid})`;
    if (waitedMs > lockTimeoutMs) {
      throw new EmbeddedPostgresError(
        `The database in ${dataDir} is in use by ${by}, and was not free within ${lockTimeoutMs / 1_000} seconds.`,
      );
    }
    if (holder !== null && holder.pid !== waitsFor) log.info(`waiting for ${by} on ${dataDir}`);
    waitsFor = holder?.pid;
    await delay(pollMs);
  }
}

/** The process that has the lock on a data folder, or null where none has. */
export async function findLockHolder(dataDir: string): Promise<LockHolder | null> {
  for (const address of lockAddresses(dataDir)) {
    const holder = await askHolder(address);
    if (holder !== null) return holder;
  }
  return null;
}

async function askHolder(address: string): Promise<LockHolder | null> {
  const socket = connect(address).setEncoding('utf8');
  socket.setTimeout(answerTimeoutMs, () => socket.destroy());
  try {
    for await (const answer of socket) {
      const [, purpose, pid] = /^(service|command) (\d+)$/.exec(answer as string) ?? [];
      return purpose === undefined ? null : { purpose: purpose as Purpose, pid: Number(pid) };
    }
  } catch {
    // Nobody listens.
  }
  return null;
}

export async function isListening(address: NetConnectOpts): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function tryLock(dataDir: string, purpose: Purpose): Promise<Lock | null> {
  const taken: Lock[] = [];
  const release = async (): Promise<void> => {
    for (const lock of taken) await lock.release();
  };
  for (const address of lockAddresses(dataDir)) {
    const lock = await listenOn(address, purpose);
    if (lock !== null) {
      taken.push(lock);
    } else if ((await askHolder(address))?.pid !== process.pid || taken.length === 0) {
      await release();
      return null;
    }
  }
  return { release };
}

async function listenOn(path: string, purpose: Purpose): Promise<Lock | null> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${purpose} ${process.pid}`, () => socket.destroy());
  });
  try {
    await once(server.listen(path), 'listening');
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    if (!path.startsWith('/') || (await isListening({ path }))) return null;
    // A socket file outlives its process.
    await rm(path, { force: true });
    return listenOn(path, purpose);
  }
  server.on('error', () => undefined);
  server.unref();
  return {
    async release() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** The length of `sun_path` on Linux. */
const socketNameBytes = 108;

/**
 * Sockets that end with their process: on Linux in the abstract namespace, on Windows a named pipe,
 * elsewhere a file. Node.js 20 fills an abstract name with zeros, and later ones do not, so that only the
 * filled name is the same for all. Earlier versions of the service listen on the short one while they
 * start a server: while this version has the lock, none of them starts one.
 */
function lockAddresses(dataDir: string): string[] {
  const hash = createHash('sha256').update(clusterPath(dataDir)).digest('hex');
  const name = `tattoo-studio-booking ${hash}`;
  const short = `\0${name}`;
  if (process.platform === 'linux') return [short.padEnd(socketNameBytes, '\0'), short];
  if (process.platform === 'win32') return [`\\\\.\\pipe\\${name}`];
  const path = join(dataDir, 'lock');
  return [fitsSocket(path) ? path : `/tmp/${name}`];
}
