/**
 * Sends GET requests at a fixed rate between `begin` and `end`, and then reports the 95th percentile
 * of their times: from when each was due, whatever was sent or answered by then, to its last byte.
 */
import { Pool } from 'undici';
import { percentile } from '../row.js';

export interface Answered {
  /** Milliseconds. */
  p95: number;
}

const [, url = '', path = '', perSecond = ''] = process.argv.slice(2);
const everyMs = 1_000 / Number(perSecond);
const pool = new Pool(url, { connections: 200 });
let times: number[] = [];
let pending: Promise<void>[] = [];
let timer: NodeJS.Timeout | undefined;

async function read(dueAt: number): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path });
  await body.dump();
  if (statusCode !== 200) throw new Error(`a read was answered with ${statusCode}`);
  times.push(performance.now() - dueAt);
}

process.on('message', async (message: 'begin' | 'end') => {
  if (message === 'begin') {
    times = [];
    pending = [];
    let dueAt = performance.now();
    timer = setInterval(() => {
      for (; dueAt <= performance.now(); dueAt += everyMs) pending.push(read(dueAt));
    }, 1);
    process.send?.('begun');
  } else {
    clearInterval(timer);
    await Promise.all(pending);
    process.send?.({ p95: percentile(times, 0.95) } satisfies Answered);
  }
});
process.send?.('ready');
