import { writeHistory } from '../../../test/support/history.js';
import { withDatabase } from '../database.js';
import { startService, type RunningService } from '../processes.js';
import { comparedRow, inverted, measurePairs, type Measurement, type Probe } from '../row.js';
import { expiryProbe } from './expiry.js';
import { contentionProbe, holdProbe } from './holds.js';
import { readProbes } from './reads.js';
import { toolProbes } from './tools.js';
import { webhookProbe } from './webhooks.js';

const rounds = 5;
const bookings = 100_000;
/** The default of MAX_PENDING_HOLDS. */
const mostPending = 30;

/** The service on a database with a year of history, against itself on an empty one. */
export const history: Measurement = async ({ step, line }) => {
  const [old, young] = [await startService(), await startService()];
  step('writing a year of history');
  await withDatabase(old, (database) => writeHistory(database, bookings));
  const [ours, empty] = [await probesOf(old), await probesOf(young)];
  for (const [index, { what: name, unit, measure }] of ours.entries()) {
    const what = `after a year: ${name}`;
    step(what);
    const baseline = empty[index]!.measure;
    await measure();
    await baseline();
    const measured = await measurePairs(rounds, measure, baseline);
    const pairs = unit.endsWith('/s') ? measured : inverted(measured);
    line(comparedRow(what, unit, 'empty database', pairs, { least: 0.9 }));
  }
};

async function probesOf(service: RunningService): Promise<Probe[]> {
  const holds = await holdProbe(service, mostPending);
  return [
    ...(await readProbes(service)),
    ...toolProbes(service).tools.map(({ probe }) => probe),
    contentionProbe(service),
    await webhookProbe(service),
    expiryProbe(service),
    holds,
  ];
}
