/**
 * `npm run bench [-- measurements… --write --force]`: measures the service as a process of its own,
 * from outside, against baselines in the same run. Prints the tables and writes them as JSON.
 *
 *     --write  also keeps what was measured while the machine was quiet, in the documents
 *     --force  with --write: keeps the rest as well, marked
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { costs, tableOfCosts } from './bench/costs.js';
import type { Cost } from './bench/costs/cost.js';
import { keep } from './bench/kept.js';
import { loadGenerator } from './bench/load.js';
import {
  accountBetween,
  processorCount,
  sampleMachine,
  type MachineSample,
} from './bench/machine.js';
import type { Measurement } from './bench/row.js';
import { access } from './bench/rows/access.js';
import { expiry } from './bench/rows/expiry.js';
import { history } from './bench/rows/history.js';
import { contention, holds } from './bench/rows/holds.js';
import { mail } from './bench/rows/mail.js';
import { memory } from './bench/rows/memory.js';
import { reads } from './bench/rows/reads.js';
import { roles } from './bench/rows/roles.js';
import { sizes } from './bench/rows/sizes.js';
import { start } from './bench/rows/start.js';
import { stream } from './bench/rows/stream.js';
import { tools } from './bench/rows/tools.js';
import { traces } from './bench/rows/traces.js';
import { webhooks } from './bench/rows/webhooks.js';
import { tableOfRows, type Results } from './bench/table.js';

const comparisons: Record<string, Measurement> = {
  reads,
  access,
  holds,
  contention,
  tools,
  stream,
  webhooks,
  mail,
  expiry,
  sizes,
  start,
  memory,
  roles,
  history,
  traces,
};
const ofCosts: Record<string, Measurement<Cost>> = { costs };

const { positionals: named, values: options } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, force: { type: 'boolean' } },
});
const names = [...Object.keys(comparisons), ...Object.keys(ofCosts)];
const unknown = named.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  process.exit(2);
}

const run = new Date().toISOString();
const failed: string[] = [];
let sample = await sampleMachine();
let bestYardstickMs = sample.yardstickMs;
const rows = await measureAll(comparisons);
const costLines = await measureAll(ofCosts);
const measured = { rows: withAccounts(rows), costs: withAccounts(costLines) };
progress('');
if (rows.length > 0) console.log(tableOfRows(measured.rows));
if (costLines.length > 0) console.log(tableOfCosts(measured.costs));
await writeFile(
  new URL('bench/last.json', import.meta.url),
  `${JSON.stringify(measured, null, 2)}\n`,
);
if (options.write) {
  const order = { rows: Object.keys(comparisons), costs: Object.keys(ofCosts) };
  const refused = await keep(measured, order, options.force ?? false);
  if (refused.length > 0) {
    failed.push(...refused);
    console.error(
      `Not kept, since the machine was not quiet: ${refused.join(', ')}. Measure them again, or keep them with --force.`,
    );
  }
}
process.exit(failed.length > 0 ? 1 : 0);

interface Measured<Line> {
  name: string;
  lines: Line[];
  before: MachineSample;
  after: MachineSample;
}

/** A failure is reported, and ends only its own measurement. */
async function measureAll<Line>(
  measurements: Record<string, Measurement<Line>>,
): Promise<Measured<Line>[]> {
  const all: Measured<Line>[] = [];
  for (const [name, measure] of Object.entries(measurements)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const before = sample;
    let lines: Line[] | null = null;
    try {
      lines = await measure((step) => progress(`${name}: ${step}`));
    } catch (error) {
      failed.push(name);
      console.error(`${name} failed:`, error);
    }
    sample = await sampleMachine();
    bestYardstickMs = Math.min(bestYardstickMs, sample.yardstickMs);
    if (lines !== null) all.push({ name, lines, before, after: sample });
  }
  return all;
}

/** The yardstick's best time is known at the end of the run. */
function withAccounts<Line>(all: Measured<Line>[]): Results<Line> {
  return Object.fromEntries(
    all.map(({ name, lines, before, after }) => {
      const machine = accountBetween(before, after, bestYardstickMs);
      const { version: node } = process;
      return [name, { run, node, processors: processorCount, loadGenerator, machine, lines }];
    }),
  );
}

/** One line that is written over, on a terminal; otherwise a line each. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}
