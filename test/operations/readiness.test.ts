import t from 'tap';
import { createReadiness } from '../../src/platform/readiness.js';

void t.test('a stop waits until whoever asks regularly has had three times no', async (t) => {
  const readiness = createReadiness(() => Promise.resolve());
  readiness.recordProbe();
  t.ok(readiness.isOpen());
  let told = false;
  const withdrawal = readiness.withdraw().then(() => (told = true));
  t.notOk(readiness.isOpen(), 'no, from the first moment on');
  readiness.recordProbe();
  readiness.recordProbe();
  t.notOk(told);
  readiness.recordProbe();
  await withdrawal;
});

void t.test('a stop waits for nobody where nobody has asked for half a minute', async (t) => {
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
