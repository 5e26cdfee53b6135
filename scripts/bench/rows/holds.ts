import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectionStringOf, pgbenchOfHolds } from '../database.js';
import {
  clients,
  contentionProbe,
  crowdOfReads,
  holdProbe,
  holdsPerRound,
} from '../probes/holds.js';
import { startService } from '../processes.js';
import { comparedRow, measurePairs, type Measurement } from '../row.js';

const run = promisify(execFile);
const rounds = 5;

/** Holds on distinct slots against pgbench running the same statements on the same server. */
export const holds: Measurement = async (progress) => {
  const service = await startService();
  const connectionString = await connectionStringOf(service.dataDir);
  const folder = await mkdtemp(join(tmpdir(), 'bench-pgbench-'));
  const probe = await holdProbe(service);
  try {
    progress(probe.what);
    const script = join(folder, 'hold.sql');
    await writeFile(script, pgbenchOfHolds());
    await probe.measure();
    const measured = await measurePairs(rounds, probe.measure, () =>
      pgbench(script, connectionString),
    );
    return [comparedRow(probe.what, probe.unit, 'pgbench', measured, { least: 0.6 })];
  } finally {
    await probe.close();
    await service.stop();
    await rm(folder, { recursive: true });
  }
};

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

/** Concurrent requests for one slot, against as many reads: the time to the last response. */
export const contention: Measurement = async (progress) => {
  const service = await startService();
  const probe = await contentionProbe(service);
  const baseline = crowdOfReads(service);
  try {
    progress(probe.what);
    for (const each of [probe, baseline, probe, baseline]) await each.measure();
    const measured = await measurePairs(rounds, probe.measure, baseline.measure);
    return [comparedRow(probe.what, probe.unit, baseline.what, measured, { most: 3 })];
  } finally {
    await probe.close();
    await baseline.close();
    await service.stop();
  }
};
