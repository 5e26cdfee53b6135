import pTimeout from 'p-timeout';
import {
  collectDefaultMetrics,
  Counter,
  Gauge as PrometheusGauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { Logger } from '../log.js';
import type { Gauge, Metrics } from './metrics.js';

/** The metrics in Prometheus' text format. */
export interface PrometheusMetrics extends Metrics {
  contentType: string;
  text(): Promise<string>;
}

const readingTimeoutMs = 2_000;
/** Requests: from what memory answers to what a timeout ends. */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** What may be late: from a timer's own resolution to an outage. */
const latenessSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** The service's metrics and the default metrics of a Node process. */
export function createPrometheusMetrics(log: Logger): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'booking_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'booking_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the last byte of its answer, by operation.',
    labelNames: ['operation'],
    buckets: requestSeconds,
    registers,
  });
  const shed = new Counter({
    name: 'booking_requests_shed_total',
    help: 'Requests refused with 503, or connections closed, under overload.',
    labelNames: ['cause'],
    registers,
  });
  const holds = new Counter({
    name: 'booking_holds_total',
    help: 'Hold requests by outcome: held, replayed, or the code of the error.',
    labelNames: ['outcome'],
    registers,
  });
  const platformRefusals = new Counter({
    name: 'booking_platform_refusals_total',
    help: 'Requests that a limit of a platform as a whole refused, by platform and limit.',
    labelNames: ['platform', 'limit'],
    registers,
  });
  const expiries = new Histogram({
    name: 'booking_expiry_lateness_seconds',
    help: 'Time from the instant a hold lapses until that is written down.',
    buckets: latenessSeconds,
    registers,
  });
  const deliveries = new Counter({
    name: 'booking_delivery_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const deliveryLag = new Histogram({
    name: 'booking_delivery_lag_seconds',
    help: 'Time from the instant an attempt was due until it began.',
    buckets: latenessSeconds,
    registers,
  });
  const mails = new Counter({
    name: 'booking_mail_attempts_total',
    help: 'Attempts to send a mail, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const mailLag = new Histogram({
    name: 'booking_mail_lag_seconds',
    help: 'Time from the instant a mail was due until the attempt to send it began.',
    buckets: latenessSeconds,
    registers,
  });
  const droppedMails = new Counter({
    name: 'booking_mails_dropped_total',
    help: 'Mails dropped when they were due, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const calendarFetches = new Counter({
    name: 'booking_calendar_fetches_total',
    help: 'Fetches of watched calendars by outcome: read, unchanged, aborted, or the error.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    requestAnswered(operation, status, seconds) {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    requestShed: (cause) => shed.inc({ cause }),
    holdRequested: (outcome) => holds.inc({ outcome }),
    platformRefused: (platform, limit) => platformRefusals.inc({ platform, limit }),
    holdsExpired(lateness) {
      for (const seconds of lateness) expiries.observe(seconds);
    },
    deliveryAttempted(outcome, lagSeconds) {
      deliveries.inc({ outcome });
      deliveryLag.observe(lagSeconds);
    },
    mailAttempted(outcome, lagSeconds) {
      mails.inc({ outcome });
      mailLag.observe(lagSeconds);
    },
    mailDropped: (reason) => droppedMails.inc({ reason }),
    calendarFetched: (outcome) => calendarFetches.inc({ outcome }),
    addGauge: (gauge) => addGauge(gauge, registers, log),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function addGauge(gauge: Gauge, registers: Registry[], log: Logger): void {
  const { name, help, labels = [] } = gauge;
  new PrometheusGauge({
    name,
    help,
    labelNames: labels,
    registers,
    async collect() {
      this.reset();
      // prom-client shows a gauge without labels as 0 until it is set.
      if (labels.length === 0) this.remove();
      try {
        // A scrape answers even where the database does not.
        const reading = Promise.resolve(gauge.read());
        const readings = await pTimeout(reading, { milliseconds: readingTimeoutMs });
        for (const reading of readings) this.set(reading.labels ?? {}, reading.value);
      } catch (error) {
        log.debug({ err: error, metric: name }, 'a metric could not be read');
      }
    },
  });
}
