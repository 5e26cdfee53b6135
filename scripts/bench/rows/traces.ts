import { requestsPerSecond } from '../load.js';
import { processorSeconds } from '../probes/processor-time.js';
import { readProbes } from '../probes/reads.js';
import { startBaseline, startService, type RunningService } from '../processes.js';
import { inWords, measurePairs, type Measurement } from '../row.js';

const rounds = 15;
const seconds = 2;
const sampledShare = '0.01';
const aim = 1.03;

/** The processor time of the reads with 1 % of them traced, against that without tracing. */
export const traces: Measurement = async (progress) => {
  const collector = await startBaseline('webhook-receiver.ts', []);
  const traced = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: sampledShare,
  });
  const untraced = await startService();
  try {
    const rows = [];
    const [ours, baseline] = [await readProbes(traced), await readProbes(untraced)];
    for (const [index, { what, url }] of ours.entries()) {
      progress(what);
      const measured = await measurePairs(
        rounds,
        () => microsecondsPerRequest(traced, url),
        () => microsecondsPerRequest(untraced, baseline[index]!.url),
      );
      rows.push({
        what: `${what}, 1 % traced: processor time of a request`,
        ours: inWords(measured.ours, 'µs'),
        baseline: `${inWords(measured.baseline, 'µs')}, tracing off`,
        ratio: measured.ratio,
        spread: measured.spread,
        aim: `≤ ${aim}`,
        reached: measured.ratio <= aim,
      });
    }
    return rows;
  } finally {
    for (const each of [traced, untraced, collector]) await each.stop();
  }
};

async function microsecondsPerRequest({ child }: RunningService, url: string): Promise<number> {
  const before = await processorSeconds(child.pid!);
  const rate = await requestsPerSecond(url, seconds);
  return (((await processorSeconds(child.pid!)) - before) * 1e6) / (rate * seconds);
}
