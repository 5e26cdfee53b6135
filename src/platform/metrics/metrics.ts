/** The durations of requests: from answers out of memory to timeouts. */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Delays: from a timer's resolution to an outage. */
const latenessSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** The counters. No label has a key, an address or personal data. */
export const counters = {
  /** `operation`: the operationId, or the route where it has none. */
  requests: {
    name: 'booking_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labels: ['operation', 'status'],
  },
  shedRequests: {
    name: 'booking_requests_shed_total',
    help: 'Requests refused with 503, or connections closed, under overload.',
    labels: ['cause'],
  },
  holds: {
    name: 'booking_holds_total',
    help: 'Hold requests by outcome: held, replayed, or the code of the error.',
    labels: ['outcome'],
  },
  platformRefusals: {
    name: 'booking_platform_refusals_total',
    help: 'Requests that a limit of a platform as a whole refused, by platform and limit.',
    labels: ['platform', 'limit'],
  },
  deliveries: {
    name: 'booking_delivery_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome.',
    labels: ['outcome'],
  },
  mails: {
    name: 'booking_mail_attempts_total',
    help: 'Attempts to send a mail, by outcome.',
    labels: ['outcome'],
  },
  droppedMails: {
    name: 'booking_mails_dropped_total',
    help: 'Mails dropped when they were due, by reason.',
    labels: ['reason'],
  },
  calendarFetches: {
    name: 'booking_calendar_fetches_total',
    help: 'Fetches of watched calendars by outcome: read, unchanged, aborted, or the error.',
    labels: ['outcome'],
  },
} as const;

/** The histograms, in seconds. */
export const histograms = {
  requestDuration: {
    name: 'booking_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the last byte of its answer, by operation.',
    labels: ['operation'],
    buckets: requestSeconds,
  },
  expiryLateness: {
    name: 'booking_expiry_lateness_seconds',
    help: 'Time from the instant a hold lapses until that is written down.',
    labels: [],
    buckets: latenessSeconds,
  },
  deliveryLag: {
    name: 'booking_delivery_lag_seconds',
    help: 'Time from the instant an attempt was due until it began.',
    labels: [],
    buckets: latenessSeconds,
  },
  mailLag: {
    name: 'booking_mail_lag_seconds',
    help: 'Time from the instant a mail was due until the attempt to send it began.',
    labels: [],
    buckets: latenessSeconds,
  },
} as const;

type Labels<Metric extends { labels: readonly string[] }> = Readonly<
  Record<Metric['labels'][number], string | number>
>;

/** The metrics of this process: prom-client where they are served, otherwise nothing (src/decisions.md). */
export interface Metrics {
  count<Name extends keyof typeof counters>(
    name: Name,
    labels: Labels<(typeof counters)[Name]>,
  ): void;
  observe<Name extends keyof typeof histograms>(
    name: Name,
    labels: Labels<(typeof histograms)[Name]>,
    seconds: number,
  ): void;
  addGauge(gauge: Gauge): void;
}

/** Why a request was refused to protect the process. */
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
  count: () => undefined,
  observe: () => undefined,
  addGauge: () => undefined,
};
