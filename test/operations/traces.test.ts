import t, { type Test } from 'tap';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { untilMailed } from '../support/mail-audit.js';
import { confirmOn, holdMany, startMailProcesses } from '../support/mail-processes.js';
import { freePort, type ServiceProcess } from '../support/process.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { startTraceCollector, type CollectedSpan } from '../support/trace-collector.js';

const webhookPath = '/webhook-path-that-only-they-know';
const strangersTrace = 'abcdefabcdefabcdefabcdefabcdefab';

async function startSubscriber(t: Test): Promise<Receiver> {
  const subscriber = await startReceiver();
  t.teardown(() => subscriber.close());
  return subscriber;
}

async function subscribe(api: ServiceProcess, { origin }: Receiver): Promise<void> {
  const answer = await fetch(`${api.url}/api/public/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      url: origin + webhookPath,
      events: ['hold.created', 'booking.confirmed'],
    }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}

/** Whether the span and its ancestors up to `root` are in the trace. */
function descends(span: CollectedSpan, root: CollectedSpan, trace: CollectedSpan[]): boolean {
  if (span.spanId === root.spanId) return true;
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
  return parent !== undefined && descends(parent, root, trace);
}

/** What a worker does with the event row of a confirmation. */
const workerSpans = [
  'dispatch events',
  'add webhook-first-attempts.deliver',
  'process webhook-first-attempts',
  'webhook POST',
  'dispatch mails',
  'add mail.send',
  'process mail',
  'mail send',
];

async function followConfirmation(t: Test, queues: Record<string, string>): Promise<void> {
  const collector = await startTraceCollector(t);
  const subscriber = await startSubscriber(t);
  const { connectionString } = await createTestDatabase(t);
  const processes = await startMailProcesses(t, connectionString, {
    ...queues,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  });
  const [api, worker] = [await processes.start('api'), await processes.start('worker')];
  await subscribe(api, subscriber);
  const [path = ''] = await holdMany(api, 1);
  // Dispatched alone, so that no batch belongs to two traces.
  await subscriber.request(1);
  t.ok(await confirmOn(api, path));
  await subscriber.request(2);
  await untilMailed(processes.database);
  const isReceived = (name: string) => collector.spans().some((span) => span.name === name);
  await until(() => Promise.resolve(workerSpans.every(isReceived)));
  t.equal(await api.end('SIGTERM'), 0);
  t.equal(await worker.end('SIGTERM'), 0);

  const spans = collector.spans();
  t.strictSame(
    spans.filter(({ parentSpanId, kind }) => parentSpanId === '' && kind !== 'SERVER'),
    [],
    'only requests begin a trace',
  );
  const request = spans.find(({ name }) => name === 'POST /checkout/:token')!;
  const trace = spans.filter(({ traceId }) => traceId === request.traceId);
  t.ok(
    trace.every((span) => descends(span, request, trace)),
    'each parent is known',
  );
  const namesIn = (isRequests: boolean) =>
    new Set(
      trace
        .filter(({ instance }) => (instance === request.instance) === isRequests)
        .map(({ name }) => name),
    );
  const confirms = 'UPDATE bookings UPDATE mails INSERT events';
  t.ok(namesIn(true).has(confirms), 'the statement that confirms');
  const worked = namesIn(false);
  for (const name of workerSpans) t.ok(worked.has(name), name);
  const mails = trace.filter(({ name }) => name === 'mail send');
  const recipients = new Set(mails.map(({ attributes }) => attributes['mail.recipient']));
  t.strictSame([...recipients].sort(), ['person', 'studio']);
  const delivery = trace.find(({ name }) => name === 'webhook POST');
  t.match(delivery?.attributes, { 'webhook.outcome': 'delivered', 'webhook.attempt': 1 });
  const hold = spans.find(({ name }) => name === 'POST /api/public/holds');
  const alarm = spans.find(({ name }) => name === 'add hold-expiry.expire');
  t.equal(alarm?.traceId, hold?.traceId, 'the expiry of the hold continues its trace');
}

void t.test(
  'one trace leads from a confirmation over its event row and jobs to the webhook and the mails',
  (t) => followConfirmation(t, {}),
);

void t.test('the same with queues on Redis', { skip: redisMissing }, async (t) =>
  followConfirmation(t, { REDIS_URL: await redisUrl(t) }),
);

void t.test(
  'nothing personal or secret is exported, and a trace that a caller names is not continued',
  async (t) => {
    const collector = await startTraceCollector(t);
    const subscriber = await startSubscriber(t);
    const { connectionString } = await createTestDatabase(t);
    const processes = await startMailProcesses(t, connectionString, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    });
    const service = await processes.start('api');
    const worker = await processes.start('worker');
    await subscribe(service, subscriber);
    // Fails, and is attempted again.
    subscriber.behave(
      { kind: 'answer', status: 500, body: 'quirina' },
      { kind: 'answer', status: 204 },
    );
    const [path = ''] = await holdMany(service, 1);
    const token = path.split('/').at(-1)!;
    const headers = {
      traceparent: `00-${strangersTrace}-00f067aa0ba902b7-01`,
      tracestate: 'quirina=blau',
      baggage: 'person=quirina',
      authorization: 'Bearer key-of-quirina',
      'user-agent': 'quirina/1',
    };
    const visit = async (address: string, options: RequestInit = {}) => {
      const answer = await fetch(service.url + address, {
        headers,
        redirect: 'manual',
        ...options,
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    t.equal(await visit(path), 200);
    t.equal(await visit(`${path}?name=quirina`, { method: 'PUT' }), 405);
    t.equal(await visit('/quirina@personal.example'), 404);
    t.equal(await visit('/api/public/availability?from=quirina@personal.example'), 400);
    t.equal(await visit('/console/sign-in?token=quirina'), 401);
    t.equal(await visit('/api/public/holds', { method: 'POST', body: '{"name": "quirina"}' }), 415);
    t.ok(await confirmOn(service, path));
    await subscriber.request(2);
    await untilMailed(processes.database);
    const failure = () =>
      collector.spans().find(({ attributes }) => attributes['error.type'] === 'status');
    const refusal = () =>
      collector.spans().find(({ name }) => name === 'GET /api/public/availability');
    // The limit for exports at a stop is short.
    await until(() => failure() !== undefined && refusal() !== undefined);
    t.equal(await service.end('SIGTERM'), 0);
    t.equal(await worker.end('SIGTERM'), 0);

    const bytes = collector.bytes().toString('latin1');
    for (const word of ['quirina', 'blau', 'personal.example', '5557654', '127.0.0.1', token]) {
      t.notOk(bytes.toLowerCase().includes(word.toLowerCase()), word);
    }
    t.notOk(bytes.includes(webhookPath));
    t.notOk(collector.spans().some(({ traceId }) => traceId === strangersTrace));
    t.match(
      failure(),
      { name: 'webhook POST', status: 'ERROR' },
      'a failed attempt is marked as such',
    );
    t.match(refusal(), { status: 'UNSET' }, 'a refused request is no error of ours');
  },
);

/** Prints at its end which modules of OpenTelemetry a process has loaded. */
const listing = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  const { cache } = createRequire('file:///');
  process.on('exit', () => {
    const loaded = Object.keys(cache).filter((path) => /node_modules.(@opentelemetry|@fastify.otel|bullmq-otel)/.test(path));
    console.error('modules of OpenTelemetry:', loaded.length);
  });
`)}`;

void t.test(
  'without an endpoint no module of OpenTelemetry is loaded; with a share of 0 nothing is traced',
  async (t) => {
    const collector = await startTraceCollector(t);
    const { connectionString } = await createTestDatabase(t);
    const { database, start } = await startMailProcesses(t, connectionString, { METRICS_PORT: '' });
    const environments: Record<string, string>[] = [
      { OTEL_TRACES_SAMPLER_ARG: '1' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_SAMPLER_ARG: '0' },
    ];
    for (const [index, environment] of environments.entries()) {
      const NODE_OPTIONS = `${process.env['NODE_OPTIONS'] ?? ''} --import=${listing}`;
      const service = await start('api', { ...environment, NODE_OPTIONS });
      await holdMany(service, 1);
      t.equal(await service.end('SIGTERM'), 0);
      const [, count] = /modules of OpenTelemetry: (\d+)/.exec(service.output()) ?? [];
      t.equal(Number(count) > 0, index === 1, `${count} modules`);
    }
    t.equal(collector.receiver.requests.length, 0);
    const traced = await database
      .selectFrom('events')
      .select('id')
      .where('trace_context', 'is not', null)
      .execute();
    t.strictSame(traced, []);
  },
);

/** Exports twice, in vain. */
async function warnsOnce(t: Test, exporter: Record<string, string>): Promise<void> {
  const { connectionString } = await createTestDatabase(t);
  const { start } = await startMailProcesses(t, connectionString, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    ...exporter,
  });
  const service = await start('api');
  service.expectLog(/traces could not be exported/);
  const failures = () => service.output().match(/traces could not be exported/g)?.length ?? 0;
  const failAgain = async (count: number) => {
    await holdMany(service, 1);
    await until(() => Promise.resolve(failures() >= count));
  };
  await failAgain(1);
  await failAgain(2);
  const lines = service.output().split('\n');
  const failed = lines.filter((line) => line.includes('traces could not be exported'));
  t.equal(failed.filter((line) => line.includes('"level":"warn"')).length, 1);
  t.equal(await service.end('SIGTERM'), 0);
}

void t.test('a collector that is down costs one warning', (t) =>
  // So that one export ends before the next begins.
  warnsOnce(t, { OTEL_EXPORTER_OTLP_TIMEOUT: '100' }),
);

void t.test('so does a thread for exports that fails whenever it is started', (t) =>
  warnsOnce(t, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'no URL' }),
);

void t.test(
  'a collector that does not answer delays a stop by no more than its limit',
  async (t) => {
    const hanging = await startReceiver();
    t.teardown(() => hanging.close());
    hanging.behave({ kind: 'hang' });
    const { connectionString } = await createTestDatabase(t);
    const { start } = await startMailProcesses(t, connectionString, {
      OTEL_EXPORTER_OTLP_ENDPOINT: hanging.origin,
    });
    const service = await start('api');
    service.expectLog(/traces could not be exported/);
    await holdMany(service, 1);
    t.equal(await service.end('SIGTERM'), 0);
    t.ok(hanging.requests.length > 0, 'it was asked');
  },
);
