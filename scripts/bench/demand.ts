/** What is demanded at one, ten, a hundred and a thousand times today's load, from the costs. */
import type { Cost } from './costs/meter.js';
import { markdownTable } from './table.js';

/** As growth.md assumes, per second; `viewers` at one time. The calendar does not grow with agents. */
const today = { reads: 1_000 / 120, calls: 1_000 / 120, attempts: 1_000 / 3_600, viewers: 10 };
const changesPerSecond = 0.1;
const loads = [1, 10, 100, 1_000];

/** Of the row `stream` of the results. */
const viewerBytes = 13_000;
const networkMbits = 1_000;

/** Throws if there is no cost of that name. */
export function tableOfDemand(costs: readonly Cost[]): string {
  const named = (start: string): Cost => {
    const cost = costs.find(({ what }) => what.startsWith(start));
    if (cost === undefined) throw new Error(`there is no cost of ${start}`);
    return cost;
  };
  const read = named('GET /availability, 31 days');
  const calls = [
    named('tools/call list_open_times, 31 days, 2025'),
    named('tools/call list_open_times, 31 days, 2026'),
  ];
  const attempt = named('hold beyond the cap');
  const [minute, change] = [
    named('minute of a live viewer'),
    named('change, for each live viewer'),
  ];
  const bytesOf = ({ bytes }: Cost) => bytes?.out ?? 0;
  /** Per second, of one viewer. */
  const perViewer = (of: (cost: Cost) => number) => of(minute) / 60 + changesPerSecond * of(change);

  const cores = {
    reads: (today.reads * read.service) / 1e6,
    calls: (today.calls * mean(calls.map(({ service }) => service))) / 1e6,
    attempts: (today.attempts * attempt.service) / 1e6,
    viewers: (today.viewers * perViewer(({ service }) => service)) / 1e6,
  };
  const together = cores.reads + cores.calls + cores.attempts + cores.viewers;
  const megabits =
    (8 / 1e6) *
    (today.reads * bytesOf(read) +
      today.calls * mean(calls.map(bytesOf)) +
      today.attempts * bytesOf(attempt) +
      today.viewers * perViewer(bytesOf));

  const row = (what: string, amount: number, full = '') => [
    what,
    ...loads.map((load) => inDigits(load * amount)),
    full,
  ];
  return markdownTable(
    ['', 'today', ...loads.slice(1).map((load) => `× ${inDigits(load)}`), 'full at'],
    [
      row('reads by REST, cores of the service', cores.reads),
      row('tool calls', cores.calls),
      row('attempts to hold, all beyond the cap', cores.attempts),
      row('live viewers', cores.viewers, `${inDigits(10_000)} a process (\`MAX_STREAMS\`)`),
      row(
        "**the service's cores, together**",
        together,
        `1 a process: **× ${inDigits(1 / together)}**`,
      ),
      row('cores of PostgreSQL for these attempts', (today.attempts * attempt.postgres) / 1e6),
      row(
        'Mbit/s sent',
        megabits,
        `${inDigits(networkMbits)}, a common network card: × ${inDigits(networkMbits / megabits)}`,
      ),
      row('MB of memory of live viewers', (today.viewers * viewerBytes) / 1e6),
    ],
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function inDigits(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 2 });
}
