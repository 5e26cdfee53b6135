import t from 'tap';
import type { Row } from '../../scripts/bench/row.js';
import { merge, replaceSection, tableOfRows, type Result } from '../../scripts/bench/table.js';

const quiet = { others: 0.01, stolen: 0, slowdown: 0.04 };
const busy = { others: 0.5, stolen: 0, slowdown: 0.3 };

function row(what: string, rest: Partial<Row> = {}): Row {
  return { what, ours: '1 ms', baseline: '–', ratio: null, aim: '–', reached: null, ...rest };
}

function result(run: string, machine: typeof quiet, lines: Row[]): Result<Row> {
  return { run, node: 'v20.19.0', processors: 2, loadGenerator: 'wrk', machine, lines };
}

void t.test(
  'the table shows the spread, what is noisy, and when the machine was not quiet',
  async (t) => {
    const compared = { baseline: '2 ms, bare', ratio: 0.5 };
    const results = {
      reads: result('2026-11-24T08:15:00.000Z', quiet, [
        row('calm', { ...compared, spread: 0.2, aim: '≥ 0.4', reached: true }),
        row('noisy', { ...compared, spread: 0.314, aim: '≥ 0.6', reached: false }),
      ]),
      memory: result('2026-11-23T07:00:00.000Z', busy, [row('grown', compared), row('idle')]),
    };
    t.equal(
      tableOfRows(results),
      `| what | ours | baseline | ratio | spread | aim |  | measured |
| --- | --- | --- | --- | --- | --- | --- | --- |
| calm | 1 ms | 2 ms, bare | 0.50 | 20 % | ≥ 0.4 | reached | 2026-11-24 |
| noisy | 1 ms | 2 ms, bare | 0.50 | 31 %, noisy | ≥ 0.6 | missed | 2026-11-24 |
| grown | 1 ms | 2 ms, bare | 0.50 | once | – |  | 2026-11-23, not quiet |
| idle | 1 ms | – | – | – | – |  | 2026-11-23, not quiet |

- Run of 2026-11-24 08:15 UTC (reads): Node v20.19.0, 2 processors, load by wrk; quiet by its own account (other processes took 1 % of the processors, 0 % were stolen, the yardstick varied by 4 %).
- Run of 2026-11-23 07:00 UTC (memory): Node v20.19.0, 2 processors, load by wrk; not quiet by its own account (other processes took 50 % of the processors, 0 % were stolen, the yardstick varied by 30 %).`,
    );
  },
);

void t.test('a run of some measurements replaces only theirs, in the order of all', async (t) => {
  const names = ['reads', 'tools', 'memory'];
  const kept = {
    memory: result('2026-11-23', quiet, [row('old memory')]),
    reads: result('2026-11-23', quiet, [row('old read'), row('a read that is no more')]),
    renamed: result('2026-11-23', quiet, [row('of a measurement that is no more')]),
  };
  const measured = {
    tools: result('2026-11-24', quiet, [row('new tool')]),
    reads: result('2026-11-24', quiet, [row('new read')]),
  };
  const { results, refused } = merge(kept, measured, { names, force: false });
  t.same(Object.keys(results), names);
  t.same(
    Object.values(results).map(({ run, lines }) => [run, ...lines.map(({ what }) => what)]),
    [
      ['2026-11-24', 'new read'],
      ['2026-11-24', 'new tool'],
      ['2026-11-23', 'old memory'],
    ],
  );
  t.same(refused, []);
});

void t.test('what was measured on a busy machine is kept only by force', async (t) => {
  const names = ['reads', 'tools'];
  const kept = { reads: result('2026-11-23', quiet, [row('old read')]) };
  const measured = {
    reads: result('2026-11-24', busy, [row('new read')]),
    tools: result('2026-11-24', busy, [row('new tool')]),
  };
  const { results, refused } = merge(kept, measured, { names, force: false });
  t.same(results, kept);
  t.same(refused, ['reads', 'tools']);
  t.same(merge(kept, measured, { names, force: true }), { results: measured, refused: [] });
});

void t.test('a section of a document is replaced between its marks', async (t) => {
  const text = 'before\n<!-- results -->\n\nold\n\n<!-- end of results -->\nafter\n';
  t.equal(
    replaceSection(text, 'results', 'new'),
    'before\n<!-- results -->\n\nnew\n\n<!-- end of results -->\nafter\n',
  );
  t.throws(() => replaceSection(text, 'costs', 'new'), { message: 'there is no section costs' });
});
