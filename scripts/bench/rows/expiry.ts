import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestRedis } from '../../../test/support/redis.js';
import { expiryProbe } from '../probes/expiry.js';
import { startService } from '../processes.js';
import { comparedRow, measurePairs, percentile, type Measurement, type Row } from '../row.js';

const rounds = 5;
const timers = 1_000;
const aims = { PostgreSQL: 1_000, Redis: 250 };

/** The lateness of expiry on both queue backends, against the timers of a bare process. */
export const expiry: Measurement = async (progress) => {
  const rows = [await row('PostgreSQL', {}, progress)];
  const folder = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const redis = await startTestRedis(folder);
  if (redis !== null) {
    rows.push(await row('Redis', { REDIS_URL: redis.url }, progress));
    await redis.stop();
  }
  await rm(folder, { recursive: true });
  return rows;
};

async function row(
  backend: keyof typeof aims,
  changes: Record<string, string>,
  progress: (step: string) => void,
): Promise<Row> {
  const service = await startService(changes);
  try {
    const probe = expiryProbe(service);
    progress(`${probe.what}, ${backend}`);
    await probe.measure();
    const measured = await measurePairs(rounds, probe.measure, timerLateness);
    const aim = aims[backend];
    const what = `${probe.what}, queues on ${backend}`;
    return {
      ...comparedRow(what, probe.unit, 'timers of an idle process', measured, null),
      aim: `≤ ${aim} ms`,
      reached: measured.ours <= aim,
    };
  } finally {
    await service.stop();
  }
}

/** The p99 lateness of the same number of timers within one second, in milliseconds. */
async function timerLateness(): Promise<number> {
  const began = performance.now();
  const late = await Promise.all(
    Array.from({ length: timers }, (_, index) => {
      const delay = (index * 1_000) / timers;
      return new Promise<number>((resolve) => {
        setTimeout(() => resolve(performance.now() - began - delay), delay);
      });
    }),
  );
  return percentile(late, 0.99);
}
