import { requestsPerProcessorSecond } from '../load.js';
import { readProbes } from '../probes/reads.js';
import { startBaseline, startService } from '../processes.js';
import { comparedRow, measurePairs, type Measurement } from '../row.js';

const rounds = 5;
const seconds = 3;
const aims = [0.6, 0.8, 0.3];

/** The three reads, with limits and logging on, against a bare route that sends the same bytes. */
export const reads: Measurement = async (progress) => {
  const service = await startService();
  try {
    const rows = [];
    for (const [index, probe] of (await readProbes(service)).entries()) {
      progress(probe.what);
      const answer = await fetch(probe.url);
      const head: Record<string, string> = {};
      answer.headers.forEach((value, name) => (head[name] = value));
      const body = Buffer.from(await answer.arrayBuffer()).toString('base64');
      const baseline = await startBaseline('bytes.ts', [JSON.stringify(head), body]);
      const measured = await measurePairs(
        rounds,
        () => requestsPerProcessorSecond(service.child.pid!, probe.url, seconds),
        () => requestsPerProcessorSecond(baseline.child.pid!, baseline.url, seconds),
      );
      await baseline.stop();
      const what = `${probe.what}: requests per second of processor time`;
      rows.push(comparedRow(what, 'requests/s', 'bare Fastify', measured, { least: aims[index]! }));
    }
    return rows;
  } finally {
    await service.stop();
  }
};
