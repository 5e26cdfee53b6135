import { requestsPerProcessorSecond } from '../load.js';
import { readProbes } from '../probes/reads.js';
import { startBaseline, startService } from '../processes.js';
import { measurePairs, inWords, type Measurement } from '../row.js';

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
      const aim = aims[index]!;
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
      rows.push({
        what: `${probe.what}: requests per second of processor time`,
        ours: inWords(measured.ours, 'requests/s'),
        baseline: `${inWords(measured.baseline, 'requests/s')}, bare Fastify`,
        ratio: measured.ratio,
        spread: measured.spread,
        aim: `≥ ${aim}`,
        reached: measured.ratio >= aim,
      });
    }
    return rows;
  } finally {
    await service.stop();
  }
};
