import { requestsPerProcessorSecond } from '../load.js';
import { startProgram, startService, temporaryFolder, type RunningService } from '../processes.js';
import { comparedRow, comparePairs, measureComparisons, type Measurement } from '../row.js';
import { readProbes, type ReadProbe } from './reads.js';

const rounds = 5;
const seconds = 5;
/** Of each read. They share the code that traces, so each warms it up for the others. */
const warmUpSeconds = 10;
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
export const traces: Measurement = async ({ step, line }) => {
  const collector = await startProgram('webhook-receiver.ts');
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: sampledShare,
  };
  const dataDirs = [await temporaryFolder(), await temporaryFolder()];
  let reads: string[] = [];
  const order = [0, 1];
  const measureRound = async (): Promise<Costs> => {
    const services: RunningService[] = [];
    for (const index of order) {
      services[index] = await startService([tracing, {}][index], dataDirs[index]);
    }
    order.reverse();
    const [traced, untraced] = [services[0]!, services[1]!];
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
    const costs = await load(seconds);
    await traced.stop();
    await untraced.stop();
    return costs;
  };
  step('reads with and without traces');
  const compared = await measureComparisons(rounds, [measureRound], ([costs = []]) =>
    reads.map((_, read) =>
      comparePairs(
        costs.map(({ traced }) => traced[read]!),
        costs.map(({ untraced }) => untraced[read]!),
      ),
    ),
  );
  for (const [read, measured] of compared.entries()) {
    const what = `${reads[read]}, 1 % traced: processor time of a request`;
    line(comparedRow(what, 'µs', 'tracing off', measured, { most: 1.03 }));
  }
};

async function costOf(
  service: RunningService,
  { url }: ReadProbe,
  forSeconds: number,
): Promise<number> {
  return 1e6 / (await requestsPerProcessorSecond(service, url, forSeconds));
}
