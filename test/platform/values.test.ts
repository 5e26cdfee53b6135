import t from 'tap';
import { isLoopback, mailtoUri } from '../../src/config/addresses.js';
import { createClock } from '../../src/platform/clock.js';
import { lazily } from '../../src/platform/concurrency.js';
import { nodeSupport } from '../../src/platform/node-support.js';
import { count } from '../../src/staff/text.js';

void t.test('the first measurement sets the clock to the middle of the round trip', async (t) => {
  let own = 1_000;
  const clock = createClock(() => own);
  t.equal(clock.now(), 1_000);
  clock.correct(5_000, 1_000, 1_010);
  own = 1_010;
  t.ok(Math.abs(clock.now() - 5_005) <= 1, `${clock.now()}`);
});

void t.test('a better measurement corrects the clock, and a jump is followed', async (t) => {
  const clock = createClock(() => 0);
  for (const [measured, sentAt, receivedAt, shown] of [
    [5_000, -100, 100, 5_000],
    // Within the error.
    [5_060, -100, 100, 5_000],
    // Of a fast round trip.
    [5_060, 0, 2, 5_059],
    [90_000, 0, 2, 89_999],
  ] as const) {
    clock.correct(measured, sentAt, receivedAt);
    t.ok(Math.abs(clock.now() - shown) <= 1, `${clock.now()}`);
  }
});

void t.test('a value is made once, also for those who ask at the same time', async (t) => {
  let made = 0;
  const value = lazily(async () => (made += 1));
  t.equal(made, 0, 'not before it is asked for');
  t.same(await Promise.all([value(), value()]), [1, 1]);
  t.equal(await value(), 1);
});

void t.test('a number has the plural of its noun', async (t) => {
  const nouns = ['day', 'delivery', 'process', 'key'];
  const counted = [count(1, 'day'), ...nouns.map((noun) => count(2, noun))];
  t.strictSame(counted, ['1 day', '2 days', '2 deliveries', '2 processes', '2 keys']);
});

void t.test('a failure is reported to all who ask at that time, and then forgotten', async (t) => {
  const outcomes = [new Error('no file descriptors'), 'made'];
  const value = lazily(async () => {
    const outcome = outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const asked = await Promise.allSettled([value(), value()]);
  t.same(
    asked.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.equal(await value(), 'made');
});

void t.test('an address that opens on this machine only is recognized', async (t) => {
  const local = `http://localhost:3000 http://LOCALHOST https://127.0.0.1:8443/checkout/co_a
    http://127.8.9.10 http://[::1]:3000 http://[::ffff:127.0.0.1]`;
  for (const url of local.split(/\s+/)) t.ok(isLoopback(url), url);
  const others = `https://book.example.com https://localhost.example.com http://192.168.1.7:3000
    http://0.0.0.0:3000 http://[::2] localhost null`;
  for (const url of ['', ...others.split(/\s+/)]) t.notOk(isLoopback(url), url);
});

void t.test('an address makes one URI, whatever characters its local part has', async (t) => {
  t.equal(mailtoUri('ada@example.com'), 'mailto:ada@example.com');
  t.equal(mailtoUri('ada+ink@example.com'), 'mailto:ada%2Bink@example.com');
  t.equal(mailtoUri('a?b&c,d#e@example.com'), 'mailto:a%3Fb%26c%2Cd%23e@example.com');
  t.equal(new URL(mailtoUri('"a@b"@example.com')).pathname, '%22a%40b%22@example.com');
});

void t.test('a Node without security updates is named, from the day after its last', async (t) => {
  for (const [version, instant, isOver, sentence] of [
    ['20.20.2', '2026-04-30T23:59:59Z', false, /^Node\.js 20\.20\.2, .* until 2026-04-30\.$/],
    ['20.20.2', '2026-05-01T00:00:00Z', true, /^Node\.js 20 .* since 2026-04-30: .* 24 is rec/],
    ['24.21.0', '2026-12-01T00:00:00Z', false, /until 2028-04-30/],
    ['99.0.0', '2050-01-01T00:00:00Z', false, /^Node\.js 99\.0\.0\.$/],
  ] as const) {
    const support = nodeSupport(Date.parse(instant), version);
    t.match(support, { isOver, sentence }, `${version} ${instant}`);
  }
});
