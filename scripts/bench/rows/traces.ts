import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestsPerProcessorSecond } from '../load.js';
import { readProbes, type ReadProbe } from '../probes/reads.js';
import { startBaseline, startService, type RunningService } from '../processes.js';
import { comparedRow, comparePairs, measureComparisons, type Measurement } from '../row.js';

const rounds = 5;
const seconds = 12;
const warmUpSeconds = 30;
const sampledShare = '0.01';

/** Microseconds of processor time per request, of each read. */
interface Costs {
  traced: number[];
  untraced: number[];
}

/**
 * The processor time of the reads with 1 % of them traced, against that without tracing. Both processes
 * have their load at the same time, on one processor, so that its speed is the same for both at any
 * moment. Each round starts both anew, in turns, since two processes that run the same program can
 * differ by a twentieth.
 */
export const traces: Measurement = async (progress) => {
  const collector = await startBaseline('webhook-receiver.ts', []);
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: sampledShare,
  };
  const dataDirs = [
    await mkdtemp(join(tmpdir(), 'bench-traces-')),
    await mkdtemp(join(tmpdir(), 'bench-traces-')),
  ];
  let reads: string[] = [];
  const order = [0, 1];
  const measureRound = async (): Promise<Costs> => {
    const services: RunningService[] = [];
    for (const index of order) {
      services[index] = await startService([tracing, {}][index], dataDirs[index]);
    }
    order.reverse();
    const [traced, untraced] = [services[0]!, services[1]!];
    try {
      const [ours, baselines] = [await readProbes(traced), await readProbes(untraced)];
      reads = ours.map(({ what }) => what);
      const load = async (forSeconds: number): Promise<Costs> => {
        const costs: Costs = { traced: [], untraced: [] };
        for (const [read, probe] of ours.entries()) {
          const [one, other] = await Promise.all([
            costOf(traced, probe, forSeconds),
            costOf(untraced, baselines[read]!, forSeconds),
          ]);
          costs.traced.push(one);
          costs.untraced.push(other);
        }
        return costs;
      };
      // At 1 %, it takes a while until V8 has compiled what traces a request.
      await load(warmUpSeconds);
      return await load(seconds);
    } finally {
      await traced.stop();
      await untraced.stop();
    }
  };
  try {
    progress('reads with and without traces');
    const compared = await measureComparisons(rounds, [measureRound], ([costs = []]) =>
      reads.map((_, read) =>
        comparePairs(
          costs.map(({ traced }) => traced[read]!),
          costs.map(({ untraced }) => untraced[read]!),
        ),
      ),
    );
    return compared.map((measured, read) =>
      comparedRow(
        `${reads[read]}, 1 % traced: processor time of a request`,
        'µs',
        'tracing off',
        measured,
        { most: 1.03 },
      ),
    );
  } finally {
    await collector.stop();
    for (const dataDir of dataDirs) await rm(dataDir, { recursive: true, force: true });
  }
};

async function costOf(
  { child }: RunningService,
  { url }: ReadProbe,
  forSeconds: number,
): Promise<number> {
  return 1e6 / (await requestsPerProcessorSecond(child.pid!, url, forSeconds));
}
