import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import type { Dispatcher, Pool } from 'undici';
import { processorSeconds } from './probes/processor-time.js';

const run = promisify(execFile);

/** `wrk` if it is on PATH, since it takes less CPU from the server. */
export const loadGenerator = (await has('wrk')) ? 'wrk' : 'autocannon';
const canPin = loadGenerator === 'wrk' && (await has('taskset'));

/** Requests per second over concurrent connections; `wrapper` is a command that runs wrk. */
export async function requestsPerSecond(
  url: string,
  seconds: number,
  connections = 32,
  headers: Record<string, string> = {},
  wrapper: readonly string[] = [],
): Promise<number> {
  if (loadGenerator === 'wrk') {
    const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, ...sent];
    const [program = '', ...words] = [...wrapper, 'wrk', ...options, url];
    const { stdout } = await run(program, words);
    const failed = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
    if (failed !== undefined) throw new Error(`${failed} requests to ${url} failed`);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  }
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx + result.errors > 0) throw new Error(`requests to ${url} failed`);
  return result.requests.average;
}

/**
 * The requests per second of processor time that a process serves. Where `taskset` and wrk are there,
 * the load is generated on the same processor. From another one, some answers wake wrk and others find
 * it awake, and in a virtual machine a wake-up costs the process as much as the rest of the write.
 */
export async function requestsPerProcessorSecond(
  pid: number,
  url: string,
  seconds: number,
): Promise<number> {
  if (canPin) await run('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(pid)]);
  const wrapper = canPin ? ['taskset', '--cpu-list', '0'] : [];
  const before = processorSeconds(pid);
  const rate = await requestsPerSecond(url, seconds, 32, {}, wrapper);
  return (rate * seconds) / (processorSeconds(pid) - before);
}

export type Call = Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'headers' | 'body'>;

/** Sends each call once, over concurrent connections. Throws if one fails. */
export async function sendAll(
  pool: Pool,
  calls: readonly Call[],
  connections: number,
): Promise<void> {
  const left = calls.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const call of left) {
        const { statusCode, body } = await pool.request(call);
        await body.dump();
        if (statusCode >= 400) throw new Error(`a call was answered with ${statusCode}`);
      }
    }),
  );
}

async function has(program: string): Promise<boolean> {
  return run(program, ['-v']).then(
    () => true,
    // wrk prints its version and exits with 1, taskset reports an unknown option.
    (error: { code?: unknown }) => error.code !== 'ENOENT',
  );
}
