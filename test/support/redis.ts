import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { freePort, findProgram } from './process.js';

const databases = 1024;
const attempts = 5;

/** Starts a Redis without persistence, by default on a free port; null if none is installed. */
export async function startTestRedis(folder: string, port?: number, policy = 'noeviction') {
  const program = findProgram('redis-server', 'valkey-server');
  if (program === null) return null;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const chosenPort = port ?? (await freePort());
    const options = [
      ['--port', `${chosenPort}`],
      ['--bind', '127.0.0.1'],
      ['--dir', folder],
      ['--save', ''],
      ['--appendonly', 'no'],
      ['--databases', `${databases}`],
      ['--maxmemory-policy', policy],
    ];
    const server = spawn(program, options.flat(), { stdio: ['ignore', 'pipe', 'inherit'] });
    if (await isReady(server)) {
      return {
        url: `redis://127.0.0.1:${chosenPort}`,
        /** Stops answering; connections stay open. */
        pause: () => server.kill('SIGSTOP'),
        resume: () => server.kill('SIGCONT'),
        stop: () => stop(server),
      };
    }
  }
  throw new Error(`${program} did not start.`);
}

/** For tap's `skip`: why tests that need Redis cannot run, or false. */
export const redisMissing =
  process.env['TEST_REDIS_URL'] === undefined && 'no redis-server on this machine';

/** The URL of an empty Redis database for this test alone, flushed when the test ends. */
export async function redisUrl(t: Test): Promise<string> {
  const server = process.env['TEST_REDIS_URL'];
  if (server === undefined) throw new Error('This test needs Redis: run it with "npm test".');
  // Database 0 counts the databases in use.
  const counter = new Redis(server);
  const number = await counter.incr('databases-in-use');
  await counter.quit();
  if (number >= databases) throw new Error('More tests use Redis than it has databases.');
  const url = `${server}/${number}`;
  t.teardown(async () => {
    const client = new Redis(url);
    await client.flushdb();
    await client.quit();
  });
  return url;
}

async function isReady(server: ChildProcess): Promise<boolean> {
  if (server.stdout === null) return false;
  const lines = createInterface({ input: server.stdout });
  // The output ends without this line if the port was taken meanwhile.
  for await (const line of lines) if (line.includes('Ready to accept connections')) return true;
  return false;
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}
