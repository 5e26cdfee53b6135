/** One row of the table of results; `what` says what is measured. */
export interface Row {
  what: string;
  /** With its unit. */
  ours: string;
  baseline: string;
  /** Ours divided by the baseline; null without a baseline. */
  ratio: number | null;
  aim: string;
  /** Null without an aim. */
  reached: boolean | null;
}

/** Measures one or more rows. `progress` receives the name of each step. */
export type Measurement = (progress: (step: string) => void) => Promise<Row[]>;

/** A repeatable measurement of a running service. */
export interface Probe {
  what: string;
  unit: 'requests/s' | 'deliveries/s' | 'ms' | 'µs';
  measure: () => Promise<number>;
}

/** Whether a higher value is better. */
export function isRate({ unit }: Probe): boolean {
  return unit.endsWith('/s');
}

export function inWords(value: number, unit: string): string {
  const digits = value < 10 && !unit.endsWith('/s') ? 1 : 0;
  return unit.endsWith('/s') ? `${value.toFixed(0)}/s` : `${value.toFixed(digits)} ${unit}`;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export interface Pairs {
  ours: number;
  baseline: number;
  /** Ours divided by the baseline. */
  ratio: number;
}

/**
 * Measures in alternating rounds, so that a drift of the machine's speed affects both alike. Returns
 * the median of each and the median of the ratios of the pairs.
 */
export async function measurePairs(
  rounds: number,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<Pairs> {
  const pairs: { ours: number; baseline: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ ours: await ours(), baseline: await baseline() });
  }
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    baseline: median(pairs.map((pair) => pair.baseline)),
    ratio: median(pairs.map((pair) => pair.ours / pair.baseline)),
  };
}
