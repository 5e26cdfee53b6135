import { Pool } from 'undici';
import { withDatabase } from '../database.js';
import type { RunningService } from '../processes.js';
import type { Probe } from '../row.js';
import { holdBody, openSlots, type Slot } from '../slots.js';

export const clients = 16;
export const holdsPerRound = 800;
const contenders = 1_000;
const contendersConnections = 64;

interface ClosableProbe extends Probe {
  close: () => Promise<void>;
}

/** Holds per second on distinct slots, which are freed between rounds. */
export async function holdProbe(service: RunningService): Promise<ClosableProbe> {
  const slots = await openSlots(service.url, holdsPerRound);
  const pool = new Pool(service.url, { connections: clients });
  return {
    what: `POST /holds on distinct slots, ${clients} clients`,
    unit: 'requests/s',
    async measure() {
      await releaseAll(service, slots);
      return holdAll(pool, slots, clients);
    },
    async close() {
      await releaseAll(service, slots);
      await pool.close();
    },
  };
}

/** Holds each slot once from concurrent clients. Returns holds per second. */
export async function holdAll(pool: Pool, slots: Slot[], clients: number): Promise<number> {
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < slots.length) {
        const status = await post(pool, '/api/public/holds', holdBody(slots[next++]!));
        if (status !== 201) throw new Error(`a hold was answered with ${status}`);
      }
    }),
  );
  return slots.length / ((performance.now() - began) / 1000);
}

/** Frees the slots in the database, and waits until the board shows it. */
async function releaseAll(service: RunningService, slots: Slot[]): Promise<void> {
  await withDatabase(service, (database) =>
    database.query(`
      with gone as (
        update bookings set status = 'cancelled', cancelled_at = booking_now()
        where status = 'pending' returning 1
      )
      insert into events (type, occurred_at, data)
      select 'calendar.changed', booking_now(), '{}' from (select count(*) from gone) as once`),
  );
  const isFree = async (): Promise<boolean> => {
    const open = await openSlots(service.url, slots.length).catch(() => []);
    return open.length === slots.length && JSON.stringify(open) === JSON.stringify(slots);
  };
  while (!(await isFree())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Milliseconds until the last of many concurrent requests for one slot is answered. */
export async function contentionProbe({ url }: RunningService): Promise<ClosableProbe> {
  const pool = new Pool(url, { connections: contendersConnections });
  return {
    what: `${contenders} clients fight for one slot, last answer`,
    unit: 'ms',
    async measure() {
      const [slot] = await openSlots(url, 1);
      const body = holdBody(slot!);
      const statuses: number[] = [];
      const took = await crowd(async () => {
        statuses.push(await post(pool, '/api/public/holds', body));
      });
      if (statuses.filter((status) => status === 201).length !== 1) throw new Error('not one hold');
      return took;
    },
    close: () => pool.close(),
  };
}

/** The same number of reads from the same number of clients. */
export function crowdOfReads({ url }: RunningService): ClosableProbe {
  const pool = new Pool(url, { connections: contendersConnections });
  return {
    what: 'as many GET /studio',
    unit: 'ms',
    measure: () =>
      crowd(async () => {
        const { body } = await pool.request({ path: '/api/public/studio', method: 'GET' });
        await body.dump();
      }),
    close: () => pool.close(),
  };
}

async function crowd(one: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await Promise.all(Array.from({ length: contenders }, one));
  return performance.now() - began;
}

export async function post(pool: Pool, path: string, body: string): Promise<number> {
  const { statusCode, body: answer } = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await answer.dump();
  return statusCode;
}
