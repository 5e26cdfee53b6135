import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { withClient } from '../../../src/database/client.js';
import { startEmbeddedPostgres } from '../../../src/database/embedded/server.js';
import { createLogger } from '../../../src/platform/log.js';
import { requestsPerSecond } from '../load.js';
import { holdAll } from '../probes/holds.js';
import { startService } from '../processes.js';
import { comparedRow, comparePairs, measureComparisons, type Measurement } from '../row.js';
import { openSlots } from '../slots.js';

const rounds = 5;
const readSeconds = 2;
const clients = 16;
const holdsPerRound = 800;

/** The roles of the processes of a setup. */
const arrangements = [['all'], ['api', 'worker'], ['api', 'api', 'worker']];

interface Speed {
  holds: number;
  reads: number;
}

/** Of two arrangements, by their numbers. */
const comparisons = (
  [
    { what: 'POST /holds', key: 'holds' },
    { what: 'GET /availability', key: 'reads' },
  ] as const
).flatMap((speed) => [
  { ...speed, ours: 1, baseline: 0 },
  { ...speed, ours: 2, baseline: 1 },
]);

/**
 * Holds and reads with one process, with jobs in a separate process, and with a second API process,
 * on one PostgreSQL and, if REDIS_URL is set, its Redis. The gain depends on the number of cores.
 */
export const roles: Measurement = async (progress) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-roles-'));
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    log: createLogger('error'),
    settings: { max_connections: '300' },
  });
  const redisUrl = process.env['REDIS_URL'];
  const environment = {
    DATABASE_URL: server.connectionString,
    SECRET_KEY: 'a secret of the benchmark, of enough length',
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  };
  try {
    const names = arrangements.map((arrangement) => arrangement.join(' + '));
    const subjects = arrangements.map((arrangement, index) => async () => {
      progress(names[index]!);
      return measure(arrangement, environment);
    });
    const pairs = await measureComparisons(rounds, subjects, (speeds) =>
      comparisons.map(({ key, ours, baseline }) => {
        const [mine, theirs] = [ours, baseline].map((index) =>
          speeds[index]!.map((speed) => speed[key]),
        );
        return comparePairs(mine!, theirs!);
      }),
    );
    return comparisons.map(({ what, ours, baseline }, index) =>
      comparedRow(`${what}, ${names[ours]}`, 'requests/s', names[baseline]!, pairs[index]!, null),
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

async function measure(arrangement: string[], environment: Record<string, string>): Promise<Speed> {
  const processes = [];
  for (const role of arrangement)
    processes.push(await startService({ ...environment, ROLE: role }));
  const urls = processes
    .filter((_, index) => arrangement[index] !== 'worker')
    .map(({ url }) => url);
  const pools = urls.map((url) => new Pool(url, { connections: clients / urls.length }));
  try {
    const slots = await openSlots(urls[0]!, holdsPerRound);
    const began = performance.now();
    await Promise.all(
      pools.map((pool, index) =>
        holdAll(
          pool,
          slots.filter((_, number) => number % pools.length === index),
          clients / pools.length,
        ),
      ),
    );
    const holds = holdsPerRound / ((performance.now() - began) / 1000);
    const range = `from=${slots[0]!.date}&to=${slots[0]!.date}`;
    const reads = await Promise.all(
      urls.map((url) =>
        requestsPerSecond(`${url}/api/public/availability?${range}`, readSeconds, 32 / urls.length),
      ),
    );
    return { holds, reads: reads.reduce((sum, each) => sum + each, 0) };
  } finally {
    for (const pool of pools) await pool.close();
    for (const each of processes) await each.stop();
    await withClient({ connectionString: environment['DATABASE_URL']! }, (database) =>
      database.query('truncate bookings, events cascade'),
    );
  }
}
