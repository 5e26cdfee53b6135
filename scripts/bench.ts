/**
 * `npm run bench [-- measurements… --write]`: measures the service as a process of its own,
 * from outside, against baselines in the same run. Prints the tables and writes them as JSON.
 *
 *     --write  also keeps what was measured, in the documents
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { costs, tableOfCosts } from './bench/costs.js';
import type { Cost } from './bench/costs/cost.js';
import { keep } from './bench/kept.js';
import { loadGenerator } from './bench/load.js';
import type { Measurement } from './bench/row.js';
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
  options: { write: { type: 'boolean', default: false } },
});
const names = [...Object.keys(comparisons), ...Object.keys(ofCosts)];
const unknown = named.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  process.exit(2);
}

const run = new Date().toISOString();
const failed: string[] = [];
const measured = { rows: await measureAll(comparisons), costs: await measureAll(ofCosts) };
progress('');
if (Object.keys(measured.rows).length > 0) console.log(tableOfRows(measured.rows));
if (Object.keys(measured.costs).length > 0) console.log(tableOfCosts(measured.costs));
await writeFile(
  new URL('bench/last.json', import.meta.url),
  `${JSON.stringify(measured, null, 2)}\n`,
);
if (options.write) {
  await keep(measured, { rows: Object.keys(comparisons), costs: Object.keys(ofCosts) });
}
process.exit(failed.length > 0 ? 1 : 0);

/** A failure is reported, and ends only its own measurement. */
async function measureAll<Line>(
  measurements: Record<string, Measurement<Line>>,
): Promise<Results<Line>> {
  const circumstances = {
    run,
    node: process.version,
    processors: availableParallelism(),
    loadGenerator,
  };
  const results: Results<Line> = {};
  for (const [name, measure] of Object.entries(measurements)) {
    if (named.length > 0 && !named.includes(name)) continue;
    try {
      const lines = await measure((step) => progress(`${name}: ${step}`));
      results[name] = { ...circumstances, lines };
    } catch (error) {
      failed.push(name);
      console.error(`${name} failed:`, error);
    }
  }
  return results;
}

/** One line that is written over, on a terminal; otherwise a line each. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}
