import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { formatText } from '../format.js';
import type { Count } from './traffic.js';

/** How a client fared at a task: `impossible` where its interface has no means for it. */
export interface Cell {
  client: string;
  task: string;
  outcome: Count | { failure: string } | 'impossible';
}

/** The table in Markdown, with a line below it for each failure. */
export function tableOf(cells: Cell[]): string {
  const tasks = [...new Set(cells.map(({ task }) => task))];
  const clients = [...new Set(cells.map(({ client }) => client))];
  const row = (texts: string[]) => `| ${texts.join(' | ')} |`;
  const lines = [
    row(['client', ...tasks]),
    row(['---', ...tasks.map(() => '---')]),
    ...clients.map((client) =>
      row([client, ...cells.filter((cell) => cell.client === client).map(textOf)]),
    ),
  ];
  const failures = cells.flatMap(({ client, task, outcome }) =>
    typeof outcome === 'object' && 'failure' in outcome
      ? [`- ${client}, ${task}: ${outcome.failure}`]
      : [],
  );
  return [...lines, ...(failures.length > 0 ? ['', ...failures] : [])].join('\n');
}

function textOf({ outcome }: Cell): string {
  if (outcome === 'impossible') return '–';
  return 'failure' in outcome ? '✗' : `✓ ${outcome.calls} + ${outcome.preparations}`;
}

const readme = join(packageRoot(), 'scripts/agents/README.md');
const keptTable = /(?<=<!-- table -->\n\n)[^]*?(?=\n\n<!-- end of the table -->)/u;

/** The README as it is, and as it is with this table. */
export async function readmeWith(table: string): Promise<{ kept: string; next: string }> {
  const kept = await readFile(readme, 'utf8');
  return { kept, next: await formatText(readme, kept.replace(keptTable, table)) };
}

export async function writeTable(table: string): Promise<void> {
  await writeFile(readme, (await readmeWith(table)).next);
}
