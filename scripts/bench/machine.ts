import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { ticksPerSecond } from '../processor-time.js';
import { processorSecondsOfTree } from './probes/processor-time.js';
import { median } from './row.js';

/** What the machine says of a measurement. Shares are of the time of all processors. */
export interface MachineAccount {
  /** Of processes outside the bench; null where there is no /proc. */
  others: number | null;
  /** Of other machines on the same host; null where there is no /proc. */
  stolen: number | null;
  /** How much longer the yardstick took beside the measurement than at its best in the run. */
  slowdown: number;
}

/** What a quiet machine stays below. */
const quiet = { others: 0.05, stolen: 0.02, slowdown: 0.1 };

export function isQuiet({ others, stolen, slowdown }: MachineAccount): boolean {
  return (
    (others ?? 0) <= quiet.others && (stolen ?? 0) <= quiet.stolen && slowdown <= quiet.slowdown
  );
}

/** The worst figures of several measurements. */
export function worstOf(accounts: readonly MachineAccount[]): MachineAccount {
  const worst = (figures: (number | null)[]): number | null =>
    figures.includes(null) ? null : Math.max(...figures.map(Number));
  return {
    others: worst(accounts.map(({ others }) => others)),
    stolen: worst(accounts.map(({ stolen }) => stolen)),
    slowdown: Math.max(...accounts.map(({ slowdown }) => slowdown)),
  };
}

export function accountInWords(account: MachineAccount): string {
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const { others, stolen, slowdown } = account;
  const taken =
    others === null || stolen === null
      ? 'what other processes took cannot be told without /proc'
      : `other processes took ${percent(others)} of the processors, ${percent(stolen)} were stolen`;
  const verdict = isQuiet(account) ? 'quiet' : 'not quiet';
  return `${verdict} by its own account (${taken}, the yardstick varied by ${percent(slowdown)})`;
}

/** The state of the machine at one moment. */
export interface MachineSample {
  /** In seconds since the machine's start, over all processors; null without /proc. */
  processors: ProcessorSeconds | null;
  /** What this process and its descendants have used, in seconds. */
  own: number;
  yardstickMs: number;
}

interface ProcessorSeconds {
  total: number;
  /** Spent in processes, as opposed to interrupts, which the bench's own traffic causes. */
  busy: number;
  stolen: number;
}

export async function sampleMachine(): Promise<MachineSample> {
  const yardstickMs = measureYardstick();
  const stat = await readFile('/proc/stat', 'utf8').catch(() => null);
  return {
    processors: stat === null ? null : parseProcessorSeconds(stat),
    own: await processorSecondsOfTree(process.pid),
    yardstickMs,
  };
}

/** See proc_stat(5). Null where the kernel counts nothing, as in some sandboxes. */
export function parseProcessorSeconds(stat: string): ProcessorSeconds | null {
  const ticks = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '').split(' ').map(Number);
  // The last two of the ten fields are contained in the first two.
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] = ticks;
  const busy = user + nice + system;
  const total = busy + idle + wait + irq + soft + stolen;
  if (total === 0) return null;
  return {
    total: total / ticksPerSecond,
    busy: busy / ticksPerSecond,
    stolen: stolen / ticksPerSecond,
  };
}

/** @param bestYardstickMs of the whole run */
export function accountBetween(
  before: MachineSample,
  after: MachineSample,
  bestYardstickMs: number,
): MachineAccount {
  const slowdown = Math.max(before.yardstickMs, after.yardstickMs) / bestYardstickMs - 1;
  if (before.processors === null || after.processors === null) {
    return { others: null, stolen: null, slowdown };
  }
  const total = after.processors.total - before.processors.total;
  const busy = after.processors.busy - before.processors.busy;
  return {
    others: Math.max(0, busy - (after.own - before.own)) / total,
    stolen: (after.processors.stolen - before.processors.stolen) / total,
    slowdown,
  };
}

/** Milliseconds of a fixed amount of processor work, some 50: the median of five. */
function measureYardstick(): number {
  const times = Array.from({ length: 6 }, () => {
    const began = performance.now();
    spin(yardstickSteps);
    return performance.now() - began;
  });
  // The first one may be compiled while it runs.
  return median(times.slice(1));
}

const yardstickSteps = 45_000_000;

function spin(steps: number): number {
  let value = 1;
  for (let step = 0; step < steps; step += 1) value = (Math.imul(value, 1_664_525) + step) | 0;
  return value;
}

export const processorCount = availableParallelism();
