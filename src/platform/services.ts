import type { Config } from '../config.js';
import type { Logger } from './log.js';
import type { Clock } from './clock.js';
import type { Keyring } from './keyring.js';
import type { Metrics } from './metrics/metrics.js';
import type { Readiness } from './readiness.js';

/** The services that know nothing of bookings. A function names those that it needs: `Pick<PlatformServices, …>`. */
export interface PlatformServices {
  config: Config;
  log: Logger;
  /** Corrected by the offset to the clock of the database. */
  clock: Clock;
  keyring: Keyring;
  /** Discards what it is told unless METRICS_PORT is set. */
  metrics: Metrics;
  readiness: Readiness;
}
