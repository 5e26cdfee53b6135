import { readFile } from 'node:fs/promises';
import t from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.js';
import { readPackage } from '../../src/platform/package-root.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { freePort } from '../support/process.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, secretKey } from '../support/service.js';
import { startWholeService } from '../support/whole-service.js';

/** The values of Prometheus' text format, by name and labels. */
function parse(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

const { connectionString } = await createTestDatabase(t);

async function start(role: 'all' | 'worker') {
  const metricsPort = String(await freePort());
  const service = await startWholeService(t, {
    ...generous,
    DATABASE_URL: connectionString,
    SECRET_KEY: secretKey,
    ROLE: role,
    METRICS_PORT: metricsPort,
  });
  return { ...service, metrics: `http://127.0.0.1:${metricsPort}` };
}

void t.test(
  'the metrics cover requests, holds, slots, expiries, queues, backlog, pool and event loop',
  async (t) => {
    const { context, background, url, metrics } = await start('all');
    const [slot] = await someOpenSlots(context, 1);
    const hold = () =>
      fetch(`${url}/api/public/holds`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'metrics' },
        body: JSON.stringify(holdRequest(slot!)),
      });
    t.equal((await hold()).status, 201);
    t.equal((await hold()).headers.get('idempotency-replayed'), 'true');
    t.equal((await fetch(`${url}/checkout/nothing-of-the-kind`)).status, 404);

    const look = async () => {
      const answer = await fetch(`${metrics}/metrics`);
      t.match(answer.headers.get('content-type'), 'text/plain; version=0.0.4');
      const text = await answer.text();
      return { text, seen: parse(text) };
    };
    const { text, seen } = await look();
    for (const [name, value] of [
      ['booking_http_requests_total{operation="createHold",status="201"}', 2],
      ['booking_http_request_duration_seconds_count{operation="createHold"}', 2],
      // A page by its route, without the token.
      ['booking_http_requests_total{operation="/checkout/:token",status="404"}', 1],
      [`booking_build_info{version="${readPackage().version}"}`, 1],
      ['booking_holds_total{outcome="held"}', 1],
      ['booking_holds_total{outcome="replayed"}', 1],
      ['booking_slots_taken{status="pending"}', 1],
      ['booking_queue_jobs{queue="hold-expiry",state="active"}', 0],
    ] as const) {
      t.equal(seen.get(name), value, name);
    }
    t.ok(seen.get('booking_http_connections')! > 0);
    t.ok(seen.get('nodejs_eventloop_lag_p99_seconds')! > 0);
    const guide = await readFile('scripts/operations/monitoring.md', 'utf8');
    const files = ['prometheus-rules.yaml', 'grafana-board.json'].map((name) =>
      readFile(`scripts/operations/${name}`, 'utf8'),
    );
    const operators = (await Promise.all(files)).join('\n');
    const names = (of: string) => of.match(/\b(?:booking|nodejs|process)_\w+/g) ?? [];
    t.ok(names(guide).length > 5, 'the guide says what to watch');
    for (const name of names(guide)) t.match(operators, name);
    for (const name of names(operators)) {
      t.match(text, new RegExp(`^# HELP ${name.replace(/_(bucket|count)$/, '')} `, 'm'), name);
    }
    for (const [, name = '', state = ''] of operators.matchAll(/(\w+)\{(state="\w+")\}/g)) {
      t.match(text, new RegExp(`^${name}\\{.*${state}`, 'm'), name);
    }
    t.notMatch(text, /ada|5555550142|nothing-of-the-kind/, 'nobody is named');

    await shiftDatabaseClock(context.database, context.config.holdLifetimeSeconds * 1_000);
    await context.board.refresh();
    await background!.sweeper.sweep();
    await background!.dispatcher.dispatchAll();
    await until(
      async () => (await look()).seen.get('booking_database_connections{state="idle"}')! > 0,
    );
    const { seen: later } = await look();
    t.equal(later.get('booking_expiry_lateness_seconds_count'), 1);
    t.ok(later.get('booking_expiry_lateness_seconds_sum')! < 60);
    t.equal(later.get('booking_events_undispatched'), 0);
    t.equal(later.get('booking_slots_taken{status="pending"}'), 0);

    t.equal((await fetch(`${url}/metrics`)).status, 404, 'not on the public listener');
    t.equal((await fetch(`${metrics}/api/public/studio`)).status, 404);
  },
);

void t.test('a worker without HTTP serves its health beside its metrics', async (t) => {
  const { app, url, metrics } = await start('worker');
  for (const path of ['healthz', 'readyz', 'metrics']) {
    t.equal((await fetch(`${metrics}/${path}`)).status, 200, path);
  }
  t.equal(app, null);
  await t.rejects(fetch(`${url}/healthz`), 'there is no other listener');
});

void t.test('metrics that cannot be read are left out', async (t) => {
  const metrics = createPrometheusMetrics(createLogger('silent'));
  const outage = () => Promise.reject(new Error('no database'));
  metrics.addGauge({ name: 'gone', help: 'Gone.', read: outage });
  metrics.addGauge({ name: 'gone_by_label', help: 'Gone.', labels: ['part'], read: outage });
  metrics.addGauge({ name: 'hanging', help: 'Hangs.', read: () => new Promise(() => undefined) });
  metrics.addGauge({ name: 'here', help: 'Here.', read: () => [{ value: 7 }] });
  const seen = parse(await metrics.text());
  t.equal(seen.get('here'), 7);
  for (const name of ['gone', 'gone_by_label', 'hanging']) t.notOk(seen.has(name), name);
});
