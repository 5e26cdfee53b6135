export class TooManyOccurrencesError extends Error {
  constructor() {
    super('the calendar has too many occurrences');
    this.name = 'TooManyOccurrencesError';
  }
}

/** Counts the occurrences of all events of a calendar. */
export interface OccurrenceBudget {
  /** @throws TooManyOccurrencesError when there were more than the limit */
  spend(): void;
}

export function createOccurrenceBudget(limit: number): OccurrenceBudget {
  let spent = 0;
  return {
    spend() {
      spent += 1;
      if (spent > limit) throw new TooManyOccurrencesError();
    },
  };
}
