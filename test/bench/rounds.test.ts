import t from 'tap';
import {
  comparePairs,
  isNoisy,
  measureComparisons,
  measurePairs,
  spreadOf,
} from '../../scripts/bench/row.js';

void t.test('the spread is the interquartile range divided by the median', async (t) => {
  t.equal(spreadOf([8, 9, 10, 11, 12]), 0.2);
  t.equal(spreadOf([12, 8, 11, 9, 10]), 0.2, 'in any order');
  t.equal(spreadOf([8, 9, 10, 11, 1_000]), 0.2, 'one disturbed round out of five changes nothing');
  t.equal(spreadOf([1, 2, 3, 4]), 0.6, 'between two values');
  t.equal(spreadOf([5]), 0);
});

void t.test('more than a fifth is noisy, and so is a spread that is no number', async (t) => {
  t.notOk(isNoisy({ spread: 0.2 }));
  t.ok(isNoisy({ spread: 0.201 }));
  t.ok(isNoisy({ spread: NaN }));
  t.notOk(isNoisy({}), 'what is measured once has no spread');
});

void t.test('the ratio is the median of the rounds, not the quotient of the medians', async (t) => {
  const { ours, baseline, ratio } = comparePairs([10, 20, 30], [10, 40, 15]);
  t.same({ ours, baseline, ratio }, { ours: 20, baseline: 15, ratio: 1 });
});

/** A subject that returns these values in turn, and writes its name into the order. */
function subject(name: string, values: number[], order: string[] = []) {
  const left = [...values];
  return async (): Promise<number> => {
    order.push(name);
    const value = left.shift();
    if (value === undefined) throw new Error(`${name} was measured too often`);
    return value;
  };
}

void t.test('neither subject is always the first of its round', async (t) => {
  const order: string[] = [];
  const ours = subject('ours', [1, 1, 1, 1], order);
  await measurePairs(4, ours, subject('baseline', [2, 2, 2, 2], order));
  t.same(order, 'ours baseline baseline ours ours baseline baseline ours'.split(' '));
});

void t.test('the values of one round are compared, whatever its order', async (t) => {
  const measured = await measurePairs(2, subject('ours', [10, 20]), subject('baseline', [10, 20]));
  t.same(measured, { ours: 15, baseline: 15, ratio: 1, spread: 0 });
});

void t.test('a calm measurement is not repeated', async (t) => {
  const ours = subject('ours', [9, 10, 11]);
  const { spread } = await measurePairs(3, ours, subject('baseline', [10, 10, 10]));
  t.ok(spread <= 0.2);
  await t.rejects(ours(), 'all values are used');
});

void t.test('a noisy measurement is repeated once, and the calmer one is kept', async (t) => {
  const ones = [1, 1, 1, 1, 1, 1];
  const calmed = await measurePairs(
    3,
    subject('ours', [1, 5, 9, 4, 4, 4]),
    subject('baseline', ones),
  );
  t.same(calmed, { ours: 4, baseline: 1, ratio: 4, spread: 0 });
  const worse = await measurePairs(
    3,
    subject('ours', [4, 5, 6.5, 1, 5, 90]),
    subject('baseline', ones),
  );
  t.same(worse, { ours: 5, baseline: 1, ratio: 5, spread: 0.25 });
  t.ok(isNoisy(worse), 'and stays noisy');
});

void t.test(
  'of several comparisons of the same rounds, each keeps its calmer measurement',
  async (t) => {
    const rounds = [
      { a: 1, b: 10 },
      { a: 5, b: 10 },
      { a: 9, b: 10 },
      { a: 4, b: 1 },
      { a: 4, b: 5 },
      { a: 4, b: 9 },
    ];
    const left = [...rounds];
    const subjects = [async () => left.shift()!, async () => ({ a: 1, b: 1 })];
    const [a, b] = await measureComparisons(3, subjects, ([ours, baseline]) =>
      (['a', 'b'] as const).map((key) =>
        comparePairs(
          ours!.map((round) => round[key]),
          baseline!.map((round) => round[key]),
        ),
      ),
    );
    t.match(a, { ratio: 4, spread: 0 });
    t.match(b, { ratio: 10, spread: 0 });
  },
);
