import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { Slot } from '../../../src/schedule/slots.js';
import { openSlots } from '../../../test/support/http-requests.js';
import { holdRequest } from '../../../test/support/requests.js';
import { connectionStringOf, pgbenchOfHolds, withDatabase } from '../database.js';
import { sendAll, type Call } from '../load.js';
import { outputOf, startService, temporaryFolder, type RunningService } from '../processes.js';
import { comparedRow, measurePairs, type Measurement, type Probe } from '../row.js';

const rounds = 5;
export const clients = 16;
const holdsPerRound = 800;
const contenders = 1_000;
const contendersConnections = 64;

/** Holds on distinct slots against pgbench running the same statements on the same server. */
export const holds: Measurement = async ({ step, line }) => {
  const service = await startService();
  const connectionString = await connectionStringOf(service.dataDir);
  const probe = await holdProbe(service);
  step(probe.what);
  const script = join(await temporaryFolder(), 'hold.sql');
  await writeFile(script, pgbenchOfHolds());
  await probe.measure();
  const measured = await measurePairs(rounds, probe.measure, () =>
    pgbench(script, connectionString),
  );
  line(comparedRow(probe.what, probe.unit, 'pgbench', measured, { least: 0.6 }));
};

async function pgbench(script: string, connectionString: string): Promise<number> {
  const output = await outputOf('pgbench', [
    '--no-vacuum',
    '--protocol=prepared',
    `--client=${clients}`,
    '--jobs=1',
    `--transactions=${holdsPerRound / clients}`,
    `--file=${script}`,
    connectionString,
  ]);
  return Number(/tps = ([\d.]+) \(without/.exec(output)?.[1]);
}

/** Concurrent requests for one slot, against as many reads: the time to the last response. */
export const contention: Measurement = async ({ step, line }) => {
  const service = await startService();
  const probe = contentionProbe(service);
  const baseline = crowdOfReads(service);
  step(probe.what);
  for (const each of [probe, baseline, probe, baseline]) await each.measure();
  const measured = await measurePairs(rounds, probe.measure, baseline.measure);
  line(comparedRow(probe.what, probe.unit, baseline.what, measured, { most: 3 }));
};

export function holdCall(slot: Slot): Call {
  return {
    method: 'POST',
    path: '/api/public/holds',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(holdRequest(slot)),
  };
}

/**
 * Holds per second on distinct slots, which are freed between rounds, and whenever `mostPending` of them
 * are held.
 */
export async function holdProbe(
  service: RunningService,
  mostPending = holdsPerRound,
): Promise<Probe> {
  const slots = await openSlots(service.url, holdsPerRound);
  const pool = new Pool(service.url, { connections: clients });
  return {
    what: `POST /holds on distinct slots, ${clients} clients`,
    unit: 'requests/s',
    async measure() {
      let tookMs = 0;
      for (let held = 0; held < slots.length; held += mostPending) {
        const calls = slots.slice(held, held + mostPending).map(holdCall);
        await releaseAll(service, slots);
        const began = performance.now();
        await sendAll(pool, calls, clients, 201);
        tookMs += performance.now() - began;
      }
      return (slots.length * 1000) / tookMs;
    },
  };
}

/** Frees the slots in the database, and waits until the board shows it. */
async function releaseAll(service: RunningService, slots: Slot[]): Promise<void> {
  await withDatabase(service, (database) => database.query(cancelHolds));
  const isFree = async (): Promise<boolean> => {
    const open = await openSlots(service.url, slots.length).catch(() => []);
    return open.length === slots.length && JSON.stringify(open) === JSON.stringify(slots);
  };
  while (!(await isFree())) await new Promise((resolve) => setTimeout(resolve, 20));
}

export const cancelHolds = `
  with gone as (
    update bookings set status = 'cancelled', cancelled_at = booking_now()
    where status = 'pending' returning 1
  )
  insert into events (type, occurred_at, data)
  select 'calendar.changed', booking_now(), '{}' from (select count(*) from gone) as once`;

/** Milliseconds until the last of many concurrent requests for one slot is answered. */
export function contentionProbe({ url }: RunningService): Probe {
  const pool = new Pool(url, { connections: contendersConnections });
  return {
    what: `${contenders} clients fight for one slot, last answer`,
    unit: 'ms',
    async measure() {
      const [slot] = await openSlots(url, 1);
      const statuses: number[] = [];
      const took = await crowd(async () => void statuses.push(await send(pool, holdCall(slot!))));
      if (statuses.filter((status) => status === 201).length !== 1) throw new Error('not one hold');
      return took;
    },
  };
}

/** The same number of reads from the same number of clients. */
function crowdOfReads({ url }: RunningService): Probe {
  const pool = new Pool(url, { connections: contendersConnections });
  const call: Call = { method: 'GET', path: '/api/public/studio' };
  return {
    what: 'as many GET /studio',
    unit: 'ms',
    measure: () => crowd(async () => void (await send(pool, call))),
  };
}

async function crowd(one: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await Promise.all(Array.from({ length: contenders }, one));
  return performance.now() - began;
}

async function send(pool: Pool, call: Call): Promise<number> {
  const { statusCode, body } = await pool.request(call);
  await body.dump();
  return statusCode;
}
