/** The results that are kept: in `kept.json`, and from there in the documents. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatText } from '../format.js';
import { cellsOfCost, headOfCosts } from './costs.js';
import type { Cost } from './costs/meter.js';
import { tableOfDemand } from './demand.js';
import type { Row } from './row.js';
import { cellsOfRow, headOfRows, merge, replaceSection, tableOf, type Results } from './table.js';

export interface AllResults {
  rows: Results<Row>;
  costs: Results<Cost>;
}

/** The names of all measurements, in the order of the tables. */
type Order = Record<keyof AllResults, readonly string[]>;

export async function readKept(): Promise<AllResults> {
  return JSON.parse(await readFile(pathOf('kept.json'), 'utf8')) as AllResults;
}

/** Throws on a figure that is NaN. */
export async function keep(measured: AllResults, order: Order): Promise<void> {
  // JSON would make it null, which reads as "nothing to compare".
  JSON.stringify(measured, (name, value: unknown) => {
    if (Number.isNaN(value)) throw new Error(`${name} is not a number`);
    return value;
  });
  const kept = await readKept();
  const rows = merge(kept.rows, measured.rows, order.rows);
  const costs = merge(kept.costs, measured.costs, order.costs);
  // A line for each, so that a new figure changes one.
  const text = JSON.stringify({ rows, costs }).replaceAll('{"what"', '\n{"what"');
  await writeFile(pathOf('kept.json'), `${text}\n`);
  if (Object.keys(measured.rows).length > 0) {
    await writeSection('README.md', 'results', tableOf(rows, headOfRows, cellsOfRow));
  }
  if (Object.keys(measured.costs).length > 0) {
    await writeSection('growth.md', 'costs', tableOf(costs, headOfCosts, cellsOfCost));
    const lines = Object.values(costs).flatMap((result) => result.lines);
    await writeSection('growth.md', 'demand', tableOfDemand(lines));
  }
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
