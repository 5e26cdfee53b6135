/** One line of the table: what was measured, against what, and what we aim at. */
export interface Row {
  what: string;
  /** In words, with the unit. */
  ours: string;
  baseline: string;
  /** Of ours to the baseline, in the sense of the aim; null where there is no baseline. */
  ratio: number | null;
  aim: string;
  /** null where nothing is aimed at. */
  reached: boolean | null;
}

/** Measures one or more lines. `progress` tells what is being done. */
export type Measurement = (progress: (step: string) => void) => Promise<Row[]>;

/** One figure of a running service that can be read again and again. */
export interface Probe {
  what: string;
  unit: 'requests/s' | 'deliveries/s' | 'ms' | 'µs';
  measure: () => Promise<number>;
}

/** Times and costs are better when they are less. */
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
  /** Of ours to the baseline. */
  ratio: number;
}

/**
 * Measures two things in alternating rounds, so that a machine whose speed drifts treats both alike,
 * and gives the median of each and the median of the ratios, pair by pair.
 */
export async function inPairs(
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
