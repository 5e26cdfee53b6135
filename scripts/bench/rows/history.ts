import { writeHistory } from '../../../test/support/history.js';
import { freePort } from '../../free-port.js';
import { withDatabase } from '../database.js';
import { expiryProbe } from '../probes/expiry.js';
import { contentionProbe, holdProbe } from '../probes/holds.js';
import { readProbes } from '../probes/reads.js';
import { toolProbes } from '../probes/tools.js';
import { webhookProbe } from '../probes/webhooks.js';
import { startService, type RunningService } from '../processes.js';
import { comparedRow, isRate, measurePairs, type Measurement, type Probe } from '../row.js';

const rounds = 5;
const bookings = 100_000;

/** The service on a database with a year of history, against itself on an empty one. */
export const history: Measurement = async (progress) => {
  const [old, young] = [await startSubject(), await startSubject()];
  try {
    progress('writing a year of history');
    await withDatabase(old.service, (database) => writeHistory(database, bookings));
    const probes = { old: await probesOf(old), young: await probesOf(young) };
    const rows = [];
    for (const [index, probe] of probes.old.open.entries()) {
      progress(`after a year: ${probe.what}`);
      const fresh = probes.young.open[index]!;
      await probe.measure();
      await fresh.measure();
      const measured = await measurePairs(rounds, probe.measure, fresh.measure);
      rows.push(
        comparedRow(
          `after a year: ${probe.what}`,
          probe.unit,
          'empty database',
          { ...measured, ratio: isRate(probe) ? measured.ratio : 1 / measured.ratio },
          { least: 0.9 },
        ),
      );
    }
    await probes.old.close();
    await probes.young.close();
    return rows;
  } finally {
    await old.service.stop();
    await young.service.stop();
  }
};

interface Subject {
  service: RunningService;
  metricsPort: number;
}

async function startSubject(): Promise<Subject> {
  const metricsPort = await freePort();
  return { service: await startService({ METRICS_PORT: String(metricsPort) }), metricsPort };
}

async function probesOf({ service, metricsPort }: Subject): Promise<{
  open: Probe[];
  close(): Promise<void>;
}> {
  const [holds, contention] = [await holdProbe(service), await contentionProbe(service)];
  const tools = toolProbes(service, metricsPort);
  const webhooks = await webhookProbe(service);
  return {
    open: [
      ...(await readProbes(service)),
      ...tools.tools.map(({ probe }) => probe),
      contention,
      webhooks,
      expiryProbe(service),
      holds,
    ],
    async close() {
      await holds.close();
      await contention.close();
      await tools.close();
      await webhooks.close();
    },
  };
}
