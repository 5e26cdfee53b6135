import { readFile } from 'node:fs/promises';
import t from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.js';
import { createTestDatabase } from '../support/database.js';
import { freePort, spawnService } from '../support/process.js';
import { generous } from '../support/service.js';

interface Sample {
  name: string;
  labels: string;
  value: number;
}

/** Prometheus' text format, as far as it is used here. */
function parse(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return { name, labels, value: Number(value) };
    });
}

function valueOf(samples: Sample[], name: string, labels = ''): number | undefined {
  return samples.find((sample) => sample.name === name && sample.labels === labels)?.value;
}

void t.test(
  'the metrics cover requests, holds, slots, expiries, queues, backlog, pool and event loop',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const metricsPort = await freePort();
    const service = await spawnService(t, {
      ...generous,
      DATABASE_URL: connectionString,
      SECRET_KEY: 'a secret that only the tests know, of enough length',
      // As long as it takes to look before it lapses.
      HOLD_LIFETIME_SECONDS: '5',
      DATA_DIR: t.testdir(),
      METRICS_PORT: String(metricsPort),
    });
    const metrics = `http://127.0.0.1:${metricsPort}`;
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const range = `from=${day}&to=${new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)}`;
    const list = await fetch(`${service.url}/api/public/availability?${range}`);
    const { data } = (await list.json()) as {
      data: { days: { date: string; slots: { time_slot: string }[] }[] };
    };
    const [open] = data.days;
    const hold = () =>
      fetch(`${service.url}/api/public/holds`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'metrics' },
        body: JSON.stringify({
          date: open?.date,
          time_slot: open?.slots[0]?.time_slot,
          name: 'Ada Park',
          email: 'ada@example.com',
          phone: '5555550142',
        }),
      });
    t.equal((await hold()).status, 201);
    t.equal((await hold()).headers.get('idempotency-replayed'), 'true');
    t.equal((await fetch(`${service.url}/checkout/nothing-of-the-kind`)).status, 404);

    let samples: Sample[] = [];
    let text = '';
    const look = async () => {
      const answer = await fetch(`${metrics}/metrics`);
      t.match(answer.headers.get('content-type'), 'text/plain; version=0.0.4');
      text = await answer.text();
      samples = parse(text);
    };
    await look();
    const seen = (name: string, labels?: string) => valueOf(samples, name, labels);
    t.equal(
      seen('booking_http_requests_total', 'operation="createHold",status="201"'),
      2,
      'requests by operation and status',
    );
    t.equal(seen('booking_http_request_duration_seconds_count', 'operation="createHold"'), 2);
    t.equal(
      seen('booking_http_requests_total', 'operation="/checkout/:token",status="404"'),
      1,
      'a page by its route, without the token',
    );
    t.equal(seen('booking_holds_total', 'outcome="held"'), 1);
    t.equal(seen('booking_holds_total', 'outcome="replayed"'), 1);
    t.equal(seen('booking_slots_taken', 'status="pending"'), 1);
    t.ok(seen('booking_http_connections')! > 0);
    t.equal(seen('booking_queue_jobs', 'queue="hold-expiry",state="active"'), 0);
    t.ok(seen('nodejs_eventloop_lag_p99_seconds')! > 0);
    const readme = await readFile('src/staff/README.md', 'utf8');
    const [, guide = ''] = /## Operating it(.*?)\n## /s.exec(readme) ?? [];
    const names = guide.match(/(?:booking|nodejs)_\w+/g) ?? [];
    t.ok(names.length > 5, 'the guide says what to watch');
    for (const name of names) t.match(text, `# HELP ${name} `);
    t.notMatch(text, /ada|5555550142|nothing-of-the-kind/, 'nobody is named');

    while (seen('booking_database_connections', 'state="idle"') === 0) await look();
    while (seen('booking_expiry_lateness_seconds_count') !== 1) await look();
    t.ok(seen('booking_expiry_lateness_seconds_sum')! < 5);
    while (seen('booking_events_undispatched') !== 0) await look();
    t.equal(seen('booking_slots_taken', 'status="pending"'), 0);

    t.equal((await fetch(`${service.url}/metrics`)).status, 404, 'not on the public listener');
    t.equal((await fetch(`${metrics}/api/public/studio`)).status, 404);
  },
);

void t.test('a worker without HTTP serves its health beside its metrics', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const metricsPort = await freePort();
  const worker = await spawnService(t, {
    DATABASE_URL: connectionString,
    SECRET_KEY: 'a secret that only the tests know, of enough length',
    DATA_DIR: t.testdir(),
    METRICS_PORT: String(metricsPort),
    ROLE: 'worker',
  });
  for (const path of ['healthz', 'readyz', 'metrics']) {
    t.equal((await fetch(`http://127.0.0.1:${metricsPort}/${path}`)).status, 200, path);
  }
  await t.rejects(fetch(`${worker.url}/healthz`), 'there is no other listener');
  t.equal(await worker.end('SIGTERM'), 0);
});

void t.test('metrics that cannot be read are left out', async (t) => {
  const metrics = createPrometheusMetrics(createLogger('silent'));
  const outage = () => Promise.reject(new Error('no database'));
  metrics.addGauge({ name: 'gone', help: 'Gone.', read: outage });
  metrics.addGauge({ name: 'gone_by_label', help: 'Gone.', labels: ['part'], read: outage });
  metrics.addGauge({ name: 'hanging', help: 'Hangs.', read: () => new Promise(() => undefined) });
  metrics.addGauge({ name: 'here', help: 'Here.', read: () => [{ value: 7 }] });
  const samples = parse(await metrics.text());
  t.equal(valueOf(samples, 'here'), 7);
  for (const name of ['gone', 'gone_by_label', 'hanging']) {
    t.equal(valueOf(samples, name), undefined, name);
  }
});

void t.test('without METRICS_PORT nothing listens beside the service', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const service = await spawnService(t, {
    DATABASE_URL: connectionString,
    SECRET_KEY: 'a secret that only the tests know, of enough length',
    DATA_DIR: t.testdir(),
  });
  t.equal(service.output().match(/ at http/g)?.length, 1);
  await service.end('SIGTERM');
});
