import t from 'tap';
import { lazily } from '../../src/platform/lazily.js';

t.test('a value is made once, also for those who ask at the same time', async (t) => {
  let made = 0;
  const value = lazily(async () => (made += 1));
  t.equal(made, 0, 'not before it is asked for');
  t.same(await Promise.all([value(), value()]), [1, 1]);
  t.equal(await value(), 1);
});

t.test('a failure is reported to all who ask at that time, and then forgotten', async (t) => {
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
