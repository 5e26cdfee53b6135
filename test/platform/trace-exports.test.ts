import { hrTimeToMilliseconds } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import { TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace';
import t, { type Test } from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { createExporter } from '../../src/platform/tracing/opentelemetry/exporter.js';
import { createReadSpans } from '../../src/platform/tracing/opentelemetry/read-spans.js';
import { startTracing } from '../../src/platform/tracing/opentelemetry/start.js';
import { until } from '../support/embedded.js';
import { setEnvironment, freePort } from '../support/process.js';
import { answer } from '../support/receiver.js';
import { createServiceLog } from '../support/service-log.js';
import { startTraceCollector } from '../support/trace-collector.js';

const settings = { role: 'all', otelServiceName: 'test', otelTracesSamplerArg: 1 } as const;
const collector = await startTraceCollector(t);
setEnvironment(t, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });

function createLog(t: Test, expected: RegExp) {
  const serviceLog = createServiceLog();
  serviceLog.expect(expected);
  t.teardown(() => serviceLog.verify(t));
  return {
    log: createLogger('debug', serviceLog.destination),
    lines: serviceLog.lines,
    levels: () => serviceLog.lines.map((line) => (JSON.parse(line) as { level: string }).level),
  };
}

/** An exporter that ends with the test. `exportSpans` resolves when that is over. */
function startExporter(t: Test) {
  const { log, lines, levels } = createLog(t, /traces could not be exported/);
  const exporter = createExporter(emptyResource(), log);
  t.teardown(() => exporter.shutdown());
  const exportSpans = (...spans: ReadableSpan[]) =>
    new Promise<void>((resolve) => exporter.export(spans, () => resolve()));
  return { exportSpans, lines, levels };
}

void t.test(
  'a failed export is logged with its status, and a response without an end does not stop the next',
  async (t) => {
    const { timeout } = AbortSignal;
    t.teardown(() => (AbortSignal.timeout = timeout));
    const limits: { milliseconds: number; end: () => void }[] = [];
    AbortSignal.timeout = (milliseconds) => {
      const controller = new AbortController();
      limits.push({ milliseconds, end: () => controller.abort() });
      return controller.signal;
    };
    const { exportSpans, lines, levels } = startExporter(t);
    const { receiver } = collector;
    const before = receiver.requests.length;
    receiver.behave(answer(401), { kind: 'drip body', status: 200, everyMs: 100 }, answer(200));
    await exportSpans();
    const endless = exportSpans();
    await receiver.request(before + 2);
    t.equal(limits[1]?.milliseconds, 60_000);
    limits[1]?.end();
    await endless;
    await exportSpans();
    t.equal(receiver.requests.length, before + 3);
    t.match(lines[0], /Unauthorized, 401.*traces could not be exported; they are lost/);
    t.same(levels(), ['warn', 'debug', 'info']);
    t.match(lines[2], 'traces are exported again');
  },
);

void t.test('a collector that is down costs one warning', async (t) => {
  setEnvironment(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  });
  const { exportSpans, levels } = startExporter(t);
  for (let count = 0; count < 3; count += 1) await exportSpans();
  t.same(levels(), ['warn', 'debug', 'debug']);
});

void t.test(
  'a thread for exports that fails costs one warning, and is started again',
  async (t) => {
    const { exportSpans, lines, levels } = startExporter(t);
    const broken = { attributes: {}, links: [], events: [], status: { code: 0 }, kind: 0 };
    const spanContext = () => ({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 });
    // It has no times, which the thread cannot write.
    const span = { ...broken, spanContext } as unknown as ReadableSpan;
    await exportSpans(span);
    await exportSpans(span);
    await exportSpans();
    t.match(lines[0], 'TypeError');
    t.same(levels(), ['warn', 'debug', 'info']);
  },
);

void t.test('work of several traces is in the first, with links to the others', async (t) => {
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
  const { log, lines, levels } = createLog(t, /traces were lost/);
  const tracing = startTracing(settings, log);
  t.teardown(() => tracing.stop());
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const span = { name: 'work', kind: 'internal', attributes: {} } as const;
  const { receiver } = collector;
  receiver.behave({ kind: 'late answer', status: 200, afterMs: 100 });
  /** More spans than the queue has room for, and one when there is room again. */
  const loseSome = async (times: number) => {
    for (let count = 0; count < 3_000; count += 1) {
      await tracing.continueTrace([parent], span, () => Promise.resolve());
    }
    await until(async () => {
      await tracing.continueTrace([parent], span, () => Promise.resolve());
      return lines.length >= times;
    });
  };
  await loseSome(1);
  await loseSome(2);
  t.same(levels().slice(0, 2), ['warn', 'debug']);
});

void t.test('spans of reads are made together, with the times of the reads', async (t) => {
  const ended: ReadableSpan[] = [];
  const provider = new TracerProvider({
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => void ended.push(span),
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  });
  const readSpans = createReadSpans(provider.getTracer('test'));
  const endedAt = performance.now() - 5_000;
  const read = { method: 'GET', route: '/', statusCode: 200, startedAt: endedAt - 250, endedAt };
  for (let count = 1; count < 128; count += 1) readSpans.add(read);
  t.equal(ended.length, 0);
  readSpans.add(read);
  t.equal(ended.length, 128);
  readSpans.add(read);
  await until(() => ended.length === 129);
  const last = ended.at(-1)!;
  t.equal(Math.round(hrTimeToMilliseconds(last.duration)), 250);
  const msAgo = Date.now() - hrTimeToMilliseconds(last.endTime);
  t.ok(msAgo >= 4_900 && msAgo < 600_000, `${msAgo} ms`);
});
