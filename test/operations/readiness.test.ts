import t from 'tap';
import { createReadiness } from '../../src/platform/readiness.js';

void t.test('a stop waits until a regular readiness probe has failed three times', async (t) => {
  const readiness = createReadiness(() => Promise.resolve());
  readiness.recordProbe();
  t.ok(readiness.isOpen());
  let isWithdrawn = false;
  const withdrawal = readiness.withdraw().then(() => (isWithdrawn = true));
  t.notOk(readiness.isOpen(), 'no, from the first moment on');
  readiness.recordProbe();
  readiness.recordProbe();
  t.notOk(isWithdrawn);
  readiness.recordProbe();
  await withdrawal;
});

void t.test('a stop does not wait where readiness was not probed for half a minute', async (t) => {
  let now = 0;
  const readiness = createReadiness(
    () => Promise.resolve(),
    () => now,
  );
  readiness.recordProbe();
  now = 30_001;
  await readiness.withdraw();
  t.notOk(readiness.isOpen());
});
