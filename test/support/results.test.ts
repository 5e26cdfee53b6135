import { spawn } from 'node:child_process';
import t from 'tap';
import { readResults } from './results.js';

/** The results of a test file that prints this and ends. */
function read(tap: string, exitCode = 0) {
  const script = 'process.stdout.write(process.argv[1]); process.exitCode = process.argv[2]';
  const child = spawn(process.execPath, ['-e', script, tap, String(exitCode)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return readResults('test/a.test.ts', child);
}

t.test('assertions are counted, not the groups around them', async (t) => {
  const results = await read(`TAP version 14
# Subtest: a group
    ok 1 - first
    ok 2 - second
    1..2
ok 1 - a group
ok 2 - later # SKIP no redis
1..2
`);
  t.same(results, { passed: 2, failed: 0, skipped: 1, report: '' });
});

t.test('a failure is reported with its file, its place and its difference', async (t) => {
  const [place] = /dist\/tests\/[^)]+/.exec(new Error().stack ?? '') ?? [];
  const { report, ...counts } = await read(`TAP version 14
# Subtest: a group
    ok 1 - first
    not ok 2 - second
      ---
      diff: |
        -1
        +2
      stack: ${place}
      ...
    1..2
not ok 1 - a group
1..1
`);
  t.same(counts, { passed: 1, failed: 1, skipped: 0 });
  t.match(report, 'not ok: test/a.test.ts > a group > second\n    diff:\n      -1\n      +2\n');
  t.match(report, /stack: test\/support\/results\.test\.ts:\d+:\d+\n/);
});

t.test('a file that fails otherwise than by an assertion has failed', async (t) => {
  for (const [tap, exitCode, reason] of [
    ['ok 1 - first\n1..1\n', 3, /not ok: test\/a\.test\.ts\n    exit code 3\n/],
    ['ok 1 - first\n1..2\n', 0, /not ok: test\/a\.test\.ts\n.*\S/],
    ['ok 1 - first\nBail out! no memory\n', 0, /no memory/],
  ] as const) {
    const { report, ...counts } = await read(`TAP version 14\n${tap}`, exitCode);
    t.same(counts, { passed: 1, failed: 1, skipped: 0 });
    t.match(report, reason);
  }
});
