import type { Config } from '../config/config.js';
import type { Clock } from './clock.js';
import type { Logger } from './log.js';
import type { Metrics } from './metrics/metrics.js';
import type { Readiness } from './readiness.js';
import type { Tracing } from './tracing/tracing.js';

/** Services that know nothing of bookings. A function names the ones it needs: `Pick<PlatformServices, …>`. */
export interface PlatformServices {
  config: Config;
  log: Logger;
  clock: Clock;
  /** Discards everything unless METRICS_PORT is set. */
  metrics: Metrics;
  /** Traces nothing unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
  tracing: Tracing;
  readiness: Readiness;
}
