import { isNoisy, type Row } from './row.js';

/** The result of one measurement, with the circumstances that its figures depend on. */
export interface Result<Line> {
  /** When its run began: ISO 8601. */
  run: string;
  node: string;
  processors: number;
  loadGenerator: string;
  /** How long it took. */
  seconds: number;
  lines: Line[];
}

/** By the name of the measurement. */
export type Results<Line> = Record<string, Result<Line>>;

/** The head of the table of rows. */
export const headOfRows = ['what', 'ours', 'baseline', 'ratio', 'spread', 'aim', ''];

export function cellsOfRow({ what, ours, baseline, ratio, spread, aim, reached }: Row): string[] {
  const once = ratio === null ? '–' : 'once';
  return [
    what,
    ours,
    baseline,
    ratio?.toFixed(2) ?? '–',
    spread === undefined ? once : spreadInWords(spread),
    aim,
    reached === null ? '' : reached ? 'reached' : 'missed',
  ];
}

export function spreadInWords(spread: number): string {
  const percent = `${(spread * 100).toFixed(0)} %`;
  return isNoisy({ spread }) ? `${percent}, noisy` : percent;
}

/** The lines of all measurements as a Markdown table, and the circumstances of each run. */
export function tableOf<Line>(
  results: Results<Line>,
  head: string[],
  cells: (line: Line) => string[],
): string {
  const lines = Object.values(results).flatMap((result) =>
    result.lines.map((line) => [...cells(line), result.run.slice(0, 10)]),
  );
  return `${markdownTable([...head, 'measured'], lines)}\n\n${runsInWords(results)}`;
}

export function markdownTable(head: string[], lines: string[][]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => markdownRow(cells)).join('\n');
}

/** @param widths the least widths of the cells */
export function markdownRow(cells: string[], widths: readonly number[] = []): string {
  return `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
}

/** One sentence per run, the newest first. */
function runsInWords(results: Results<unknown>): string {
  const runs = [...new Set(Object.values(results).map(({ run }) => run))].sort().reverse();
  return runs.map((run) => runInWords(run, results)).join('\n');
}

function runInWords(run: string, results: Results<unknown>): string {
  const ofRun = Object.entries(results).filter(([, result]) => result.run === run);
  const [, { node, processors, loadGenerator }] = ofRun[0]!;
  const names = ofRun.map(([name]) => name).join(', ');
  return `- Run of ${run.slice(0, 16).replace('T', ' ')} UTC (${names}): Node ${node}, ${processors} processors, load by ${loadGenerator}.`;
}

/** The kept results with the new ones in their places. */
export function merge<Line>(
  kept: Results<Line>,
  measured: Results<Line>,
  names: readonly string[],
): Results<Line> {
  const all = { ...kept, ...measured };
  return Object.fromEntries(
    names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  );
}

/** Replaces what stands between `<!-- name -->` and `<!-- end of name -->`. Throws without them. */
export function replaceSection(text: string, name: string, section: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no section ${name}`);
  return `${text.slice(0, from + start.length)}\n\n${section}\n\n${text.slice(to)}`;
}
