import { accountInWords, isQuiet, worstOf, type MachineAccount } from './machine.js';
import { isNoisy, type Row } from './row.js';

/** The result of one measurement, with the circumstances that its figures depend on. */
export interface Result<Line> {
  /** When its run began: ISO 8601. */
  run: string;
  node: string;
  processors: number;
  loadGenerator: string;
  machine: MachineAccount;
  lines: Line[];
}

/** By the name of the measurement. */
export type Results<Line> = Record<string, Result<Line>>;

/** The rows of all measurements as a Markdown table, and what the machine says of each run. */
export function tableOfRows(results: Results<Row>): string {
  const lines = Object.values(results).flatMap((result) =>
    result.lines.map((row) => [
      row.what,
      row.ours,
      row.baseline,
      row.ratio?.toFixed(2) ?? '–',
      spreadInWords(row),
      row.aim,
      row.reached === null ? '' : row.reached ? 'reached' : 'missed',
      measuredOn(result),
    ]),
  );
  const head = ['what', 'ours', 'baseline', 'ratio', 'spread', 'aim', '', 'measured'];
  return `${markdownTable(head, lines)}\n\n${runsInWords(results)}`;
}

function spreadInWords({ ratio, spread }: Row): string {
  if (spread === undefined) return ratio === null ? '–' : 'once';
  const percent = `${(spread * 100).toFixed(0)} %`;
  return isNoisy({ spread }) ? `${percent}, noisy` : percent;
}

export function measuredOn({ run, machine }: Pick<Result<unknown>, 'run' | 'machine'>): string {
  const date = run.slice(0, 10);
  return isQuiet(machine) ? date : `${date}, not quiet`;
}

export function markdownTable(head: string[], lines: string[][]): string {
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** One sentence per run, the newest first. */
export function runsInWords(results: Results<unknown>): string {
  const runs = [...new Set(Object.values(results).map(({ run }) => run))].sort().reverse();
  return runs.map((run) => runInWords(run, results)).join('\n');
}

function runInWords(run: string, results: Results<unknown>): string {
  const ofRun = Object.entries(results).filter(([, result]) => result.run === run);
  const [, { node, processors, loadGenerator }] = ofRun[0]!;
  const names = ofRun.map(([name]) => name).join(', ');
  const account = accountInWords(worstOf(ofRun.map(([, { machine }]) => machine)));
  return `- Run of ${run.slice(0, 16).replace('T', ' ')} UTC (${names}): Node ${node}, ${processors} processors, load by ${loadGenerator}; ${account}.`;
}

/**
 * The kept results with the new ones in their places. A result that was measured while the machine
 * was not quiet replaces a kept one only if `force` is set; its name is `refused` otherwise.
 */
export function merge<Line>(
  kept: Results<Line>,
  measured: Results<Line>,
  { names, force }: { names: readonly string[]; force: boolean },
): { results: Results<Line>; refused: string[] } {
  const isAccepted = ({ machine }: Result<Line>) => force || isQuiet(machine);
  const results = Object.fromEntries(
    names.flatMap((name) => {
      const result = measured[name];
      const chosen = result !== undefined && isAccepted(result) ? result : kept[name];
      return chosen === undefined ? [] : [[name, chosen]];
    }),
  );
  const refused = Object.keys(measured).filter((name) => !isAccepted(measured[name]!));
  return { results, refused };
}

/** Replaces what stands between `<!-- name -->` and `<!-- end of name -->`. Throws without them. */
export function replaceSection(text: string, name: string, section: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no section ${name}`);
  return `${text.slice(0, from + start.length)}\n\n${section}\n\n${text.slice(to)}`;
}
