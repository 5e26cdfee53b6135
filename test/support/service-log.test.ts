import t from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { createServiceLog } from './service-log.js';

function failureOf(serviceLog: ReturnType<typeof createServiceLog>): string | undefined {
  let failure: Error | undefined;
  serviceLog.verify({ teardown: () => undefined, threw: (error) => (failure = error) });
  return failure?.message;
}

void t.test('an unexpected line at warn or above fails the test', (t) => {
  for (const level of ['warn', 'error', 'fatal'] as const) {
    const serviceLog = createServiceLog();
    createLogger('trace', serviceLog.destination)[level]('the disk is full');
    t.match(failureOf(serviceLog), /the disk is full/, level);
    serviceLog.expect(/disk is full/);
    t.equal(failureOf(serviceLog), undefined, 'what is expected is fine');
  }
  t.end();
});

void t.test('lines below warn and output that is not a log entry are ignored', (t) => {
  const serviceLog = createServiceLog();
  createLogger('trace', serviceLog.destination).info('a warning of what comes');
  for (const line of ['  Dashboard      http://127.0.0.1:3000/', '{"level":"warn","ti']) {
    serviceLog.add(line);
  }
  t.equal(failureOf(serviceLog), undefined);
  t.end();
});
