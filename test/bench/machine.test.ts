import t from 'tap';
import {
  accountBetween,
  accountInWords,
  isQuiet,
  parseProcessorSeconds,
  sampleMachine,
  worstOf,
} from '../../scripts/bench/machine.js';
import { secondsOfTree } from '../../scripts/bench/probes/processor-time.js';

const stat = `cpu  1000 200 300 5000 600 10 20 70 40 30
cpu0 500 100 150 2500 300 5 10 35 20 15
intr 12345
`;

void t.test('the time of all processors is read from /proc/stat', async (t) => {
  t.same(parseProcessorSeconds(stat), { total: 72, busy: 15, stolen: 0.7 });
  t.equal(
    parseProcessorSeconds('cpu  0 0 0 0 0 0 0 0 0 0\n'),
    null,
    'a kernel that counts nothing',
  );
  t.equal(parseProcessorSeconds('intr 12345\n'), null);
});

void t.test(
  "a tree's time is that of the process, its descendants and their ended children",
  async (t) => {
    const process = (parent: number, own: number, endedChildren = 0) => ({
      parent,
      own,
      endedChildren,
    });
    const processes = new Map([
      [10, process(1, 1, 2)],
      [11, process(10, 4, 8)],
      [12, process(11, 16)],
      [20, process(1, 32, 64)],
    ]);
    t.equal(secondsOfTree(10, processes), 31);
    t.same(secondsOfTree(99, processes), NaN);
  },
);

void t.test('what the processors did and the bench did not, others did', async (t) => {
  const before = { processors: { total: 100, busy: 40, stolen: 1 }, own: 30, yardstickMs: 50 };
  const after = { processors: { total: 200, busy: 90, stolen: 3 }, own: 76, yardstickMs: 54 };
  const account = accountBetween(before, after, 48);
  t.same(account, { others: 0.04, stolen: 0.02, slowdown: 0.125 });
  t.notOk(isQuiet(account), 'the yardstick was slow after it');
  t.equal(accountBetween(before, { ...after, own: 81 }, 50).others, 0, 'never less than nothing');
});

void t.test('a machine is quiet while every figure is', async (t) => {
  const calm = { others: 0.05, stolen: 0.02, slowdown: 0.1 };
  t.ok(isQuiet(calm));
  t.notOk(isQuiet({ ...calm, others: 0.06 }));
  t.notOk(isQuiet({ ...calm, stolen: 0.03 }));
  t.notOk(isQuiet({ ...calm, slowdown: 0.11 }));
  t.same(worstOf([calm, { others: 0.01, stolen: 0.3, slowdown: 0 }]), { ...calm, stolen: 0.3 });
});

void t.test('without /proc the yardstick decides alone, and the words say so', async (t) => {
  const before = { processors: null, own: NaN, yardstickMs: 50 };
  const account = accountBetween(before, { ...before, yardstickMs: 51 }, 50);
  t.ok(isQuiet(account));
  t.equal(
    accountInWords(account),
    'quiet by its own account (what other processes took cannot be told without /proc, the yardstick varied by 2 %)',
  );
  t.equal(
    accountInWords({ others: 0.31, stolen: 0, slowdown: 0.04 }),
    'not quiet by its own account (other processes took 31 % of the processors, 0 % were stolen, the yardstick varied by 4 %)',
  );
  const known = { others: 0, stolen: 0, slowdown: 0 };
  t.equal(worstOf([known, account]).others, null);
});

void t.test('this machine can be asked', async (t) => {
  const before = await sampleMachine();
  const after = await sampleMachine();
  t.ok(before.yardstickMs > 0);
  if (process.platform !== 'linux') return;
  t.ok(after.own > before.own, 'the yardstick counts as own time');
});
