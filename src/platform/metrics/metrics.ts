import type { ErrorCode } from '../../errors.js';

/**
 * What a process counts of itself. Entrances and exits tell what happened; what can be looked up
 * (`watch`) is looked up when somebody asks. No label carries a key, an address or a person.
 */
export interface Metrics {
  /** `operation`: the operationId of the contract, or the route's address where it has none. */
  requestAnswered(operation: string, status: number, seconds: number): void;
  /** A request was turned away to keep the process able to serve the others. */
  requestShed(cause: ShedCause): void;
  holdRequested(outcome: HoldOutcome): void;
  /** For each hold that was written down as expired: how long after its instant, in seconds. */
  holdsExpired(latenessSeconds: readonly number[]): void;
  /** `lagSeconds`: from the instant at which the attempt was due until it began. */
  deliveryAttempted(outcome: string, lagSeconds: number): void;
  addGauge(gauge: Gauge): void;
}

export type HoldOutcome = 'held' | 'replayed' | ErrorCode;

export type ShedCause =
  'event_loop' | 'database_pool' | 'turns' | 'connections' | 'connections_per_address';

/** A figure that is looked up whenever somebody asks. What cannot be looked up is left out. */
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

/** While nobody watches, counting costs nothing. */
export const noMetrics: Metrics = {
  requestAnswered: () => undefined,
  requestShed: () => undefined,
  holdRequested: () => undefined,
  holdsExpired: () => undefined,
  deliveryAttempted: () => undefined,
  addGauge: () => undefined,
};
