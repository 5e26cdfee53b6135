import t from 'tap';
import { createClock } from '../../src/platform/clock.js';

void t.test('the first measurement sets the clock to the middle of the round trip', async (t) => {
  let own = 1_000;
  const clock = createClock(() => own);
  t.equal(clock.now(), 1_000);
  clock.correct(5_000, 1_000, 1_010);
  own = 1_010;
  t.ok(Math.abs(clock.now() - 5_005) <= 1, `${clock.now()}`);
});

void t.test('a measurement within the error of the clock changes nothing', async (t) => {
  const clock = createClock(() => 0);
  clock.correct(5_000, 0, 0);
  const before = clock.now();
  clock.correct(5_020, 0, 40);
  t.equal(clock.now(), before);
});

void t.test('a fast round trip corrects a slow one, and a jump is followed', async (t) => {
  const clock = createClock(() => 0);
  clock.correct(5_000, -100, 100);
  clock.correct(5_060, 0, 2);
  t.ok(Math.abs(clock.now() - 5_059) <= 1, `${clock.now()}`);
  clock.correct(90_000, 0, 2);
  t.ok(Math.abs(clock.now() - 89_999) <= 1, `${clock.now()}`);
});
