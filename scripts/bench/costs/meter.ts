import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { RunningService } from '../processes.js';
import { processorSeconds, processorSecondsOfTree } from '../processor-time.js';
import { median, spreadOf } from '../row.js';

/** Loads the extension that counts the statements. */
export const countingSettings = { shared_preload_libraries: 'pg_stat_statements' };

const rounds = 3;
const idleSeconds = 10;
/** After which the work that a request has started is done, such as jobs and their records. */
const afterMs = 500;

/** What one unit of the service's work costs. */
export interface Cost extends Usage {
  what: string;
  /** From the client to the service, and back; null where nothing is sent. Without TLS. */
  bytes: { in: number; out: number } | null;
  /** Of the processor time; null for what is measured once, or costs too little to tell. */
  spread: number | null;
}

/** A running service, with what measures it. */
export interface Subject {
  service: RunningService;
  database: pg.Client;
  meter: Meter;
  step: (name: string) => void;
}

interface Usage {
  /** Processor time of the service, in microseconds. */
  service: number;
  /** Processor time of PostgreSQL, in microseconds. */
  postgres: number;
  /** Statements of PostgreSQL, BEGIN and COMMIT included. */
  statements: number;
}

export interface Meter {
  /** Per second, without any request. It is subtracted from all that `measure` returns. */
  idle: Usage;
  /**
   * `work` is done in several rounds and returns its number of units: the medians of a unit. The spread
   * is that of the processor time; null where most rounds cost no more than the idle process.
   */
  measure(work: () => Promise<number>): Promise<Usage & { spread: number | null }>;
}

/** @param servicePid the process whose processor time is the service's */
export async function createMeter(
  database: pg.Client,
  servicePid: number,
  postmaster: number,
): Promise<Meter> {
  await database.query('create extension if not exists pg_stat_statements');

  async function read(): Promise<Usage & { at: number }> {
    const { rows } = await database.query<{ calls: string }>(
      'select sum(calls) as calls from pg_stat_statements',
    );
    return {
      service: processorSeconds(servicePid) * 1e6,
      postgres: (await processorSecondsOfTree(postmaster)) * 1e6,
      statements: Number(rows[0]?.calls),
      at: performance.now(),
    };
  }

  async function usageOf(work: () => Promise<number>, idle: Usage): Promise<Usage> {
    const before = await read();
    const units = await work();
    await delay(afterMs);
    const after = await read();
    const seconds = (after.at - before.at) / 1000;
    // Below the idle process, which varies by itself, there is nothing to tell.
    const perUnit = (key: keyof Usage) =>
      Math.max(0, after[key] - before[key] - idle[key] * seconds) / units;
    return {
      service: perUnit('service'),
      postgres: perUnit('postgres'),
      statements: perUnit('statements'),
    };
  }

  const nothing = { service: 0, postgres: 0, statements: 0 };
  const idle = await usageOf(async () => {
    await delay(idleSeconds * 1000);
    return idleSeconds + afterMs / 1000;
  }, nothing);

  return {
    idle,
    async measure(work) {
      const usages: Usage[] = [];
      await work();
      for (let round = 0; round < rounds; round += 1) usages.push(await usageOf(work, idle));
      const medianOf = (key: keyof Usage) => median(usages.map((usage) => usage[key]));
      const times = usages.map(({ service, postgres }) => service + postgres);
      return {
        service: medianOf('service'),
        postgres: medianOf('postgres'),
        statements: medianOf('statements'),
        spread: median(times) === 0 ? null : spreadOf(times),
      };
    },
  };
}
