import { emptyResource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import t, { type Test } from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { createExporter } from '../../src/platform/tracing/opentelemetry/exporter.js';
import { startTracing } from '../../src/platform/tracing/opentelemetry/start.js';
import { until } from '../support/embedded.js';
import { answer, startReceiver, type Receiver } from '../support/receiver.js';
import { createServiceLog } from '../support/service-log.js';
import { startTraceCollector } from '../support/trace-collector.js';

const settings = { role: 'all', otelServiceName: 'test', otelTracesSamplerArg: 1 } as const;

/** A collector, for exporters of this process. */
async function startCollector(t: Test): Promise<Receiver> {
  const collector = await startReceiver();
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.origin;
  t.teardown(() => collector.close());
  return collector;
}

function createLog(t: Test, expected: RegExp) {
  const serviceLog = createServiceLog();
  serviceLog.expect(expected);
  t.teardown(() => serviceLog.verify(t));
  const messages = () =>
    serviceLog.lines.map((line) => JSON.parse(line) as { level: string; msg: string });
  return { log: createLogger('debug', serviceLog.destination), lines: serviceLog.lines, messages };
}

void t.test(
  'a failed export is logged with its status, and a response without an end does not stop the next',
  async (t) => {
    const collector = await startCollector(t);
    const { log, lines, messages } = createLog(t, /traces could not be exported/);
    const exporter = createExporter(emptyResource(), log, 12_000);
    t.teardown(() => exporter.shutdown());
    const exportNothing = () =>
      new Promise<void>((resolve) => exporter.export([] as ReadableSpan[], () => resolve()));
    collector.behave(answer(401), { kind: 'drip body', status: 200, everyMs: 100 }, answer(200));
    for (let count = 0; count < 3; count += 1) await exportNothing();
    t.equal(collector.requests.length, 3);
    t.match(lines[0], /Unauthorized, 401/);
    t.same(
      messages().map(({ level, msg }) => [level, msg]),
      [
        ['warn', 'traces could not be exported; they are lost'],
        ['debug', 'traces could not be exported; they are lost'],
        ['info', 'traces are exported again'],
      ],
    );
  },
);

void t.test('work of several traces is in the first, with links to the others', async (t) => {
  const collector = await startTraceCollector(t);
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.endpoint;
  const tracing = startTracing(settings, createLogger('silent'));
  const traces = ['1', '2', '3'].map((digit) => digit.repeat(32));
  const contexts = traces.map((traceId) => `00-${traceId}-b7ad6b7169203331-01`);
  const span = { name: 'dispatch', kind: 'internal', attributes: {} } as const;
  await tracing.continueTrace([null, ...contexts, contexts[0]!], span, () => Promise.resolve());
  await tracing.continueTrace([null], span, () => Promise.resolve());
  await tracing.stop();
  t.same(
    collector.spans().map(({ traceId, links }) => [traceId, ...links]),
    [traces],
  );
});

void t.test('a collector that is slower than the traces costs one warning', async (t) => {
  const collector = await startCollector(t);
  const { log, messages } = createLog(t, /traces were lost/);
  const tracing = startTracing(settings, log);
  t.teardown(() => tracing.stop());
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const trace = async () => {
    const span = { name: 'work', kind: 'internal', attributes: {} } as const;
    for (let count = 0; count < 3_000; count += 1) {
      await tracing.continueTrace([parent], span, () => Promise.resolve());
    }
  };
  const lost = () => messages().filter(({ msg }) => msg.includes('were lost'));
  collector.behave({ kind: 'late answer', status: 200, afterMs: 300 });
  // More than the queue has room for, twice.
  await trace();
  await collector.request(2);
  await trace();
  await collector.request(5);
  await trace();
  await until(() => Promise.resolve(lost().length >= 2));
  t.same(
    lost().map(({ level }) => level),
    ['warn', ...Array<string>(lost().length - 1).fill('debug')],
  );
});
