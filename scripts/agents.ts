import { installTools } from '../test/support/tools.js';
import { clients, runAgents } from './agents/run.js';
import { tableOf, writeTable } from './agents/table.js';
import { tasks } from './agents/tasks.js';
/**
 * `npm run agents [-- --write] [-- clients… tasks…]`: lets third-party clients book, each from the base address of the service alone, and prints whether they succeed and with how
 * many calls. `--write` keeps the table in agents/README.md. Exits with 1 if one does not succeed.
 */
import { startProcess } from './bench/processes.js';

const args = process.argv.slice(2);
const write = args.includes('--write');
const named = args.filter((arg) => arg !== '--write');
const known = [...Object.keys(clients), ...tasks.map(({ name }) => name)];
const unknown = named.filter((name) => !known.includes(name));
if (unknown.length > 0 || (write && named.length > 0)) {
  const problem = unknown.length > 0 ? `There is no ${unknown.join(', ')}.` : 'A part is not kept.';
  console.error(`${problem} There are ${known.join(', ')}.`);
  process.exit(2);
}

installTools();
const progress = (step: string) => process.stderr.write(`${step}\n`);
const cells = await runAgents({ startService: startProcess, named, progress });
const table = tableOf(cells);
console.log(table);
if (write) await writeTable(table);
const failed = cells.some(({ outcome }) => typeof outcome === 'object' && 'failure' in outcome);
process.exitCode = failed ? 1 : 0;
