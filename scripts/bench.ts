/**
 * `npm run bench [-- rows…]`: measures the service as a process of its own, from outside, against
 * baselines in the same run. Prints one table and writes it as JSON. Takes some minutes.
 */
import { writeFile } from 'node:fs/promises';
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
import type { Measurement, Row } from './bench/row.js';

const measurements: Record<string, Measurement> = {
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

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in measurements));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}; there are ${Object.keys(measurements).join(', ')}.`,
  );
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (named.length > 0 && !named.includes(name)) continue;
  rows.push(...(await measure((step) => progress(`${name}: ${step}`))));
}
progress('');
console.log(table(rows));
await writeFile(
  new URL('bench/last.json', import.meta.url),
  `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`,
);

/** One line that is written over, on a terminal; otherwise a line each. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}

function table(lines: Row[]): string {
  return [
    '| what | ours | baseline | ratio | aim | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines.map(
      (row) =>
        `| ${row.what} | ${row.ours} | ${row.baseline} | ${row.ratio?.toFixed(2) ?? '–'} | ${row.aim} | ${row.reached === null ? '' : row.reached ? 'reached' : 'missed'} |`,
    ),
  ].join('\n');
}
