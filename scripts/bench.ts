/**
 * `npm run bench [-- measurements… --write]`: measures the service as a process of its own,
 * from outside, against baselines in the same run. Prints each line when it is measured, with the
 * time left, and writes it to `bench/last.json`. A run that is stopped keeps what it has.
 *
 *     --write  also keeps each measurement in the documents, once it is whole
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { parseArgs } from 'node:util';
import { cellsOfCost, costs, headOfCosts } from './bench/costs.js';
import { keep, readKept, type AllResults } from './bench/kept.js';
import { loadGenerator } from './bench/load.js';
import { endAll } from './bench/processes.js';
import type { Measurement } from './bench/row.js';
import { expiry } from './bench/rows/expiry.js';
import { history } from './bench/rows/history.js';
import { contention, holds } from './bench/rows/holds.js';
import { mail } from './bench/rows/mail.js';
import { memory } from './bench/rows/memory.js';
import { reads } from './bench/rows/reads.js';
import { sizes } from './bench/rows/sizes.js';
import { start } from './bench/rows/start.js';
import { stream } from './bench/rows/stream.js';
import { connector, tools } from './bench/rows/tools.js';
import { traces } from './bench/rows/traces.js';
import { webhooks } from './bench/rows/webhooks.js';
import { cellsOfRow, headOfRows, markdownRow, type Results } from './bench/table.js';

const comparisons = {
  reads,
  holds,
  contention,
  tools,
  connector,
  stream,
  webhooks,
  mail,
  expiry,
  sizes,
  start,
  memory,
  history,
  traces,
};
const order = { rows: Object.keys(comparisons), costs: ['costs'] };
const names = [...order.rows, ...order.costs];

const { positionals: named, values: options } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const unknown = named.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  process.exit(2);
}

const circumstances = {
  run: new Date().toISOString(),
  node: process.version,
  processors: availableParallelism(),
  loadGenerator,
};
const kept = await readKept();
const left = names.filter((name) => named.length === 0 || named.includes(name));
const measured: AllResults = { rows: {}, costs: {} };
const failed: string[] = [];
let began = performance.now();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(signal));

await measureAll(comparisons, 'rows', headOfRows, cellsOfRow, [74, 27, 32, 5, 11, 17, 7]);
await measureAll({ costs }, 'costs', headOfCosts, cellsOfCost, [47, 8, 10, 10, 8, 9, 11]);
if (!isStopped) process.exit(failed.length > 0 ? 1 : 0);

/** A failure is reported, and ends only its own measurement. */
async function measureAll<Line>(
  measurements: Record<string, Measurement<Line>>,
  kind: keyof AllResults,
  head: string[],
  cells: (line: Line) => string[],
  widths: number[],
): Promise<void> {
  const print = (texts: string[], end: string) => {
    progress('');
    console.log(`${markdownRow(texts, widths)} ${end}`);
  };
  const chosen = Object.entries(measurements).filter(([name]) => left.includes(name));
  if (chosen.length > 0 && !isStopped) print(head, 'left |');
  for (const [name, measure] of chosen) {
    if (isStopped) return;
    began = performance.now();
    const result = { ...circumstances, seconds: 0, lines: [] as Line[] };
    (measured[kind] as Results<Line>)[name] = result;
    try {
      await measure({
        step: (text) => progress(`${name}: ${text} (${timeLeft()} left)`),
        line(line) {
          result.lines.push(line);
          result.seconds = Math.round((performance.now() - began) / 1000);
          print(cells(line), `${timeLeft()} |`);
          const text = JSON.stringify(measured, null, 2);
          writeFileSync(new URL('bench/last.json', import.meta.url), `${text}\n`);
        },
      });
      await endAll();
      if (options.write) await keep({ rows: {}, costs: {}, [kind]: { [name]: result } }, order);
    } catch (error) {
      if (isStopped) return;
      failed.push(name);
      console.error(`${name} failed:`, error);
      await endAll();
    }
    left.shift();
  }
}

/** From the kept durations: a minute for what has none. */
function timeLeft(): string {
  const [current = 0, ...coming] = left.map(
    (name) => (kept.rows[name] ?? kept.costs[name])?.seconds ?? 60,
  );
  const rest = Math.max(current - (performance.now() - began) / 1000, 0);
  const seconds = coming.reduce((sum, each) => sum + each, rest);
  return `${Math.ceil(seconds / 60)} min`;
}

/** Ends what was started. What is measured is written already. */
async function stop(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  isStopped = true;
  progress('');
  console.error(
    `Stopped. The lines above are in ${new URL('bench/last.json', import.meta.url).pathname}.`,
  );
  await endAll();
  process.exit(128 + constants.signals[signal]);
}

/** One line that is written over, on a terminal; otherwise a line each. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}
