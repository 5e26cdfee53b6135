/** The limits of reading one watched calendar. */
export interface CalendarLimits {
  readonly connectSeconds: number;
  /** The time from the request to the head of the last response. */
  readonly headSeconds: number;
  readonly bodySeconds: number;
  /** The bytes of a body, also decompressed. */
  readonly bodyBytes: number;
  /** Processor time of the process that reads the calendar. */
  readonly processorSeconds: number;
  /** Time of that process from its start, without the wait for the ids that are this service's own. */
  readonly readSeconds: number;
  /** The heap of that process. */
  readonly heapMegabytes: number;
  /** Occurrences of recurring events that are stepped through, also outside the window. */
  readonly occurrences: number;
  /** Events and occurrences that are listed one by one. */
  readonly listed: number;
}

export const calendarLimits: CalendarLimits = {
  connectSeconds: 5,
  // Feeds of work accounts are large, and are made while their reader waits.
  headSeconds: 45,
  bodySeconds: 30,
  bodyBytes: 20_000_000,
  processorSeconds: 10,
  readSeconds: 60,
  heapMegabytes: 128,
  occurrences: 1_000_000,
  listed: 10_000,
};

export class TooManyOccurrencesError extends Error {
  constructor() {
    super('the calendar has too many occurrences');
    this.name = 'TooManyOccurrencesError';
  }
}

export type OccurrenceBudget = ReturnType<typeof createOccurrenceBudget>;

/** Counts the occurrences of all events of a calendar. */
export function createOccurrenceBudget(limit: number) {
  let spent = 0;
  return {
    /** @throws TooManyOccurrencesError when there were more than the limit */
    spend(): void {
      spent += 1;
      if (spent > limit) throw new TooManyOccurrencesError();
    },
  };
}
