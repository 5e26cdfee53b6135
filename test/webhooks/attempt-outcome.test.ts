import fc from 'fast-check';
import t from 'tap';
import { disableDecision, nextAttemptDelaySeconds } from '../../src/webhooks/attempt-outcome.js';
import { parseRetryAfterSeconds } from '../../src/webhooks/send-result.js';

const seed = 20261121;
const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The delay after that attempt, where the jitter is that share of its range. */
function delayAfter(attempt: number, retryAfterSeconds: number | null, share = 0.5) {
  return nextAttemptDelaySeconds(attempt, schedule, retryAfterSeconds, () => share);
}

t.test('each delay follows the schedule, with a jitter of at most 10 %', async (t) => {
  schedule.forEach((delay, index) => {
    t.equal(delayAfter(index + 1, null, 0), delay * 0.9);
    t.equal(delayAfter(index + 1, null), delay);
    t.ok((delayAfter(index + 1, null, 1 - 1e-9) ?? Infinity) < delay * 1.1);
  });
});

t.test(
  'after the last attempt of the schedule there is none, whatever Retry-After says',
  async (t) => {
    for (const retryAfterSeconds of [null, 0, 60]) {
      t.type(delayAfter(9, retryAfterSeconds), 'number');
      t.equal(delayAfter(10, retryAfterSeconds), null);
    }
  },
);

t.test('Retry-After postpones the next attempt, at most by the rest of the schedule', async (t) => {
  t.equal(delayAfter(1, 120, 0), 120, 'as asked');
  t.equal(delayAfter(1, 120), 126, 'with a jitter of up to 10 %, later only');
  t.equal(delayAfter(2, 10), 300, 'never earlier than scheduled');
  t.equal(delayAfter(1, 365 * 86_400), 272_105, 'until the last attempt would have been due');
  t.equal(delayAfter(9, 365 * 86_400), 86_400);
});

t.test('delays stay within their bounds for any schedule and any Retry-After', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 12 }),
      fc.nat(11),
      fc.option(fc.nat(10_000_000)),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (steps, index, retryAfterSeconds, share) => {
        const attempt = (index % steps.length) + 1;
        const planned = steps[attempt - 1] ?? 0;
        const remaining = steps.slice(attempt - 1).reduce((sum, step) => sum + step, 0);
        const random = () => share;
        const delay = nextAttemptDelaySeconds(attempt, steps, retryAfterSeconds, random) ?? NaN;
        const least = Math.max(planned * 0.9, Math.min(retryAfterSeconds ?? 0, remaining));
        return delay >= least - 1e-6 && delay <= Math.max(remaining, planned * 1.1) + 1e-6;
      },
    ),
    { seed },
  );
});

t.test('a subscription is disabled at its limits, to the millisecond', async (t) => {
  const hourMs = 3_600_000;
  t.equal(disableDecision(410, true, 0), 'gone', '410 at once');
  t.equal(disableDecision(410, false, 0), 'gone');
  for (const statusCode of [null, 301, 404, 429, 500]) {
    t.equal(disableDecision(statusCode, false, 24 * hourMs - 1), null);
    t.equal(disableDecision(statusCode, false, 24 * hourMs), 'never_succeeded');
    t.equal(disableDecision(statusCode, true, 24 * hourMs), null, 'it succeeded once');
    t.equal(disableDecision(statusCode, true, 120 * hourMs - 1), null);
    t.equal(disableDecision(statusCode, true, 120 * hourMs), 'failing');
  }
});

t.test('Retry-After is parsed as seconds and in all three formats of date', async (t) => {
  const now = Date.UTC(1994, 10, 6, 8, 49, 7);
  for (const [value, seconds] of [
    ['0', 0],
    [' 120 ', 120],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30],
    ['Sun Nov  6 08:49:37 1994', 30],
    ['Sun, 06 Nov 1994 08:49:00 GMT', 0],
    ...['', '-1', '1.5', '1e3', '0x10', 'soon', '120, 240', '1994-11-06T08:49:37Z']
      .concat('Sun, 06 Nov 1994 08:49:37', 'Sun, 06 Nov 1994 08:49:37 PST')
      .concat('Sun, 06 Nov 1994 25:61:61 GMT', 'Sun, 06 Foo 1994 08:49:37 GMT')
      .map((unreadable) => [unreadable, null] as const),
  ] as const) {
    t.equal(parseRetryAfterSeconds(value, now), seconds, value);
  }
  t.equal(parseRetryAfterSeconds('Sun, 06 Nov 1994 08:49:37 GMT', now + 1), 30, 'rounded up');
});
