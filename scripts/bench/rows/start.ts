import { startEmbeddedPostgres } from '../../../src/database/embedded/server.js';
import { createLogger } from '../../../src/platform/log.js';
import { startService, temporaryFolder } from '../processes.js';
import { comparedRow, measurePairs, type Measurement } from '../row.js';

const rounds = 5;
const aimMs = 800;

/** From the start of the process until it serves, on an existing database. */
export const start: Measurement = async ({ step, line }) => {
  step('starts on an existing database');
  const dataDir = await temporaryFolder();
  const log = createLogger('silent');
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
  const what = 'start to ready, second start on the embedded database';
  line({
    ...comparedRow(what, 'ms', 'PostgreSQL alone', measured, { most: aimMs }),
    aim: `≤ ${aimMs} ms`,
    reached: measured.ours <= aimMs,
  });
};
