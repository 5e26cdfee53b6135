import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { startTracing } from '../../src/platform/tracing/opentelemetry/start.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { hold } from '../support/holds.js';
import { openSlots, postHold } from '../support/http-requests.js';
import { mailedPerson } from '../support/mail-audit.js';
import { setEnvironment, spawnService } from '../support/process.js';
import { answer, startReceiver } from '../support/receiver.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, mailFrom, secretKey, startService } from '../support/service.js';
import { startSmtp } from '../support/smtp.js';
import { startTraceCollector, type CollectedSpan } from '../support/trace-collector.js';

const webhookPath = '/webhook-path-that-only-they-know';
const strangersTrace = 'abcdefabcdefabcdefabcdefabcdefab';

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

void t.test('of requests to an api, and the work of a worker that follows', async (t) => {
  const collector = await startTraceCollector(t);
  const subscriber = await startReceiver();
  const failing = await startReceiver(answer(500, {}, 'quirina'));
  t.teardown(() => Promise.all([subscriber.close(), failing.close()]));
  const { connectionString } = await createTestDatabase(t);
  const settings = {
    ...generous,
    DATABASE_URL: connectionString,
    SECRET_KEY: secretKey,
    PUBLIC_BASE_URL: 'http://studio.test',
    SMTP_URL: (await startSmtp(t, { tls: 'none' })).url,
    MAIL_FROM: mailFrom,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  };
  const start = (role: string) => spawnService(t, { ...settings, ROLE: role });
  const [api, worker] = await Promise.all([start('api'), start('worker')]);
  const headers = {
    traceparent: `00-${strangersTrace}-00f067aa0ba902b7-01`,
    tracestate: 'quirina=blau',
    baggage: 'person=quirina',
    authorization: 'Bearer key-of-quirina',
    'user-agent': 'quirina/1',
  };
  const visit = async (address: string, options: RequestInit = {}) => {
    const response = await fetch(api.url + address, { headers, redirect: 'manual', ...options });
    await response.arrayBuffer();
    return response.status;
  };
  const json = { 'content-type': 'application/json' };
  for (const [{ origin }, ...events] of [
    [subscriber, 'hold.created', 'booking.confirmed'],
    [failing, 'hold.created'],
  ] as const) {
    const body = JSON.stringify({ url: origin + webhookPath, events });
    t.equal(await visit('/api/public/webhooks', { method: 'POST', headers: json, body }), 201);
  }
  const [slot] = await openSlots(api.url, 1);
  const body = JSON.stringify(holdRequest(slot, mailedPerson(0)));
  const held = await fetch(`${api.url}/api/public/holds`, { method: 'POST', headers: json, body });
  const { data } = (await held.json()) as { data: { checkout_url: string } };
  const path = new URL(data.checkout_url).pathname;
  // Dispatched alone, so that no batch belongs to two traces.
  await subscriber.request(1);
  t.equal(await visit(path), 200);
  t.equal(await visit(`${path}?name=quirina`, { method: 'PUT' }), 405);
  t.equal(await visit('/quirina@personal.example'), 404);
  t.equal(await visit('/api/public/availability?from=quirina@personal.example'), 400);
  t.equal(await visit('/console/sign-in?token=quirina'), 401);
  t.equal(await visit('/api/public/holds', { method: 'POST', body: '{"name": "quirina"}' }), 415);
  const confirming = {
    method: 'POST',
    headers: { origin: settings.PUBLIC_BASE_URL },
    body: new URLSearchParams({ action: 'confirm' }),
  };
  t.equal(await visit(path, confirming), 303);
  await subscriber.request(2);
  const find = (wanted: Partial<CollectedSpan>) =>
    collector
      .spans()
      .find((span) =>
        Object.entries(wanted).every(([key, value]) => span[key as keyof CollectedSpan] === value),
      );
  // The limit for exports at a stop is short.
  const awaited = [...workerSpans, 'POST /checkout/:token', 'add hold-expiry.expire'];
  await until(() => awaited.every((name) => find({ name })));
  await until(() => find({ name: 'webhook POST', status: 'ERROR' }) !== undefined);
  await until(() => collector.spans().filter(({ name }) => name === 'mail send').length === 2);
  t.same(await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]), [0, 0]);
  const spans = collector.spans();

  await t.test('one trace leads from a confirmation to the webhook and the mails', async (t) => {
    const beginnings = spans.filter(({ parentSpanId }) => parentSpanId === '');
    t.ok(
      beginnings.every(({ kind }) => kind === 'SERVER'),
      'only requests begin a trace',
    );
    const request = find({ name: 'POST /checkout/:token' })!;
    const trace = spans.filter(({ traceId }) => traceId === request.traceId);
    const namesIn = (isApi: boolean) =>
      trace
        .filter(({ instance }) => (instance === request.instance) === isApi)
        .map(({ name }) => name);
    const confirms = 'UPDATE bookings UPDATE mails INSERT events';
    t.ok(namesIn(true).includes(confirms), 'the statement that confirms');
    for (const name of workerSpans) t.ok(namesIn(false).includes(name), name);
    const mails = trace.filter(({ name }) => name === 'mail send');
    const recipients = new Set(mails.map(({ attributes }) => attributes['mail.recipient']));
    t.strictSame([...recipients].sort(), ['person', 'studio']);
    const delivery = trace.find(({ name }) => name === 'webhook POST');
    t.match(delivery?.attributes, { 'webhook.outcome': 'delivered', 'webhook.attempt': 1 });
    const held = find({
      name: 'POST /api/public/holds',
      traceId: find({ name: 'add hold-expiry.expire' })!.traceId,
    });
    t.ok(held, 'the expiry of a hold continues its trace');
  });

  await t.test('nothing personal or secret, and no trace that a caller names', async (t) => {
    const bytes = collector.bytes().toString('latin1').toLowerCase();
    const token = path.split('/').at(-1)!.toLowerCase();
    for (const word of ['quirina', 'blau', 'personal.example', '5557654', '127.0.0.1', token]) {
      t.notOk(bytes.includes(word), word);
    }
    t.notOk(bytes.includes(webhookPath));
    t.equal(find({ traceId: strangersTrace }), undefined);
    const failed = find({ name: 'webhook POST', status: 'ERROR' });
    t.equal(failed?.attributes['error.type'], 'status', 'a failed attempt is marked as such');
    const refused = spans.filter(
      ({ attributes }) => attributes['http.response.status_code'] === 400,
    );
    t.same(
      refused.map(({ name, status }) => [name, status]),
      [['GET /api/public/availability', 'UNSET']],
      'a refused request is no error of ours',
    );
  });
});

