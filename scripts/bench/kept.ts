/** The results that are kept: in `kept.json`, and from there in the documents. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatText } from '../format.js';
import { tableOfCosts } from './costs.js';
import type { Cost } from './costs/cost.js';
import { tableOfDemand } from './demand.js';
import type { Row } from './row.js';
import { merge, replaceSection, tableOfRows, type Results } from './table.js';

interface AllResults {
  rows: Results<Row>;
  costs: Results<Cost>;
}

/** The names of all measurements, in the order of the tables. */
type Order = Record<keyof AllResults, readonly string[]>;

/** Returns the names of the measurements that were refused, see `merge`. Throws on a figure that is NaN. */
export async function keep(measured: AllResults, order: Order, force: boolean): Promise<string[]> {
  // JSON would make it null, which reads as "nothing to compare".
  JSON.stringify(measured, (name, value: unknown) => {
    if (Number.isNaN(value)) throw new Error(`${name} is not a number`);
    return value;
  });
  const kept = JSON.parse(await readFile(pathOf('kept.json'), 'utf8')) as AllResults;
  const rows = merge(kept.rows, measured.rows, { names: order.rows, force });
  const costs = merge(kept.costs, measured.costs, { names: order.costs, force });
  await writeFormatted('kept.json', JSON.stringify({ rows: rows.results, costs: costs.results }));
  if (Object.keys(measured.rows).length > 0) {
    await writeSection('README.md', 'results', tableOfRows(rows.results));
  }
  if (Object.keys(measured.costs).length > 0) {
    await writeSection('growth.md', 'costs', tableOfCosts(costs.results));
    const lines = Object.values(costs.results).flatMap((result) => result.lines);
    await writeSection('growth.md', 'demand', tableOfDemand(lines));
  }
  return [...rows.refused, ...costs.refused];
}

async function writeSection(name: string, section: string, text: string): Promise<void> {
  await writeFormatted(name, replaceSection(await readFile(pathOf(name), 'utf8'), section, text));
}

async function writeFormatted(name: string, text: string): Promise<void> {
  const filepath = pathOf(name);
  await writeFile(filepath, await formatText(filepath, text));
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
