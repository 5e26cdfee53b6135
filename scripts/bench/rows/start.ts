import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../src/database/embedded/server.js';
import { createLogger } from '../../../src/platform/log.js';
import { startService } from '../processes.js';
import { comparedRow, measurePairs, type Measurement } from '../row.js';

const rounds = 5;
const aimMs = 800;

/** From the start of the process until it serves, on an existing database. */
export const start: Measurement = async (progress) => {
  progress('starts on an existing database');
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
  const log = createLogger('silent');
  try {
    const startOnce = async (): Promise<number> => {
      const service = await startService({}, dataDir);
      await service.stop();
      return service.readyMs;
    };
    await startOnce();
    const measured = await measurePairs(rounds, startOnce, async () => {
      const began = performance.now();
      const server = await startEmbeddedPostgres({ dataDir, log });
      const took = performance.now() - began;
      await server.stop();
      return took;
    });
    return [
      {
        ...comparedRow(
          'start to ready, second start on the embedded database',
          'ms',
          'PostgreSQL alone',
          measured,
          null,
        ),
        aim: `≤ ${aimMs} ms`,
        reached: measured.ours <= aimMs,
      },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