/** The service in this process, with a share of its requests traced. */
async function startTraced(t: Test, share: number) {
  const collector = await startTraceCollector(t);
  setEnvironment(t, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  const tracing = startTracing(
    { role: 'all', otelServiceName: 'test', otelTracesSamplerArg: share },
    createLogger('silent'),
  );
  const environment = { ...generous, OTEL_TRACES_SAMPLER_ARG: String(share) };
  const service = await startService(t, environment, { overrides: { tracing } });
  /** Sends lines, and leaves without waiting for a response. */
  const leaveAfter = async (start: string, ...lines: string[]) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const sent = [start, 'Host: studio.test', ...lines].join('\r\n');
    socket.end(sent, () => socket.destroySoon());
    await once(socket, 'close');
  };
  const visit = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(service.url + path, options);
    await response.arrayBuffer();
    return response.status;
  };
  const traced = () =>
    service.context.database
      .selectFrom('events')
      .select('id')
      .where('trace_context', 'is not', null)
      .execute();
  return { ...service, collector, tracing, leaveAfter, visit, traced };
}

void t.test('each read with a response has one span, and so has what has no route', async (t) => {
  const { context, url, collector, tracing, leaveAfter, visit, traced } = await startTraced(t, 1);
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot.date, slot.timeSlot);
  const waited = `GET /api/public/bookings/${booking.id} HTTP/1.1`;
  await leaveAfter(waited, 'Prefer: wait=60', '', '');
  // The service reads connections in turn.
  t.equal(await visit('/nowhere'), 404);
  t.equal(await visit('/nowhere', { method: 'POST' }), 404);
  t.equal(await visit('/api/public/studio'), 200);
  t.equal(await visit('/api/public/studio', { method: 'HEAD' }), 200);
  t.equal(await visit('/api/public/bookings/00000000-0000-4000-8000-000000000000'), 404);
  t.equal(await visit('/healthz'), 200);
  await postHold(url);
  t.equal((await traced()).length, 1, 'the event of a request that is traced');
  await tracing.stop();

  const requests = collector.spans().filter(({ kind }) => kind === 'SERVER');
  const shown = requests.map(({ name, attributes: { 'http.response.status_code': status } }) => [
    name,
    ...(status === undefined ? [] : [status]),
  ]);
  t.strictSame(shown.sort(), [
    ['GET /api/public/availability', 200],
    ['GET /api/public/bookings/:id', 404],
    ['GET /api/public/studio', 200],
    ['GET', 404],
    ['HEAD /api/public/studio', 200],
    ['POST /api/public/holds', 201],
    ['POST', 404],
  ]);
  const reads = requests.filter(({ name }) => !name.startsWith('POST'));
  const ids = new Set(reads.map(({ traceId }) => traceId));
  t.equal(ids.size, reads.length);
  const ofReads = collector.spans().filter(({ traceId }) => ids.has(traceId));
  t.equal(ofReads.length, reads.length, 'and none of the handler of a 404');
});

void t.test('with a share of 0 nothing is traced', async (t) => {
  const { url, collector, tracing, visit, traced } = await startTraced(t, 0);
  t.equal(await visit('/api/public/studio'), 200);
  await postHold(url);
  await tracing.stop();
  t.equal(collector.receiver.requests.length, 0);
  t.strictSame(await traced(), []);
});
