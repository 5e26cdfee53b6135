import t, { type Test } from 'tap';
import { createTestDatabase } from '../support/database.js';
import { confirmOn, holdMany, startMailProcesses } from '../support/mail-processes.js';
import { untilMailed } from '../support/mail-audit.js';
import { startReceiver } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { startTraceCollector } from '../support/trace-collector.js';

async function followed(t: Test, queues: Record<string, string>): Promise<void> {
  const collector = await startTraceCollector(t);
  const subscriber = await startReceiver();
  t.teardown(() => subscriber.close());
  const { connectionString } = await createTestDatabase(t);
  const processes = await startMailProcesses(t, connectionString, {
    ...queues,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  });
  const [api, worker] = [await processes.start('api'), await processes.start('worker')];
  const answer = await fetch(`${api.url}/api/public/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      url: `${subscriber.origin}/webhook-path-only-they-know`,
      events: ['hold.created', 'booking.confirmed'],
    }),
  });
  t.equal(answer.status, 201, await answer.text());
  const [path = ''] = await holdMany(api, 1);
  await subscriber.request(1);
  t.ok(await confirmOn(api, path));
  await subscriber.request(2);
  await untilMailed(processes.database);
  t.equal(await api.end('SIGTERM'), 0);
  t.equal(await worker.end('SIGTERM'), 0);
  for (const span of collector.spans()) console.error(span.traceId.slice(0,6), span.parentSpanId.slice(0,6).padEnd(6), span.spanId.slice(0,6), span.instance.slice(0,4), span.kind.padEnd(8), span.name.padEnd(30), JSON.stringify(span.attributes), span.links.map(l=>l.slice(0,6)).join(), span.status);
}

void t.test('postgres', (t) => followed(t, {}));
void t.test('redis', { skip: redisMissing }, async (t) => followed(t, { REDIS_URL: await redisUrl(t) }));
