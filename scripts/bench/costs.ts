import { openSlots } from '../../test/support/http-requests.js';
import { costOfAttempts, costsOfHolds } from './costs/holds.js';
import { countingSettings, createMeter, type Cost } from './costs/meter.js';
import { costsOfRequests } from './costs/requests.js';
import { costsOfViewers } from './costs/viewers.js';
import { costOfDeliveries } from './costs/webhooks.js';
import { postmasterOf, startPostgres, withDatabase } from './database.js';
import { startService, type RunningService } from './processes.js';
import type { Measurement } from './row.js';
import { spreadInWords } from './table.js';

/** What the kinds of work of growth.md cost, one after the other, on an otherwise idle service. */
export const costs: Measurement<Cost> = async ({ step, line }) => {
  const postgres = await startPostgres(countingSettings);
  const { dataDir, environment } = postgres;
  const start = (changes = {}) =>
    startService({ ...environment, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true', ...changes });
  await withDatabase(postgres, async (database) => {
    const postmaster = await postmasterOf(dataDir);
    const meterOf = ({ child }: RunningService) => {
      step('idle');
      return createMeter(database, child.pid!, postmaster);
    };
    const service = await start();
    const meter = await meterOf(service);
    const subject = { service, database, meter, step };
    const kinds = [
      costsOfRequests,
      // Before holds fill the calendar: a change of what is not open sends nothing to viewers.
      costsOfViewers,
      costsOfHolds,
      costOfDeliveries,
    ];
    for (const costsOf of kinds) for (const cost of [await costsOf(subject)].flat()) line(cost);
    await service.stop();
    // Holds of the measurements before are still pending.
    const full = await start({ MAX_PENDING_HOLDS: '1' });
    const [slot] = await openSlots(full.url, 1);
    const refusing = { service: full, meter: await meterOf(full), step };
    line(await costOfAttempts(refusing, 'hold beyond the cap of pending holds', slot!, 503));
    line({ what: 'the idle process, per second', ...meter.idle, bytes: null, spread: null });
  });
};

/** The head of their table. */
export const headOfCosts = [
  'one …',
  'service',
  'PostgreSQL',
  'statements',
  'bytes in',
  'bytes out',
  'spread',
];

export function cellsOfCost(cost: Cost): string[] {
  const { what, service, postgres, statements, bytes, spread } = cost;
  return [
    what,
    `${inDigits(service)} µs`,
    `${inDigits(postgres)} µs`,
    inDigits(statements),
    bytes === null ? '–' : inDigits(bytes.in),
    bytes === null ? '–' : inDigits(bytes.out),
    spread === null ? '–' : spreadInWords(spread),
  ];
}

/** Below what the measurement tells apart from nothing, 0. */
function inDigits(value: number): string {
  if (Math.abs(value) < 0.05) return '0';
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
