import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import type { Dispatcher, Pool } from 'undici';

const run = promisify(execFile);

/** `wrk` if it is on PATH, since it takes less CPU from the server. */
export const loadGenerator = (await hasWrk()) ? 'wrk' : 'autocannon';

/** Requests per second over concurrent connections. */
export async function requestsPerSecond(
  url: string,
  seconds: number,
  connections = 32,
  headers: Record<string, string> = {},
): Promise<number> {
  if (loadGenerator === 'wrk') {
    const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, ...sent];
    const { stdout } = await run('wrk', [...options, url]);
    const failed = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
    if (failed !== undefined) throw new Error(`${failed} requests to ${url} failed`);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  }
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx + result.errors > 0) throw new Error(`requests to ${url} failed`);
  return result.requests.average;
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

async function hasWrk(): Promise<boolean> {
  return run('wrk', ['-v']).then(
    () => true,
    // It prints its version and exits with 1.
    (error: { code?: unknown }) => error.code !== 'ENOENT',
  );
}
