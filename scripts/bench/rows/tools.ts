import { freePort } from '../../free-port.js';
import { toolProbes } from '../probes/tools.js';
import { startService } from '../processes.js';
import { comparedRow, measurePairs, type Measurement } from '../row.js';

const rounds = 5;
/** The least share of a call's CPU time that the REST read takes, by protocol version. */
const aims = { legacy: 1 / 3, modern: 0.25 };

/** The CPU time of a tool call, against the REST read of the same slots. */
export const tools: Measurement = async (progress) => {
  const metricsPort = await freePort();
  const service = await startService({ METRICS_PORT: String(metricsPort) });
  const { rest, tools: calls, close } = toolProbes(service, metricsPort);
  try {
    const rows = [];
    for (const { revision, probe } of calls) {
      progress(probe.what);
      await probe.measure();
      const measured = await measurePairs(rounds, probe.measure, rest.measure);
      rows.push(
        comparedRow(
          probe.what,
          probe.unit,
          rest.what,
          { ...measured, ratio: 1 / measured.ratio },
          { least: revision < '2026' ? aims.legacy : aims.modern },
        ),
      );
    }
    return rows;
  } finally {
    await close();
    await service.stop();
  }
};
