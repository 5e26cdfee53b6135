/** One row of the table of results; `what` says what is measured. */
export interface Row {
  what: string;
  /** With its unit. */
  ours: string;
  baseline: string;
  /** Ours divided by the baseline; null without a baseline. */
  ratio: number | null;
  /** Of the rounds' ratios, see `spreadOf`; missing where nothing is measured in rounds. */
  spread?: number;
  aim: string;
  /** Null without an aim. */
  reached: boolean | null;
}

/** Receives what a measurement finds. */
export interface Report<Line> {
  /** The name of what begins now. */
  step: (name: string) => void;
  /** A line of the table, as soon as it is measured. */
  line: (line: Line) => void;
}

/** Measures lines of a table. What it has started is ended by its caller. */
export type Measurement<Line = Row> = (report: Report<Line>) => Promise<void>;

/** A repeatable measurement of a running service. */
export interface Probe {
  what: string;
  unit: 'requests/s' | 'deliveries/s' | 'ms' | 'µs';
  measure: () => Promise<number>;
}

export function inWords(value: number, unit: string): string {
  const digits = value < 10 && !unit.endsWith('/s') ? 1 : 0;
  return unit.endsWith('/s') ? `${value.toFixed(0)}/s` : `${value.toFixed(digits)} ${unit}`;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** The medians of measurements in rounds. */
export interface Pairs {
  ours: number;
  baseline: number;
  /** Ours divided by the baseline, in each round. */
  ratio: number;
  /** Of these ratios. */
  spread: number;
}

/** The row of a comparison; `aim` is the least or the most that the ratio should be. */
export function comparedRow(
  what: string,
  unit: string,
  against: string,
  { ours, baseline, ratio, spread }: Pairs,
  aim: { least: number } | { most: number },
): Row {
  return {
    what,
    ours: inWords(ours, unit),
    baseline: `${inWords(baseline, unit)}, ${against}`,
    ratio,
    spread,
    aim: 'least' in aim ? `≥ ${Number(aim.least.toFixed(2))}` : `≤ ${aim.most}`,
    reached: 'least' in aim ? ratio >= aim.least : ratio <= aim.most,
  };
}

/** The baseline divided by ours, so that more is better for times too. */
export function inverted(pairs: Pairs): Pairs {
  return { ...pairs, ratio: 1 / pairs.ratio };
}

/** The row of a figure that has no baseline. */
export function plainRow(
  what: string,
  ours: string,
  aim = '–',
  reached: boolean | null = null,
): Row {
  return { what, ours, baseline: '–', ratio: null, aim, reached };
}

/** The row of the median of values that are measured without a baseline; `most` is the aim. */
export function roundsRow(what: string, values: number[], unit: string, most: number): Row {
  const value = median(values);
  const row = plainRow(what, inWords(value, unit), `≤ ${most} ${unit}`, value <= most);
  return { ...row, spread: spreadOf(values) };
}

/** The spread above which a measurement is repeated, and its row marked if it stays so. */
const noisySpread = 0.2;

export function isNoisy({ spread }: { spread?: number }): boolean {
  return spread !== undefined && !(spread <= noisySpread);
}

/**
 * The interquartile range divided by the median: how wide the middle half of the values is. One
 * round out of five that was disturbed does not change it much.
 */
export function spreadOf(values: number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}

/** Interpolates linearly between the two nearest values. */
function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (above - below) * (place % 1);
}

/** Compares the values of the same rounds. */
export function comparePairs(ours: number[], baseline: number[]): Pairs {
  const ratios = ours.map((value, round) => value / baseline[round]!);
  return {
    ours: median(ours),
    baseline: median(baseline),
    ratio: median(ratios),
    spread: spreadOf(ratios),
  };
}

/** `measureComparisons` of two subjects that have one figure each. */
export async function measurePairs(
  rounds: number,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<Pairs> {
  const compare = ([mine, theirs]: number[][]) => [comparePairs(mine!, theirs!)];
  const [pairs] = await measureComparisons(rounds, [ours, baseline], compare);
  return pairs!;
}

/**
 * Measures the subjects in rounds, so that a drift of the machine's speed affects all alike, and
 * once more if the spread of a comparison is above a fifth. Of the two measurements of a comparison
 * the one with the smaller spread is kept: that choice does not look at the ratio, so it favors
 * neither subject.
 *
 * @param compare receives the values by subject, then by round
 */
export async function measureComparisons<Value>(
  rounds: number,
  subjects: (() => Promise<Value>)[],
  compare: (values: Value[][]) => Pairs[],
): Promise<Pairs[]> {
  const first = compare(await measureInRounds(rounds, subjects));
  if (!first.some(isNoisy)) return first;
  const second = compare(await measureInRounds(rounds, subjects));
  return first.map((pairs, index) => {
    const again = second[index]!;
    return again.spread < pairs.spread ? again : pairs;
  });
}

/**
 * Returns the values by subject, then by round. Every second round has the opposite order, so that
 * no subject is always the first.
 */
export async function measureInRounds<Value>(
  rounds: number,
  subjects: (() => Promise<Value>)[],
): Promise<Value[][]> {
  const values: Value[][] = subjects.map(() => []);
  const order = [...subjects.entries()];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, measure] of order) values[index]!.push(await measure());
    order.reverse();
  }
  return values;
}
