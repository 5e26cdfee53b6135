import type { ClosureRow } from '../../database/schema.js';
import { longDate } from '../date-words.js';

/** The dates of a closure: `Thursday, December 24, 2026 to Friday, January 1, 2027`. */
export function closureDates({ from_date, to_date }: ClosureRow): string {
  return from_date === to_date
    ? longDate(from_date)
    : `${longDate(from_date)} to ${longDate(to_date)}`;
}

/** What is closed on each date: `whole day`, `1:00 PM only`. */
export function closurePart({ time_slot }: ClosureRow): string {
  return time_slot === null ? 'whole day' : `${time_slot} only`;
}
