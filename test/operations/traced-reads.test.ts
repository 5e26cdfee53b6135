import { once } from 'node:events';
import { connect } from 'node:net';
import { hrTimeToMilliseconds } from '@opentelemetry/core';
import { TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace';
import t from 'tap';
import { createReadSpans } from '../../src/platform/tracing/opentelemetry/read-spans.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { holdMany, startMailProcesses } from '../support/mail-processes.js';
import type { ServiceProcess } from '../support/process.js';
import { startTraceCollector } from '../support/trace-collector.js';

/** Sends lines to a service, and leaves without waiting for a response. */
async function leaveAfter(
  { url }: ServiceProcess,
  start: string,
  ...lines: string[]
): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const sent = [start, 'Host: studio.test', ...lines].join('\r\n');
  socket.end(sent, () => socket.destroySoon());
  await once(socket, 'close');
}

void t.test('each read with a response has one span, also at a stop', async (t) => {
  const collector = await startTraceCollector(t);
  const { connectionString } = await createTestDatabase(t);
  const { start, database } = await startMailProcesses(t, connectionString, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  const service = await start('api');
  await holdMany(service, 1);
  const { id } = await database.selectFrom('bookings').select('id').executeTakeFirstOrThrow();
  const visit = async (path: string, method = 'GET'): Promise<number> => {
    const answer = await fetch(service.url + path, { method });
    await answer.arrayBuffer();
    return answer.status;
  };
  await leaveAfter(service, `GET /api/public/bookings/${id} HTTP/1.1`, 'Prefer: wait=60', '', '');
  t.equal(await visit('/api/public/studio'), 200);
  t.equal(await visit('/api/public/studio', 'HEAD'), 200);
  t.equal(await visit('/api/public/bookings/00000000-0000-4000-8000-000000000000'), 404);
  t.equal(await visit('/healthz'), 200);
  t.equal(await service.end('SIGTERM'), 0);

  const requests = collector.spans().filter(({ kind }) => kind === 'SERVER');
  const reads = requests.filter(({ name }) => !name.startsWith('POST'));
  t.strictSame(
    reads.map(({ name, attributes }) => [name, attributes['http.response.status_code']]).sort(),
    [
      ['GET /api/public/availability', 200],
      ['GET /api/public/bookings/:id', 404],
      ['GET /api/public/studio', 200],
      ['HEAD /api/public/studio', 200],
    ],
  );
  const ids = new Set(reads.map(({ traceId }) => traceId));
  t.equal(ids.size, reads.length);
  t.equal(collector.spans().filter(({ traceId }) => ids.has(traceId)).length, reads.length);
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
  await until(() => Promise.resolve(ended.length === 129));
  const last = ended.at(-1)!;
  t.equal(Math.round(hrTimeToMilliseconds(last.duration)), 250);
  const msAgo = Date.now() - hrTimeToMilliseconds(last.endTime);
  t.ok(msAgo >= 4_900 && msAgo < 60_000, `${msAgo} ms`);
});

void t.test('a request without a route and without its end has a span that ends', async (t) => {
  const collector = await startTraceCollector(t);
  const { connectionString } = await createTestDatabase(t);
  const { start } = await startMailProcesses(t, connectionString, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  const service = await start('api');
  const headers = ['Content-Type: application/json', 'Content-Length: 100', '', '{'];
  await leaveAfter(service, 'POST /nowhere HTTP/1.1', ...headers);
  // The service reads connections in turn.
  await (await fetch(`${service.url}/nowhere`)).arrayBuffer();
  t.equal(await service.end('SIGTERM'), 0);
  t.strictSame(
    collector
      .spans()
      .map(({ name }) => name)
      .sort(),
    ['GET', 'POST'],
    'and none of the handler of a 404',
  );
});
