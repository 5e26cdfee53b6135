import type { ErrorCode } from '../../errors.js';

/**
 * The metrics of this process. Counters and histograms are recorded as things happen; gauges are
 * read at each scrape. No label carries a key, an address or personal data.
 */
export interface Metrics {
  /** `operation`: the operationId, or the route where it has none. */
  requestAnswered(operation: string, status: number, seconds: number): void;
  /** A request was refused to protect the process. */
  requestShed(cause: ShedCause): void;
  holdRequested(outcome: HoldOutcome): void;
  /** A limit of a platform as a whole refused a request. */
  platformRefused(platform: string, limit: PlatformLimit): void;
  /** For each hold recorded as expired: the seconds since `expires_at`. */
  holdsExpired(latenessSeconds: readonly number[]): void;
  /** `lagSeconds`: from the due time of the attempt to its start. */
  deliveryAttempted(outcome: string, lagSeconds: number): void;
  /** `lagSeconds`: from the due time of the attempt to its start. */
  mailAttempted(outcome: string, lagSeconds: number): void;
  /** A mail that was due was dropped, for this reason. */
  mailDropped(reason: string): void;
  /** `outcome`: `read`, `unchanged`, `aborted` or the error. */
  calendarFetched(outcome: string): void;
  addGauge(gauge: Gauge): void;
}

export type PlatformLimit = 'reads' | 'holds' | 'pending_holds' | 'live_bookings';

export type HoldOutcome = 'held' | 'replayed' | ErrorCode;

export type ShedCause =
  | 'event_loop'
  | 'database_pool'
  | 'turns'
  | 'connections'
  | 'connections_per_address';

/** A value that is read at each scrape, and left out where `read` rejects. */
export interface Gauge {
  name: string;
  help: string;
  labels?: string[];
  read(): Reading[] | Promise<Reading[]>;
}

export interface Reading {
  value: number;
  labels?: Record<string, string>;
}

/** Records nothing. */
export const noMetrics: Metrics = {
  requestAnswered: () => undefined,
  requestShed: () => undefined,
  holdRequested: () => undefined,
  platformRefused: () => undefined,
  holdsExpired: () => undefined,
  deliveryAttempted: () => undefined,
  mailAttempted: () => undefined,
  mailDropped: () => undefined,
  calendarFetched: () => undefined,
  addGauge: () => undefined,
};
