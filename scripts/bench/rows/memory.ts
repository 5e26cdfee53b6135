import { memoryOf } from '../audience.js';
import { requestsPerSecond } from '../load.js';
import { startService } from '../processes.js';
import { plainRow, type Measurement } from '../row.js';
import { readProbes } from './reads.js';

const idleSeconds = 5;
const sliceSeconds = 2;
const warmRequests = 200_000;
const requests = 1_000_000;
const aims = { idleMegabytes: 120, growth: 1.1 };

/** The memory of the process (without PostgreSQL), idle and after a million requests. */
export const memory: Measurement = async ({ step, line }) => {
  const service = await startService();
  step('idle');
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
  const idle = await memoryOf(service);
  const { idleMegabytes: most, growth } = aims;
  line(plainRow('memory of the idle process', `${idle} MB`, `≤ ${most} MB`, idle <= most));

  const urls = (await readProbes(service)).map(({ url }) => url);
  let sent = 0;
  const send = async (count: number): Promise<void> => {
    for (let slice = 0; sent < count; slice += 1) {
      step(`${Math.round(sent / 1_000)} thousand requests`);
      const url = urls[slice % urls.length]!;
      sent += (await requestsPerSecond(url, sliceSeconds)) * sliceSeconds;
    }
  };
  await send(warmRequests);
  const warm = await memoryOf(service);
  await send(warmRequests + requests);
  const after = await memoryOf(service);
  line({
    what: 'memory after a million requests more',
    ours: `${after} MB`,
    baseline: `${warm} MB, before`,
    ratio: after / warm,
    aim: `no growth (≤ ${growth})`,
    reached: after <= warm * growth,
  });
};
