import t from 'tap';
import type { Cost } from '../../scripts/bench/costs/cost.js';
import { tableOfDemand } from '../../scripts/bench/demand.js';

function cost(what: string, service: number, out: number): Cost {
  return { what, service, postgres: 1_000, statements: 0, bytes: { in: 0, out }, spread: 0 };
}

void t.test(
  'demand is the costs times the load, and says when a core and a network are full',
  async (t) => {
    const table = tableOfDemand([
      cost('GET /availability, 31 days', 60, 3_000),
      cost('tools/call list_open_times, 31 days, 2025-11-25', 120, 6_000),
      cost('tools/call list_open_times, 31 days, 2026-07-28', 240, 12_000),
      cost('change, for each live viewer', 10, 6_000),
      cost('minute of a live viewer', 600, 600),
      cost('hold beyond the cap of pending holds', 3_600, 0),
    ]);
    const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    t.same(rows[0]?.slice(2, 7), ['today', '× 10', '× 100', '× 1,000', 'full at']);
    const amounts = rows.slice(2).map(([, , first, , , last]) => [first, last]);
    t.same(amounts, [
      ['0.0005', '0.5'],
      ['0.0015', '1.5'],
      ['0.001', '1'],
      ['0.00011', '0.11'],
      ['0.0031', '3.1'],
      ['0.00028', '0.28'],
      ['0.85', '850'],
      ['0.13', '130'],
    ]);
    t.match(table, /1 a process: \*\*× 320\*\*/);
    t.match(table, /1,000, a common network card: × 1,200/);
    t.throws(() => tableOfDemand([]), /there is no cost of GET \/availability/);
  },
);
