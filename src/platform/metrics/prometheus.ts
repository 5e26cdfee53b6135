import pTimeout from 'p-timeout';
import {
  collectDefaultMetrics,
  Counter,
  Gauge as PrometheusGauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { Logger } from '../log.js';
import { readPackage } from '../package-root.js';
import { counters, histograms, type Gauge, type Metrics } from './metrics.js';

/** The metrics in Prometheus' text format. */
export interface PrometheusMetrics extends Metrics {
  contentType: string;
  text(): Promise<string>;
}

const readingTimeoutMs = 2_000;

/** The service's metrics and the default metrics of a Node process. */
export function createPrometheusMetrics(log: Logger): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new PrometheusGauge({
    name: 'booking_build_info',
    help: 'Always 1; the label has the version of the service.',
    labelNames: ['version'],
    registers,
  }).set({ version: readPackage().version }, 1);
  const made = {
    counters: mapValues(
      counters,
      ({ labels, ...metric }) => new Counter({ ...metric, labelNames: labels, registers }),
    ),
    histograms: mapValues(
      histograms,
      ({ labels, buckets, ...metric }) =>
        new Histogram({ ...metric, labelNames: labels, buckets: [...buckets], registers }),
    ),
  };
  return {
    count: (name, labels) => made.counters[name].inc(labels),
    observe: (name, labels, seconds) => made.histograms[name].observe(labels, seconds),
    addGauge: (gauge) => addGauge(gauge, registers, log),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function mapValues<Name extends string, Value, Result>(
  record: Readonly<Record<Name, Value>>,
  map: (value: Value) => Result,
): Record<Name, Result> {
  const entries = Object.entries<Value>(record).map(([name, value]) => [name, map(value)]);
  return Object.fromEntries(entries) as Record<Name, Result>;
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
        // A scrape answers even without the database.
        const reading = Promise.resolve(gauge.read());
        const readings = await pTimeout(reading, { milliseconds: readingTimeoutMs });
        for (const reading of readings) this.set(reading.labels ?? {}, reading.value);
      } catch (error) {
        log.debug({ err: error, metric: name }, 'a metric could not be read');
      }
    },
  });
}
