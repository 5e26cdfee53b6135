import t from 'tap';
import { readResults } from './results.js';

function read(tap: string) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  let text = '';
  readResults(totals, (part) => (text += part)).end(tap);
  return { totals, text };
}

t.test('assertions are counted, not the files and groups around them', async (t) => {
  const { totals, text } = read(`TAP version 14
# Subtest: test/a.test.ts
    # Subtest: a group
        ok 1 - first
        ok 2 - second
        1..2
    ok 1 - a group
    ok 2 - later # SKIP no redis
    1..2
ok 1 - test/a.test.ts # time=1234ms
1..1
`);
  t.same(totals, { passed: 2, failed: 0, skipped: 1 });
  t.equal(text, 'ok  test/a.test.ts (1.2 s)\n');
});

t.test('a failure is told with its file, its place and its difference', async (t) => {
  const { totals, text } = read(`TAP version 14
# Subtest: test/a.test.ts
    # Subtest: a group
        ok 1 - first
        not ok 2 - second
          ---
          diff: |
            -1
            +2
          ...
        1..2
    not ok 1 - a group
    1..1
not ok 1 - test/a.test.ts # time=10ms
1..1
`);
  t.same(totals, { passed: 1, failed: 1, skipped: 0 });
  t.match(text, 'FAIL  test/a.test.ts (0.0 s)');
  t.match(text, 'not ok: test/a.test.ts > a group > second\n    diff:\n      -1\n      +2\n');
});

t.test('a file that ends badly fails once, though all its assertions passed', async (t) => {
  const { totals, text } = read(`TAP version 14
# Subtest: test/a.test.ts
    ok 1 - first
    1..1
not ok 1 - test/a.test.ts # time=10ms
  ---
  exitCode: 3
  ...
# Subtest: test/b.test.ts
    ok 1 - first
    1..1
ok 2 - test/b.test.ts # time=10ms
1..2
`);
  t.same(totals, { passed: 2, failed: 1, skipped: 0 });
  t.match(text, /FAIL {2}test\/a\.test\.ts[^]*exitCode: 3[^]*ok {2}test\/b\.test\.ts/);
});

t.test('a run that stops in the middle has failed', async (t) => {
  const { totals } = read('TAP version 14\nok 1 - test/a.test.ts\nBail out! no memory\n');
  t.equal(totals.failed, 1);
});
