import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dispatcher, Pool } from 'undici';
import { importTool, installTools } from '../../test/support/tools.js';
import { outputOf, temporaryFolder, type Running } from './processes.js';
import { processorSeconds } from './processor-time.js';

/** `wrk` if it is on PATH, since it takes less CPU from the server. */
export const loadGenerator = (await has('wrk')) ? 'wrk' : 'autocannon';
const canPin = loadGenerator === 'wrk' && (await has('taskset'));

export interface Call extends Pick<Dispatcher.RequestOptions, 'path'> {
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

interface Autocannon {
  default: (options: {
    url: string;
    connections: number;
    duration: number;
  }) => Promise<{ non2xx: number; errors: number; requests: { average: number } }>;
}

interface Load {
  connections?: number;
  /** Where it is not a plain GET, with the path of the URL. */
  call?: Call | undefined;
  /** The processor that generates the load, by its number; any if it is not given. */
  processor?: number;
}

/** Requests per second over concurrent connections. */
export async function requestsPerSecond(
  url: string,
  seconds: number,
  { connections = 32, call, processor }: Load = {},
): Promise<number> {
  if (loadGenerator === 'wrk') {
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`];
    if (call !== undefined) options.push('-s', await scriptOf(call));
    const pin = canPin && processor !== undefined ? ['taskset', '--cpu-list', `${processor}`] : [];
    const [program = '', ...words] = [...pin, 'wrk', ...options, url];
    const output = await outputOf(program, words);
    const failed = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1];
    if (failed !== undefined) throw new Error(`${failed} requests to ${url} failed`);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  }
  const { method = 'GET', headers = {}, body = '' } = call ?? {};
  const options = { url, method, headers, body, connections, duration: seconds };
  installTools();
  const { default: autocannon } = await importTool<Autocannon>('autocannon');
  const result = await autocannon(options);
  if (result.non2xx + result.errors > 0) throw new Error(`requests to ${url} failed`);
  return result.requests.average;
}

/** A script of wrk, in Lua. */
async function scriptOf({ method, headers = {}, body = '' }: Call): Promise<string> {
  const script = join(await temporaryFolder(), 'call.lua');
  const fields = Object.entries(headers).map(([name, value]) => `['${name}'] = [[${value}]]`);
  const lines = [
    `wrk.method = '${method}'`,
    `wrk.headers = { ${fields.join(', ')} }`,
    `wrk.body = [[${body}]]`,
  ];
  await writeFile(script, lines.join('\n'));
  return script;
}

/**
 * The requests per second of processor time that a process serves. Where `taskset` and wrk are there,
 * the load is generated on the same processor. From another one, some answers wake wrk and others find
 * it awake, and in a virtual machine a wake-up costs the process as much as the rest of the write.
 */
export async function requestsPerProcessorSecond(
  server: Running,
  url: string,
  seconds: number,
): Promise<number> {
  await pinTo(0, server);
  const pid = server.child.pid!;
  const before = processorSeconds(pid);
  const rate = await requestsPerSecond(url, seconds, { processor: 0 });
  return (rate * seconds) / (processorSeconds(pid) - before);
}

/** Requests per second of a server on one processor; the load is generated on another. */
export async function requestsPerSecondPinned(
  server: Running,
  url: string,
  seconds: number,
  load: Load,
): Promise<number> {
  await pinTo(0, server);
  return requestsPerSecond(url, seconds, { ...load, processor: 1 });
}

async function pinTo(processor: number, { child }: Running): Promise<void> {
  if (!canPin) return;
  await outputOf('taskset', ['--all-tasks', '--cpu-list', '--pid', `${processor}`, `${child.pid}`]);
}

/** Sends each call once, over concurrent connections. Throws if one has another status. */
export async function sendAll(
  pool: Pool,
  calls: readonly Call[],
  connections: number,
  status = 200,
): Promise<void> {
  const left = calls.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const call of left) {
        const { statusCode, body } = await pool.request(call);
        await body.dump();
        if (statusCode !== status) throw new Error(`a call was answered with ${statusCode}`);
      }
    }),
  );
}

async function has(program: string): Promise<boolean> {
  return outputOf(program, ['-v']).then(
    () => true,
    // wrk prints its version and exits with 1, taskset reports an unknown option.
    (error: { code?: unknown }) => error.code !== 'ENOENT',
  );
}
