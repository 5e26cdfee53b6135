/** What reading one watched calendar may take. */
export interface CalendarLimits {
  readonly connectSeconds: number;
  /** From the request until the body is read. */
  readonly fetchSeconds: number;
  readonly bodyBytes: number;
  /** Of the process that reads it, from its start, without the wait for the ids that are this service's own. */
  readonly readSeconds: number;
  /** The heap of that process. */
  readonly heapMegabytes: number;
  /** Occurrences of recurring events that are stepped through, also outside the window. */
  readonly occurrences: number;
}

export const calendarLimits: CalendarLimits = {
  connectSeconds: 5,
  fetchSeconds: 15,
  bodyBytes: 5_000_000,
  readSeconds: 5,
  heapMegabytes: 128,
  occurrences: 1_000_000,
};
