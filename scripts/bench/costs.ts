import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/database/embedded/server.js';
import { createLogger } from '../../src/platform/log.js';
import { costOfAttempts } from './costs/attempts.js';
import { costsOfBookings } from './costs/bookings.js';
import type { Cost } from './costs/cost.js';
import { costsOfMail } from './costs/mail.js';
import { countingSettings, createMeter, type Meter } from './costs/meter.js';
import { costsOfRequests } from './costs/requests.js';
import { costsOfViewers } from './costs/viewers.js';
import { costOfDeliveries } from './costs/webhooks.js';
import { postmasterOf, withDatabase } from './database.js';
import { startService, type RunningService } from './processes.js';
import { isNoisy, type Measurement } from './row.js';
import { openSlots } from './slots.js';
import { markdownTable, measuredOn, runsInWords, type Results } from './table.js';

/** What each kind of work costs, one after the other, on an otherwise idle service. */
export const costs: Measurement<Cost> = async (progress) => {
  const ofMail = await costsOfMail(progress);
  const folder = await mkdtemp(join(tmpdir(), 'bench-costs-'));
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: createLogger('error'),
    settings: countingSettings,
  });
  const settings = {
    DATABASE_URL: postgres.connectionString,
    SECRET_KEY: 'a secret of the benchmark, of enough length',
    TRUST_PROXY: '127.0.0.1/32',
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  };
  const services: RunningService[] = [];
  const start = async (changes = {}): Promise<RunningService> => {
    const service = await startService({ ...settings, ...changes });
    services.push(service);
    return service;
  };
  try {
    return await withDatabase({ dataDir }, async (database) => {
      const postmaster = await postmasterOf(dataDir);
      const meterOf = async ({ child }: RunningService): Promise<Meter> => {
        progress('idle');
        return createMeter(database, child.pid!, postmaster);
      };
      const service = await start();
      const meter = await meterOf(service);
      const subject = { service: { ...service, dataDir }, database, meter, progress };
      const lines = [
        ...(await costsOfRequests(subject)),
        // Before bookings fill the calendar: a change of what is not open sends nothing to viewers.
        ...(await costsOfViewers(subject)),
        ...(await costsOfBookings(subject)),
        await costOfDeliveries(subject),
      ];
      await service.stop();
      // Holds of the measurements before are still pending.
      const full = await start({ MAX_PENDING_HOLDS: '1' });
      const [slot] = await openSlots(full.url, 1);
      const refusing = { service: full, meter: await meterOf(full), progress };
      const what = 'hold beyond the cap of pending holds';
      return [
        ...lines,
        await costOfAttempts(refusing, what, slot!, 503),
        ofMail,
        { what: 'the idle process, per second', ...meter.idle, bytes: null, spread: null },
      ];
    });
  } finally {
    for (const each of services) await each.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

export function tableOfCosts(results: Results<Cost>): string {
  const head = [
    'one …',
    'service',
    'PostgreSQL',
    'statements',
    'bytes in',
    'bytes out',
    'spread',
    'measured',
  ];
  const lines = Object.values(results).flatMap((result) =>
    result.lines.map(({ what, service, postgres, statements, bytes, spread }) => [
      what,
      `${inDigits(service)} µs`,
      `${inDigits(postgres)} µs`,
      inDigits(statements),
      bytes === null ? '–' : inDigits(bytes.in),
      bytes === null ? '–' : inDigits(bytes.out),
      spread === null
        ? '–'
        : `${(spread * 100).toFixed(0)} %${isNoisy({ spread }) ? ', noisy' : ''}`,
      measuredOn(result),
    ]),
  );
  return `${markdownTable(head, lines)}\n\n${runsInWords(results)}`;
}

/** Below what the measurement tells apart from nothing, 0. */
function inDigits(value: number): string {
  if (Math.abs(value) < 0.05) return '0';
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
