import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

const run = promisify(execFile);
/**
 * Requests per second over concurrent connections. Uses `wrk` if it is on PATH, since it takes less
 * CPU from the server; otherwise autocannon.
 */
export async function requestsPerSecond(
  url: string,
  seconds: number,
  connections = 32,
  headers: Record<string, string> = {},
): Promise<number> {
  if (await hasWrk()) {
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

async function hasWrk(): Promise<boolean> {
  return run('wrk', ['-v']).then(
    () => true,
    // It prints its version and exits with 1.
    (error: { code?: unknown }) => error.code !== 'ENOENT',
  );
}
