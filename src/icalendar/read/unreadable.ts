/** A date or rule that is none, or has no known meaning. Its message says nothing of the calendar. */
export class UnreadableCalendarError extends Error {
  constructor() {
    super('the calendar cannot be read');
    this.name = 'UnreadableCalendarError';
  }
}
