import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { parse } from 'yaml';
import { checks, prerequisites } from '../../src/staff/operator/checks.js';
import { headingAnchors, readGuides } from '../support/guides.js';
import { findProgram } from '../support/process.js';
import { projectRoot } from '../support/project.js';

const path = join(projectRoot, 'scripts/operations/prometheus-rules.yaml');
const { groups } = parse(await readFile(path, 'utf8')) as {
  groups: { rules: { alert: string; annotations: { summary: string; runbook: string } }[] }[];
};
const rules = groups.flatMap(({ rules }) => rules);

void t.test('each alert names what mends it: a check of doctor, or a section', async (t) => {
  const sections = [...(await readGuides())].flatMap(([path, guide]) =>
    headingAnchors(guide).map((anchor) => `${path}#${anchor}`),
  );
  const findings = ['configuration', ...Object.keys({ ...prerequisites, ...checks })].map(
    (name) => `studio doctor, ${name}`,
  );
  for (const { alert, annotations } of rules) {
    t.ok([...sections, ...findings].includes(annotations.runbook), alert);
    t.match(annotations.summary, /\.$|\}\.$/, alert);
  }
});

/** A service with nothing to alert of. */
const well = {
  'up{job="studio",instance="a"}': '1x60',
  'booking_slots_taken{instance="a",status="pending"}': '1x60',
  'booking_http_requests_total{status="500"}': '3x60',
  'booking_http_requests_total{status="200"}': '0+9x60',
  'booking_requests_shed_total{cause="turns"}': '7x60',
  'booking_database_connections{state="awaited"}': '0 5 0 5 0x56',
  booking_events_oldest_undispatched_seconds: '59x60',
  booking_expiry_lateness_seconds_count: '0+5x60',
  'booking_expiry_lateness_seconds_bucket{le="1"}': '0+5x60',
  'booking_delivery_lag_seconds_bucket{le="60"}': '0+5x60',
  'booking_delivery_lag_seconds_bucket{le="+Inf"}': '0+5x60',
  'booking_queue_jobs{queue="webhooks",state="waiting"}': '0 500 0x58',
  'booking_mails{state="failed"}': '0x60',
  'booking_mails{state="overdue"}': '0x60',
  booking_calendars_failing: '0x60',
  'booking_platform_refusals_total{platform="claude",limit="reads"}': '4x60',
  nodejs_eventloop_lag_p99_seconds: '0.1x60',
  booking_viewers: '10x60',
};

/** What differs where the alert, and no other one, fires after an hour. */
const ills: Record<string, Record<string, string>[]> = {
  StudioProcessDown: [{ 'up{job="studio",instance="a"}': '0x60' }],
  StudioDatabaseDown: [{ 'booking_slots_taken{instance="a",status="pending"}': '1x50 stale' }],
  StudioRequestsFail: [
    { 'booking_http_requests_total{status="500"}': '3x55 4x5' },
    { 'booking_http_requests_total{status="500"}': '_x55 1x5' },
  ],
  StudioOverloaded: [{ 'booking_requests_shed_total{cause="turns"}': '7x55 9x5' }],
  StudioConnectionsAwaited: [{ 'booking_database_connections{state="awaited"}': '1x60' }],
  StudioEventsLate: [{ booking_events_oldest_undispatched_seconds: '61x60' }],
  StudioExpiryLate: [{ 'booking_expiry_lateness_seconds_bucket{le="1"}': '0+5x50 250+4x9' }],
  StudioDeliveriesLate: [
    {
      'booking_delivery_lag_seconds_bucket{le="60"}': '0+1x60',
      'booking_delivery_lag_seconds_bucket{le="300"}': '0+5x60',
    },
  ],
  StudioQueueGrows: [{ 'booking_queue_jobs{queue="webhooks",state="waiting"}': '0+10x60' }],
  StudioMailFailed: [{ 'booking_mails{state="failed"}': '1x60' }],
  StudioMailLate: [
    { 'booking_mails{state="overdue"}': '2x60' },
    {
      'booking_mail_lag_seconds_bucket{le="60"}': '0x60',
      'booking_mail_lag_seconds_bucket{le="300"}': '0+5x60',
      'booking_mail_lag_seconds_bucket{le="+Inf"}': '0+5x60',
    },
  ],
  StudioCalendarFails: [{ booking_calendars_failing: '2x60' }],
  StudioPlatformAtLimit: [
    { 'booking_platform_refusals_total{platform="claude",limit="reads"}': '4x50 5x10' },
  ],
  StudioProcessFull: [
    { nodejs_eventloop_lag_p99_seconds: '0.3x60' },
    { booking_viewers: '9500x60' },
  ],
};

void t.test('each alert fires when its time has come, and no other one does', async (t) => {
  t.same(
    Object.keys(ills),
    rules.map(({ alert }) => alert),
  );
  const promtool = findProgram('promtool');
  if (promtool === null) {
    t.pass('no promtool on this machine', { skip: true });
    return;
  }
  const cases = [
    { changes: {}, firing: [] as string[] },
    ...Object.entries(ills).flatMap(([alert, each]) =>
      each.map((changes) => ({ changes, firing: [alert] })),
    ),
  ];
  const file = join(t.testdir(), 'tests.yaml');
  const tests = cases.map(({ changes, firing }) => ({
    interval: '1m',
    input_series: Object.entries({ ...well, ...changes }).map(([series, values]) => ({
      series,
      values,
    })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '1h',
        exp_samples: firing.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
      },
    ],
  }));
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [path], tests }));
  const run = promisify(execFile);
  await t.resolves(run(promtool, ['check', 'rules', path]));
  await t.resolves(run(promtool, ['test', 'rules', file]));

  const text = await readFile(join(projectRoot, 'scripts/operations/grafana-board.json'), 'utf8');
  const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  const shown = panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }, index) => ({
      record: `shown:${index}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    }));
  const board = { groups: [{ name: 'board', rules: shown }] };
  await writeFile(file, JSON.stringify(board));
  await t.resolves(run(promtool, ['check', 'rules', file]), 'the board can be read, too');
});
