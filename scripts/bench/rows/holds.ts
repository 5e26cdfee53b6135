import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import pg from 'pg';
import { connectionStringOf, holdStatements } from '../database.js';
import { startService } from '../processes.js';
import { inPairs, type Measurement } from '../row.js';
import { holdBody, openSlots, type Slot } from '../slots.js';

const run = promisify(execFile);
const rounds = 5;
const clients = 16;
const holdsPerRound = 1_600;
const contenders = 1_000;
const aims = { holds: 0.6, contention: 3 };

/** Holds on distinct slots against pgbench running the same statements on the same server. */
export const holds: Measurement = async (progress) => {
  const service = await startService({ ROLE: 'all' });
  const connectionString = await connectionStringOf(service.dataDir);
  const database = new pg.Client({ connectionString });
  await database.connect();
  const folder = await mkdtemp(join(tmpdir(), 'bench-pgbench-'));
  const pool = new Pool(service.url, { connections: clients });
  try {
    progress('POST /holds on distinct slots');
    const slots = await openSlots(service.url, holdsPerRound);
    const script = join(folder, 'hold.sql');
    await writeFile(script, await holdStatements(connectionString));
    const clear = () => database.query('truncate bookings, events');

    const measured = await inPairs(
      rounds,
      async () => {
        await clear();
        await fetch(`${service.url}/readyz`);
        return holdAll(pool, slots);
      },
      async () => {
        await clear();
        return pgbench(script, connectionString);
      },
    );
    return [
      {
        what: `POST /holds on distinct slots, ${clients} clients`,
        ours: `${Math.round(measured.ours)}/s`,
        baseline: `${Math.round(measured.baseline)}/s, pgbench`,
        ratio: measured.ratio,
        aim: `≥ ${aims.holds}`,
        reached: measured.ratio >= aims.holds,
      },
    ];
  } finally {
    await pool.close();
    await database.end();
    await service.stop();
    await rm(folder, { recursive: true });
  }
};

async function holdAll(pool: Pool, slots: Slot[]): Promise<number> {
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < slots.length) {
        const status = await post(pool, '/api/public/holds', holdBody(slots[next++]!));
        if (status !== 201) throw new Error(`a hold was answered with ${status}`);
      }
    }),
  );
  return slots.length / ((performance.now() - began) / 1000);
}

async function post(pool: Pool, path: string, body: string): Promise<number> {
  const { statusCode, body: answer } = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await answer.dump();
  return statusCode;
}

async function pgbench(script: string, connectionString: string): Promise<number> {
  const { stdout } = await run('pgbench', [
    '--no-vacuum',
    '--protocol=prepared',
    `--client=${clients}`,
    '--jobs=1',
    `--transactions=${holdsPerRound / clients}`,
    `--file=${script}`,
    connectionString,
  ]);
  return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1]);
}

/** A crowd for one slot against as many reads: the time to the last answer. */
export const contention: Measurement = async (progress) => {
  progress(`${contenders} clients fight for one slot`);
  const service = await startService();
  const pool = new Pool(service.url, { connections: 64 });
  try {
    const slots = await openSlots(service.url, rounds);
    let round = 0;
    const crowd = async (one: () => Promise<unknown>): Promise<number> => {
      const began = performance.now();
      await Promise.all(Array.from({ length: contenders }, one));
      return performance.now() - began;
    };
    const measured = await inPairs(
      rounds,
      async () => {
        const body = holdBody(slots[round++]!);
        const statuses: number[] = [];
        const took = await crowd(async () =>
          statuses.push(await post(pool, '/api/public/holds', body)),
        );
        if (statuses.filter((status) => status === 201).length !== 1) throw new Error('not one');
        return took;
      },
      () =>
        crowd(async () => {
          const { body } = await pool.request({ path: '/api/public/studio', method: 'GET' });
          await body.dump();
        }),
    );
    return [
      {
        what: `${contenders} clients fight for one slot, last answer`,
        ours: `${Math.round(measured.ours)} ms`,
        baseline: `${Math.round(measured.baseline)} ms, as many GET /studio`,
        ratio: measured.ratio,
        aim: `≤ ${aims.contention}`,
        reached: measured.ratio <= aims.contention,
      },
    ];
  } finally {
    await pool.close();
    await service.stop();
  }
};
